#include "engine/run/exact/calendar.hpp"

#include "blocks/lag.hpp"

#include <algorithm>

namespace deltaflow::closed_form {

namespace {

Integer ceiling(const Rational& r) {
    Integer q = r.numerator() / r.denominator();
    if (sign(r) > 0 && q * r.denominator() != r.numerator()) ++q;
    return q;
}

Rational tick(const Clock& c, const Integer& n) { return c.phase + c.period * Rational(n); }

}  // namespace

// What the point that comes next begins.
Line ExactCalendar::piece_at(std::uint32_t extra, const Quadratic& since) const {
    const Schedule& s = at_.diagram().schedules[extra];
    const ScheduleCursor& cursor = state_.cursors[extra];
    const Point& p = at_.x->schedules[extra].points[cursor.index];
    return {s.noise ? Quadratic(exact(cursor.value(s))) : p.value, p.slope, since};
}

void ExactCalendar::prepare_schedule(NodeId node, double start) {
    const auto extra = at_.diagram().nodes[node].extra;
    const Schedule& schedule = at_.diagram().schedules[extra];
    ScheduleCursor& cursor = state_.cursors[extra];
    wind(schedule, start, cursor);
    if (cursor.index > 0) {  // `wind` looks at doubles: begin one point earlier
        --cursor.index;
    } else if (cursor.round > 0) {
        cursor.index = schedule.points.size() - 1;
        --cursor.round;
    }
    Line piece{at_.x->schedules[extra].before, Quadratic(0), state_.t};
    while (!cursor.done(schedule) && Quadratic(cursor.time(schedule)) < state_.t) {
        piece = piece_at(extra, cursor.time(schedule));
        cursor.step(schedule);
    }
    state_.now.pieces[extra] = piece;
    if (!cursor.done(schedule)) add(cursor.time(schedule), node);
}

void ExactCalendar::prepare_clock(NodeId node) {
    const auto extra = at_.diagram().nodes[node].extra;
    const Clock& clock = at_.diagram().clocks[extra];
    state_.now.held[node] = state_.stored[node] = at_.x->parameters[node][0];
    if (clock.period.numerator() == 0) return add(state_.t, node);  // once, at the start
    state_.next_tick[extra] = std::max(Integer(0), ceiling((state_.t.a - clock.phase) / clock.period));
    add(tick(clock, state_.next_tick[extra]), node);
}

void ExactCalendar::prepare(double start) {
    const Diagram& d = at_.diagram();
    state_.cursors.resize(d.schedules.size());
    state_.next_tick.resize(d.clocks.size());
    for (const NodeId n : at_.x->schedule_nodes) prepare_schedule(n, start);
    for (const NodeId n : at_.x->sampled) prepare_clock(n);
    for (const NodeId n : at_.x->delays) {
        const auto& p = at_.x->parameters[n];
        state_.histories.emplace(n, ExactHistory(p[0], p[1], state_.t));
        // It leaves its initial value when the input's past begins.
        if (!lag::varies(d, n)) add(state_.t + p[0], n);
    }
    lags().begin(state_.now);
}

void ExactCalendar::begin_commit() {
    arrivals_.clear();
    std::fill(state_.ticking.begin(), state_.ticking.end(), 0);
}

const Quadratic* ExactCalendar::next() const {
    const auto next =
        std::min_element(state_.agenda.begin(), state_.agenda.end(),
                         [](const ExactState::Due& a, const ExactState::Due& b) { return a.t < b.t; });
    return next == state_.agenda.end() ? nullptr : &next->t;
}

void ExactCalendar::take() {
    for (const Quadratic* due = next(); due && *due <= state_.t; due = next()) {
        const auto found = std::find_if(state_.agenda.begin(), state_.agenda.end(),
                                        [&](const ExactState::Due& d) { return &d.t == due; });
        const NodeId n = found->node;
        state_.agenda.erase(found);
        take(n);
    }
    if (!state_.starting) lags().move(at_.left, state_.after, arrivals_);
}

bool ExactCalendar::correct_lags() {
    return lags().correct([&](NodeId n) { return at_.solver->right(n); }, state_.after, state_.arrived);
}

void ExactCalendar::take(NodeId n) {
    const Diagram& d = at_.diagram();
    const Node& node = d.nodes[n];
    if (is_timer(d, n)) return;
    record_.note_cause(n);
    if (node.op == Primitive::schedule) {
        const Schedule& s = d.schedules[node.extra];
        ScheduleCursor& cursor = state_.cursors[node.extra];
        state_.after.pieces[node.extra] = piece_at(node.extra, state_.t);
        arrivals_[n] = at_.x->schedules[node.extra].points[cursor.index].impulses;
        cursor.step(s);
        if (!cursor.done(s)) add(cursor.time(s), n);
    } else if (node.op == Primitive::delay) {
        arrivals_[n] = state_.histories.at(n).arriving(state_.t);
    } else {
        state_.ticking[n] = 1;
        const Clock& clock = d.clocks[node.extra];
        const Integer next = ++state_.next_tick[node.extra];
        if (clock.period.numerator() != 0) add(tick(clock, next), n);
    }
}

void ExactCalendar::strike(NodeId crossing) {
    arrivals_[crossing] = {Quadratic(1)};
    record_.note_cause(crossing);
}

void ExactCalendar::feed(ExactInstant& solver) const {
    solver.sources = arrivals_;
    solver.ticking = state_.ticking;
    solver.delayed.clear();
    for (const auto& [n, history] : state_.histories) solver.delayed[n] = history.around(state_.t, false);
}

void ExactCalendar::store() {
    for (auto& [n, history] : state_.histories) {
        const NodeId u = at_.input(n);
        auto impulses = at_.solver->impulses(u);
        const bool broken = !impulses.empty() || !(trimmed(at_.right.rungs[u]) == trimmed(at_.left.rungs[u]));
        if (!impulses.empty()) history.append_impulses(state_.t, std::move(impulses));
        if (broken && !lag::varies(at_.diagram(), n)) add(state_.t + history.by(), n);
    }
}

void ExactCalendar::flow(const Quadratic& to) {
    if (!(state_.t < to)) return;
    for (auto& [n, history] : state_.histories)
        history.append(state_.t, trimmed(at_.right.rungs[at_.input(n)]));
}

}  // namespace deltaflow::closed_form
