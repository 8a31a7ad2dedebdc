#include "engine/run/sampled/numeric_calendar.hpp"

#include "engine/run/due.hpp"
#include "engine/run/sampled/numeric_sheets.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

void NumericCalendar::prepare() {
    const Diagram& d = at_.s->d;
    state_.cursors.resize(d.schedules.size());
    state_.next_tick.resize(d.clocks.size());
    for (const NodeId n : at_.s->schedules) {
        const auto extra = d.nodes[n].extra;
        const Schedule& schedule = d.schedules[extra];
        ScheduleCursor& cursor = state_.cursors[extra];
        state_.now.pieces[extra] = wind(schedule, pace_.time(), cursor);
        if (!cursor.done(schedule)) state_.agenda.add(to_double(cursor.time(schedule)), n);
    }
    for (const NodeId n : at_.s->sampled) {
        const auto extra = d.nodes[n].extra;
        state_.now.held[n] = state_.stored[n] = d.parameters_of(n)[0];
        state_.next_tick[extra] = first_tick(d.clocks[extra], pace_.time());
        state_.agenda.add(std::max(pace_.time(), tick_time(d.clocks[extra], state_.next_tick[extra])), n);
    }
}

void NumericCalendar::take(double t, double h) {
    for (std::size_t taken = 0; state_.agenda.next() <= t + pace_.slack(); ++taken) {
        const NodeId n = state_.agenda.pop().node;
        check_due(taken, at_.s->d.nodes.size(), n);
        take(n, t, h);
    }
}

void NumericCalendar::take(NodeId n, double t, double h) {
    const Node& node = at_.node(n);
    if (is_timer(at_.s->d, n)) return;
    teller_.note_cause(n);
    if (node.op == Primitive::schedule)
        return at_.s->d.schedules[node.extra].fed > 0 ? take_fed(n, t, h) : take_point(n, t, h);
    state_.ticking.push_back(n);
    state_.factored = NAN;
    if (node.op == Primitive::unit_delay) state_.now.held[n] = state_.stored[n];
    for (const auto& hold : at_.holds)
        if (hold.node == n) {
            at_.m->sampled.d.parameters[hold.parameter] = 0;
            at_.m->sampled.d.parameters[hold.parameter + 1] = 1;
        }
    state_.agenda.add(tick_time(at_.s->d.clocks[node.extra], ++state_.next_tick[node.extra]), n);
}

void NumericCalendar::take_point(NodeId n, double t, double h) {
    const Schedule& s = at_.s->d.schedules[at_.node(n).extra];
    ScheduleCursor& cursor = state_.cursors[at_.node(n).extra];
    const Breakpoint& point = s.points[cursor.index];
    state_.now.pieces[at_.node(n).extra] = {cursor.value(s), point.slope, to_double(cursor.time(s))};
    if (!point.impulses.empty()) strike(n, point.impulses, t, h);
    cursor.step(s);
    if (!cursor.done(s)) state_.agenda.add(to_double(cursor.time(s)), n);
    if (auto* source = source_of(n)) source->next_high = next_high_impulse(state_, at_, n);
}

void NumericCalendar::take_fed(NodeId n, double t, double h) {
    auto [node, value, impulses] = take_all(state_.fed, n);
    if (value) state_.now.pieces[at_.node(n).extra] = {*value, 0, t};
    while (!impulses.empty() && impulses.back() == 0) impulses.pop_back();
    if (!impulses.empty()) strike(n, impulses, t, h);
}

NumericState::Source* NumericCalendar::source_of(NodeId n) {
    const auto source = std::find_if(state_.sources.begin(), state_.sources.end(),
                                     [&](const NumericState::Source& x) { return x.block.node == n; });
    return source == state_.sources.end() ? nullptr : &*source;
}

// An impulse of a source at t, in the sample that closes a step h. With the left sum it acts over the steps
// that follow. With the right sum the step itself is the first one; where that was cut short, the impulse
// begins with the next.
void NumericCalendar::strike(NodeId n, const std::vector<double>& impulses, double t, double h) {
    NumericState::Source* const source = source_of(n);
    if (!source) return;
    const int orders = static_cast<int>(impulses.size());
    if (at_.left) {
        std::vector<double> steps(2 * impulses.size(), pace_.step());
        if (orders > 1)
            pace_.keep(t, orders, true, repeats());
        else
            steps[0] = pace_.whole_step_behind(t);
        source->impulses.strike(impulses, steps);
        pace_.keep_whole(orders + 1);
    } else if (orders < 2) {
        source->impulses.strike(impulses);
    } else if (state_.starting || std::abs(h - pace_.step()) > pace_.slack()) {
        source->late = impulses;
    } else {
        source->impulses.strike(impulses);
        pace_.keep(t - pace_.step(), orders, false, repeats());
    }
}

void NumericCalendar::strike_late() {
    for (auto& source : state_.sources) {
        if (source.late.empty()) continue;
        source.impulses.strike(source.late);
        pace_.keep(pace_.time(), static_cast<int>(source.late.size()), false, repeats());
        source.late.clear();
    }
}

// With the right sum the first sample of an impulse closes the step that ends in it: that step begins off the
// grid, too.
double NumericCalendar::next_approach() const {
    double next = HUGE_VAL;
    for (const auto& source : state_.sources) {
        const double begin = source.next_high - pace_.step();
        if (!at_.left && begin >= pace_.time() - pace_.slack() && !pace_.is_grid(source.next_high))
            next = std::min(next, begin);
    }
    return next;
}

std::vector<double> NumericCalendar::repeats() const {
    std::vector<double> all;
    for (const auto& delay : state_.delays)
        if (impulse_rungs(at_.s->regularity[delay.block.input]) > 1) all.push_back(delay.samples.by());
    return all;
}

}  // namespace deltaflow
