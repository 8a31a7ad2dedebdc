// The words of an instant in exact numbers.
#include "engine/limits.hpp"
#include "engine/run/exact/exact_island.hpp"
#include "engine/run/ideal.hpp"
#include "engine/run/instant.hpp"
#include "engine/solve/decide.hpp"
#include "engine/solve/exact/bounds.hpp"
#include "engine/solve/instant_rules.hpp"

#include <algorithm>

namespace deltaflow::closed_form {

void ExactIsland::note_cause(NodeId n) {
    const NodeId origin = x_->s->origin[n];
    if (std::find(causes_.begin(), causes_.end(), origin) == causes_.end()) causes_.push_back(origin);
}

// Do the branches before the start agree with the flow that would go on from here?
bool ExactIsland::try_branches_before() {
    mark_active(now_);
    left_ = evaluate(now_, true);
    bool agree = true;
    for (std::size_t i = 0; i < branchers_.size(); ++i) {
        const NodeId n = branchers_[i];
        const std::span<const Quadratic> p(x_->parameters[n]);
        const int from = branch_before_start(x_->s->d.nodes[n].op, p, now_.branch[n]);
        wanted_[i] = is_active(n) ? decide_forward(left_, n, from) : now_.branch[n];
        agree = agree && wanted_[i] == now_.branch[n];
    }
    return agree;
}

void ExactIsland::settle_branches() {
    Trial before = trial(left_, now_);
    before.solves = [&] { return try_branches_before(); };
    if (find_situation(before)) return;
    throw RunFailure{.kind = ErrorKind::no_progress,
                     .node = first_brancher(),
                     .what = "no combination of branches agrees with its conditions at the start",
                     .advice = "look for decisions that contradict themselves, such as x = if(x, -1, 1)"};
}

void ExactIsland::take_due(NodeId n) {
    const Diagram& d = x_->s->d;
    const Node& node = d.nodes[n];
    if (is_timer(d, n)) return;
    note_cause(n);
    if (node.op == Primitive::schedule) {
        const Schedule& s = d.schedules[node.extra];
        ScheduleCursor& cursor = cursors_[node.extra];
        const Point& p = x_->schedules[node.extra].points[cursor.index];
        after_.pieces[node.extra] = {s.noise ? Quadratic(exact(cursor.value(s))) : p.value, p.slope, t_};
        arrivals_[n] = p.impulses;
        cursor.step(s);
        if (!cursor.done(s)) agenda_.push_back({cursor.time(s), n});
    } else if (node.op == Primitive::delay) {
        arrivals_[n] = histories_.at(n).arriving(t_);
    } else {
        ticking_[n] = 1;
        const Clock& clock = d.clocks[node.extra];
        const Integer next = ++next_tick_[node.extra];
        if (clock.period.numerator() == 0) return;
        agenda_.push_back({Quadratic(clock.phase + clock.period * Rational(next)), n});
    }
}

void ExactIsland::take_due() {
    for (const Quadratic* next = next_due(); next && *next <= t_; next = next_due()) {
        const auto due =
            std::find_if(agenda_.begin(), agenda_.end(), [&](const Due& d) { return &d.t == next; });
        const NodeId n = due->node;
        agenda_.erase(due);
        take_due(n);
    }
}

// The left germ decides: zero now, and its first rung that is not zero is of odd order.
void ExactIsland::fire_by_left_germ() {
    fired_.clear();
    for (const NodeId n : x_->crossings) {
        const NodeId c = x_->s->d.inputs_of(n)[0];
        const Polynomial p = trimmed(left_.rungs[c]);
        const auto first = std::find_if(p.begin(), p.end(), [](const Quadratic& r) { return !is_zero(r); });
        const bool trigger = x_->s->d.nodes[n].is_trigger();
        if (trigger && first == p.end()) crossing_sign_[n] = 1;
        if (first == p.end()) continue;
        const int s = sign(*first);
        if (trigger) {
            crossing_sign_[n] = (first - p.begin()) % 2 == 1 ? -s : s;
            continue;
        }
        if (first == p.begin()) {
            crossing_sign_[n] = s;
            continue;
        }
        if (crossing_sign_[n] == 0) continue;
        const bool odd = (first - p.begin()) % 2 == 1;
        if (odd && s * x_->s->d.parameters_of(n)[0] >= 0) fired_.push_back(n);
        crossing_sign_[n] = odd ? -s : s;
    }
}

ExactInstantInput ExactIsland::instant_input() { return {&left_, t_, &now_, &after_, &stored_}; }

// What comes from outside.
void ExactIsland::feed_solver() {
    solver_->sources = arrivals_;
    solver_->ticking = ticking_;
    solver_->delayed.clear();
    for (const auto& [n, history] : histories_) solver_->delayed[n] = history.around(t_, false);
}

// Branches as the left germ has them.
void ExactIsland::begin_solve() {
    feed_solver();
    for (const NodeId n : x_->branchers) {
        if (!is_active(n)) continue;
        after_.branch[n] = decide_forward(left_, n);
        if (after_.branch[n] != now_.branch[n]) note_cause(n);
    }
}

void ExactIsland::take_states() {
    for (const NodeId n : x_->instant.jumping)
        if (x_->wanted[n]) states_[n] = solver_->right(n);
}

// One solve under the branches of after_; true if every branch agrees with its condition; wanted_ tells.
bool ExactIsland::try_branches() {
    solver_->solve(instant_input());
    for (const NodeId n : x_->states) states_[n] = left_.at(n, 0);
    take_states();
    for (const NodeId n : x_->sampled)
        if (ticking_[n]) after_.held[n] = solver_->right(n);
    mark_active(after_);
    right_ = evaluate(after_, false);
    if (modes_) adopt_solved();
    bool agree = true;
    for (std::size_t i = 0; i < branchers_.size(); ++i) {
        const NodeId n = branchers_[i];
        wanted_[i] = after_.branch[n];
        if (!is_active(n)) continue;
        const NodeId c = x_->s->d.inputs_of(n)[0];
        const Primitive op = x_->s->d.nodes[n].op;
        const std::span<const Quadratic> p(x_->parameters[n]);
        wanted_[i] = decide(op, p, now_.branch[n], [&](const Quadratic& threshold) {
            const int here = compare(solver_->right(c), threshold);
            return here != 0 || op == Primitive::hysteresis ? here : forward_sign(right_, c, threshold);
        });
        agree = agree && wanted_[i] == after_.branch[n];
    }
    return agree;
}

void ExactIsland::resolve() {
    Trial solved = trial(right_, after_);
    solved.solves = [&] { return try_branches(); };
    solved.begins = [&] { feed_solver(); };
    if (find_situation(solved)) return note_slides();
    throw RunFailure{
        .kind = ErrorKind::no_progress,
        .node = first_brancher(),
        .what = "no branch agrees with its condition here: the model slides along a switching surface",
        .advice = "use hysteresis instead of a sharp switch, or model the sliding motion itself",
        .show_inputs = true};
}

SlideSearch::Trial ExactIsland::trial(Side& side, ExactDiscrete& discrete) {
    return {
        .branch = discrete.branch,
        .slides = discrete.slides,
        .before = &discrete == &now_ ? nullptr : &now_.branch,
        .solves = {},
        .begins = [] {},
        .value_sign = [&](NodeId c, double threshold) { return compare(side.at(c, 0), exactly(threshold)); },
        .leaves = [&](const HeldSurface& h) { return leaves_surface(h, side); }};
}

void ExactIsland::use_system(const System& s) {
    x_ = &exact_system(s);
    solver_ = std::make_unique<ExactInstant>(*x_);
    list_branchers(s, x_->branchers);
    const std::size_t n = std::max(states_.size(), s.d.nodes.size());
    for (auto* list : {&states_, &stored_, &now_.held, &after_.held}) list->resize(n);
    for (auto* list : {&now_.branch, &after_.branch}) list->resize(n, 0);
    ticking_.resize(n, 0);
    left_.rungs.resize(std::max(left_.rungs.size(), n));
    left_.unknown.resize(std::max(left_.unknown.size(), n));
}

// The side that a held block is driven to; nothing if it stays between them.
std::optional<int> ExactIsland::leaves_surface(const HeldSurface& h, const Side& side) const {
    if (!is_active(h.block)) return 1;
    if (const int s = compare(side.at(h.condition, 0), exactly(h.threshold)); s != 0) return s;
    for (int k = 1; k < h.held.order; ++k)
        if (const int s = sign(side.at(h.condition, k)); s != 0) return s;
    if (forward_sign(side, h.weight, Quadratic(0)) < 0) return -1;
    if (forward_sign(side, h.weight, Quadratic(1)) > 0) return 1;
    return std::nullopt;
}

// Who begins to slide, or ceases to, causes an event.
void ExactIsland::note_slides() {
    for (const auto* list : {&now_.slides, &after_.slides})
        for (const Held& h : *list)
            if (now_.slides != after_.slides) note_cause(surface(h).block);
}

void ExactIsland::commit() {
    solver_->check(instant_input(), active_);
    if (const System& s = *x_->s; !s.contradicting.empty())
        refuse_contradiction(modes_->graph(), s.contradicting, after_mode_, starting_,
                             [&](NodeId n) { return solved_sign(n); });
    store_history();
    for (const NodeId n : x_->sampled)
        if (x_->s->d.nodes[n].op == Primitive::unit_delay && ticking_[n])
            stored_[n] = solver_->right(x_->s->d.inputs_of(n)[0]);
    now_ = after_;
    mode_ = after_mode_;
    check_values();
}

// Delays pass on what happened: impulses, and a due time where the polynomial changes.
void ExactIsland::store_history() {
    for (auto& [n, history] : histories_) {
        const NodeId u = x_->s->d.inputs_of(n)[0];
        auto impulses = solver_->impulses(u);
        const bool broken = !impulses.empty() || !(trimmed(right_.rungs[u]) == trimmed(left_.rungs[u]));
        if (!impulses.empty()) history.append_impulses(t_, std::move(impulses));
        if (broken) agenda_.push_back({t_ + history.by(), n});
    }
}

void ExactIsland::check_values() {
    for (const NodeId n : x_->assertions) {
        if (!is_active(n) || forward_sign(right_, x_->s->d.inputs_of(n)[0], Quadratic(0)) >= 0) continue;
        if (x_->s->d.nodes[n].ends_run()) {
            terminated_ = true;
            continue;
        }
        throw RunFailure{.kind = ErrorKind::assertion,
                         .node = n,
                         .what = x_->s->d.messages[x_->s->d.nodes[n].extra],
                         .show_inputs = true};
    }
}

// Fractions that double their length at each instant would soon fill the memory.
void ExactIsland::check_lengths() const {
    const auto check = [](const std::vector<Quadratic>& numbers) {
        for (NodeId n = 0; n < numbers.size(); ++n) check_length(numbers[n], limits::exact_bits, n);
    };
    check(states_);
    check(now_.held);
    check(stored_);
}

// Does the flow that now begins contradict a branch or a guard, or did a jump step over zero?
bool ExactIsland::something_new() {
    if (modes_) settle_guard_branches();
    bool found = modes_ && anything_fires();
    for (const NodeId n : x_->branchers)
        if (is_active(n) && decide_forward(right_, n) != now_.branch[n]) {
            found = true;
            note_cause(n);
        }
    for (const HeldSurface& h : x_->s->held)
        if (h.leads && leaves_surface(h, right_)) {
            found = true;
            note_cause(h.block);
        }
    for (const NodeId n : x_->crossings) {
        const NodeId c = x_->s->d.inputs_of(n)[0];
        const int sign = forward_sign(right_, c, Quadratic(0)), before = crossing_sign_[n];
        const bool trigger = x_->s->d.nodes[n].is_trigger();
        const int s = trigger && sign == 0 ? 1 : sign;
        const bool fired = std::find(fired_.begin(), fired_.end(), n) != fired_.end();
        const bool passed = !trigger && fired && is_zero(left_.at(c, 0));
        const bool jumped = !passed && !starting_ && before != 0 && s == -before;
        crossing_sign_[n] = side_after(s, before, passed);
        const bool struck = trigger && x_->s->d.parameters_of(n)[1] > 1 && !solver_->impulses(c).empty();
        if (!struck && (!jumped || s * x_->s->d.parameters_of(n)[0] < 0)) continue;
        pending_.push_back(n);
        found = true;
        note_cause(n);
    }
    return found;
}

void ExactIsland::tell(std::uint32_t epsilon) {
    for (const auto& output : x_->s->outputs) {
        auto impulses = solver_->impulses(output.node);
        if (impulses.empty()) continue;
        keep(impulses);
        signals_[output.signal].impulses.push_back({t_, epsilon, std::move(impulses)});
    }
    if (!causes_.empty()) recorder_.causes = causes_;
    causes_.clear();
}

void ExactIsland::begin_commit() {
    after_ = now_;
    arrivals_.clear();
    std::fill(ticking_.begin(), ticking_.end(), 0);
}

void ExactIsland::fire_crossings(bool first) {
    if (first)
        fire_by_left_germ();
    else
        fired_ = pending_;
    pending_.clear();
    for (const NodeId n : fired_) {
        arrivals_[n] = {Quadratic(1)};
        note_cause(n);
    }
}

// An instant, from the flow before it to the one after.
void ExactIsland::instant() {
    ++instants_;
    left_ = evaluate(now_, true);
    if (starting_) use_initial_values();
    pending_.clear();
    Instant::carry_out(*this);
    check_lengths();
    collect_watches();
}

void ExactIsland::fail_endless_commits(std::uint32_t) {
    RunFailure failure{
        .kind = ErrorKind::no_progress,
        .what = "time does not go on: the same instants come again and again at one time",
        .advice =
            "look for a condition that its own effect undoes; pre(...) or hysteresis may break the "
            "cycle",
        .show_inputs = true};
    if (!x_->branchers.empty()) failure.node = x_->branchers.front();
    if (x_->branchers.empty() && !x_->crossings.empty()) failure.node = x_->crossings.front();
    throw failure;
}

}  // namespace deltaflow::closed_form
