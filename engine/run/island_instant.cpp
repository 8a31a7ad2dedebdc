// Instants: what switches, the solve, the commit, and what follows an infinitesimal later (DESIGN 4).
#include "engine/limits.hpp"
#include "engine/run/due.hpp"
#include "engine/run/ideal.hpp"
#include "engine/run/instant.hpp"
#include "engine/run/island.hpp"
#include "engine/solve/branch_walk.hpp"
#include "engine/solve/decide.hpp"
#include "engine/solve/finite.hpp"
#include "engine/solve/instant_rules.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace deltaflow {

double IslandGerms::same_time(double t) const {
    return limits::same_time_ulps * rounding::unit * std::max(std::abs(t), 1e-300);
}

void Island::note_cause(NodeId n) {
    const NodeId origin = s_->origin[n];
    if (std::find(causes_.begin(), causes_.end(), origin) == causes_.end()) causes_.push_back(origin);
}

// Do the branches before the start agree with the flow that would go on from here?
bool Island::try_branches_before() {
    mark_active(state_.now);
    evaluate(state_.left, state_.now, std::max(1, m_->solver->program().left_order), true);
    bool agree = true;
    for (std::size_t i = 0; i < branchers_.size(); ++i) {
        const NodeId n = branchers_[i];
        const int from = branch_before_start(s_->d.nodes[n].op, s_->d.parameters_of(n), state_.now.branch[n]);
        wanted_[i] = decide_forward(state_.left, state_.now, n, from);
        agree = agree && wanted_[i] == state_.now.branch[n];
    }
    return agree;
}

void Island::settle_branches() {
    Trial before = trial(state_.left, state_.now);
    before.solves = [&] { return try_branches_before(); };
    if (find_situation(before)) return;
    throw RunFailure{.kind = ErrorKind::no_progress,
                     .node = first_brancher(),
                     .what = "no combination of branches agrees with its conditions at the start",
                     .advice = "look for decisions that contradict themselves, such as x = if(x, -1, 1)"};
}

void Island::take_due(NodeId n) {
    const Node& node = s_->d.nodes[n];
    if (node.op == Primitive::schedule && s_->d.schedules[node.extra].timer) return;
    note_cause(n);
    if (node.op == Primitive::schedule && s_->d.schedules[node.extra].fed > 0) {
        take_fed(n);
    } else if (node.op == Primitive::schedule) {
        const Schedule& s = s_->d.schedules[node.extra];
        ScheduleCursor& cursor = state_.cursors[node.extra];
        const Breakpoint& p = s.points[cursor.index];
        state_.after.pieces[node.extra] = {cursor.value(s), p.slope, state_.t};
        arrivals_.add(n, p.impulses);
        cursor.step(s);
        if (!cursor.done(s)) state_.agenda.add(to_double(cursor.time(s)), n);
    } else if (node.op == Primitive::hold || node.op == Primitive::unit_delay) {
        arrivals_.ticking.push_back(n);
        Integer& tick = state_.next_tick[node.extra];
        state_.agenda.add(tick_time(s_->d.clocks[node.extra], ++tick), n);
    } else if (node.op == Primitive::delay) {
        const auto i =
            static_cast<std::size_t>(std::find(s_->delays.begin(), s_->delays.end(), n) - s_->delays.begin());
        if (const auto impulses = state_.histories[i].arrive(state_.t, 4 * same_time(state_.t));
            !impulses.empty())
            arrivals_.add(n, impulses);
    }
}

void Island::take_fed(NodeId n) {
    const Fed fed = take_all(state_.fed, n);
    if (fed.value) state_.after.pieces[s_->d.nodes[n].extra] = {*fed.value, 0, state_.t};
    arrivals_.add(n, fed.impulses);
}

void Island::take_due() {
    for (std::size_t taken = 0; state_.agenda.next() <= state_.t + same_time(state_.t); ++taken) {
        const NodeId n = state_.agenda.pop().node;
        check_due(taken, s_->d.nodes.size(), n);
        take_due(n);
    }
    move_pasts(arrivals_);
}

// The left germ decides: zero now, and afterwards not on the side where it was. (In exact numbers that is
// an odd order of the first rung that is not zero; asking for the side is safe against rounding.)
void IslandGerms::fire_by_left_germ() {
    for (std::size_t i = 0; i < s_->crossings.size(); ++i) {
        const NodeId n = s_->crossings[i], c = s_->d.inputs_of(n)[0];
        state_.fired[i] = 0;
        if (s_->d.nodes[n].is_trigger()) {
            state_.crossing_sign[i] = side_before(c);
            continue;
        }
        const int here = value_sign(state_.left, c, 0);
        if (here != 0) {
            state_.crossing_sign[i] = here;
            continue;
        }
        int zeros = 0;
        const int s = forward_sign(state_.left, state_.now, c, 0, &zeros);
        if (s == 0 || state_.crossing_sign[i] == 0) continue;
        // Roots against the direction make no instant: the side may have changed unseen.
        const double direction = s_->d.parameters_of(n)[0];
        const bool passes =
            zeros % 2 == 1 || std::any_of(state_.located.begin(), state_.located.end(),
                                          [&](const Located& l) { return l.passes && l.node == c; });
        state_.fired[i] = direction * s >= 0 && (state_.crossing_sign[i] == -s || (direction != 0 && passes));
        state_.flat[i] = zeros % 2 == 0;
        if (!state_.fired[i]) state_.crossing_sign[i] = passes ? -s : s;
    }
}

namespace {
constexpr double one_delta[] = {1.0};
}

// By the left germ at t; then those whose inputs have jumped over zero.
void Island::fire_crossings(bool first) {
    if (first) {
        arrived_ = !arrivals_.empty();
        fire_by_left_germ();
    } else {
        state_.fired = state_.pending;
    }
    std::fill(state_.pending.begin(), state_.pending.end(), 0);
    for (std::size_t i = 0; i < s_->crossings.size(); ++i) {
        if (!state_.fired[i]) continue;
        arrivals_.add(s_->crossings[i], one_delta);
        note_cause(s_->crossings[i]);
    }
}

InstantInput IslandGerms::instant_input() {
    return {state_.left.rungs.a.data(),
            state_.left.rungs.stride,
            Bounded(state_.t, rounding::unit * std::abs(state_.t)),
            &state_.now,
            &state_.after,
            &state_.stored};
}

// States after the solve: what an impulse can reach, and the others as they were. A mode has states of its
// own: they are all taken over.
void IslandGerms::take_states() {
    state_.x.resize(s_->states.size());
    state_.x_bound.resize(s_->states.size());
    const auto& jumping = m_->solver->program().jumping;
    auto next = jumping.begin();
    for (const std::uint32_t i : m_->jumping_states) {
        const NodeId n = s_->states[i];
        const bool jumps = next != jumping.end() && *next == n;
        const Bounded& x = jumps ? m_->solver->right(n) : state_.left.rungs.at(n)[0];
        next += jumps;
        state_.x[i] = x.value;
        state_.x_bound[i] = x.bound;
    }
    bound_anew();
}

// One solve under the branches of state_.after; true if every branch agrees with its condition; wanted_
// tells.
bool Island::try_branches() {
    const InstantInput in = instant_input();
    m_->solver->located.clear();
    for (const Located& l : state_.located) m_->solver->located.emplace_back(l.node, l.threshold);
    m_->solver->solve(in, state_.guess);
    take_states();
    for (const NodeId n : s_->sampled)
        if (m_->solver->is_ticking(n)) state_.after.held[n] = m_->solver->right(n).value;
    mark_active(state_.after);
    evaluate(state_.right, state_.after, 1, true);
    if (modes_) adopt_solved();
    bool agree = true;
    for (std::size_t i = 0; i < branchers_.size(); ++i) {
        const NodeId n = branchers_[i];
        wanted_[i] = state_.after.branch[n];
        if (!is_active(n)) continue;
        const NodeId c = s_->d.inputs_of(n)[0];
        const Bounded& value_now = m_->solver->right(c);
        const Primitive op = s_->d.nodes[n].op;
        wanted_[i] = deltaflow::decide(op, s_->d.parameters_of(n), state_.now.branch[n], [&](double x) {
            int here = sign(value_now - Bounded(x));
            if (!state_.located.empty() && is_located(c, x) &&
                is_zero(value_now - state_.left.rungs.at(c)[0]))
                here = 0;
            return here != 0 || op == Primitive::hysteresis ? here
                                                            : forward_sign(state_.right, state_.after, c, x);
        });
        agree = agree && wanted_[i] == state_.after.branch[n];
    }
    return agree;
}

// Solves until nothing contradicts, always from the same left germ.
void Island::resolve() {
    Trial solved = trial(state_.right, state_.after);
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

void Island::commit() {
    if (change_) check_change();
    if (!change_) commit_whole();
    if (!change_ && !s_->contradicting.empty())
        refuse_contradiction(modes_->graph(), s_->contradicting, state_.after_mode, starting_,
                             [&](NodeId n) { return solved_sign(n); });
    std::swap(state_.now, state_.after);
    state_.mode = state_.after_mode;
    landed_ = !change_;
    if (landed_) check_values();
}

void Island::commit_whole() {
    const InstantInput in = instant_input();
    m_->solver->check(in, state_.active);
    check_impulses();
    store_history();
    for (const NodeId n : s_->sampled)
        if (s_->d.nodes[n].op == Primitive::unit_delay && m_->solver->is_ticking(n))
            state_.stored[n] = m_->solver->right(s_->d.inputs_of(n)[0]).value;
    branches_agree_ = false;
}

// What tells one instant from another: states, and what storages hold.
std::vector<double> IslandGerms::remembered() const {
    if (!modes_) return state_.x;
    std::vector<double> values;
    for (const NodeId n : modes_->memory()) values.push_back(state_.right.rungs.at(n)->value);
    return values;
}

// Delays pass on what happened: impulses, and a due time where the signal is not smooth.
void IslandGerms::store_history() {
    for (std::size_t i = 0; i < s_->delays.size(); ++i) {
        const NodeId u = s_->d.inputs_of(s_->delays[i])[0];
        std::vector<double> impulses;
        for (int k = 0; k < impulse_rungs(s_->regularity[u]); ++k)
            impulses.push_back(m_->solver->impulse(u, k).value);
        while (!impulses.empty() && impulses.back() == 0) impulses.pop_back();
        bool broken = !impulses.empty();
        if (broken) state_.histories[i].append(History::Impulse{state_.t, impulses});
        for (int k = 0; k <= std::min(state_.left.order, state_.right.order) && !broken; ++k)
            broken = !is_zero(state_.right.rungs.at(u)[k] - state_.left.rungs.at(u)[k]);
        if (broken) state_.histories[i].seal();
        if (broken) state_.agenda.add(state_.t + state_.histories[i].by(), s_->delays[i]);
    }
}

// Everything that counts must be finite: what a branch that is not taken makes of its inputs does not.
void IslandGerms::check_finite(const OneSidedGerm& g) const {
    const auto is_bad = [&](NodeId n) { return !std::isfinite(g.rungs.at(n)[0].value) && is_active(n); };
    require_finite(s_->d, m_->computed, is_bad);
}

void IslandGerms::check_impulses() const {
    for (const RungStep& step : m_->solver->program().steps) {
        if (step.kind != RungKind::impulse || !is_active(step.node)) continue;
        if (std::isfinite(m_->solver->impulse(step.node, step.order).value)) continue;
        throw RunFailure{.kind = ErrorKind::not_finite,
                         .node = step.node,
                         .what = "an impulse is not finite",
                         .advice = "look for a division by zero or an overflow before it",
                         .show_inputs = true};
    }
}

void IslandGerms::check_values() {
    for (const std::uint32_t i : m_->jumping_states)
        if (!std::isfinite(state_.x[i]))
            throw RunFailure{.kind = ErrorKind::not_finite,
                             .node = s_->states[i],
                             .what = "a value is no longer finite",
                             .advice = "look for a division by zero or an overflow"};
    check_finite(state_.right);
    for (const NodeId n : s_->assertions) {
        if (!is_active(n) || forward_sign(state_.right, state_.now, s_->d.inputs_of(n)[0], 0) >= 0) continue;
        if (s_->d.nodes[n].ends_run()) {
            state_.terminated = true;
            continue;
        }
        throw RunFailure{.kind = ErrorKind::assertion,
                         .node = n,
                         .what = s_->d.messages[s_->d.nodes[n].extra],
                         .show_inputs = true};
    }
    for (const NodeId n : s_->singular)
        if (is_active(n) && s_->germ.offset[n] != not_needed && leaves_origin(n))
            throw RunFailure{.kind = ErrorKind::not_finite,
                             .node = n,
                             .what = "atan2 has no value at the origin: both inputs are zero",
                             .advice = "keep the input away from the singular point",
                             .show_inputs = true};
}

// An angle that the point (0, 0) does not have; only one that stays there has none for good, and reads 0.
bool IslandGerms::leaves_origin(NodeId n) {
    if (s_->d.nodes[n].op != Primitive::atan2) return false;
    int zeros = 0;
    return forward_sign(state_.right, state_.now, s_->d.inputs_of(n)[2], 0, &zeros) != 0 && zeros > 0;
}

// Does the flow that now begins contradict a branch or a guard, or did a jump step over zero?
bool Island::something_new() {
    if (change_) return anything_fires();  // nothing else was reached
    if (modes_) settle_guard_branches();
    bool found = modes_ && anything_fires();
    for (const NodeId n : s_->branchers)
        if (is_active(n) && decide_forward(state_.right, state_.now, n) != state_.now.branch[n]) {
            found = true;
            note_cause(n);
        }
    for (const HeldSurface& h : s_->held)
        if (h.leads && leaves_surface(h, state_.right, state_.now)) {
            found = true;
            note_cause(h.block);
        }
    for (std::size_t i = 0; i < s_->crossings.size(); ++i) {
        const NodeId n = s_->crossings[i], c = s_->d.inputs_of(n)[0];
        const int sign = forward_sign(state_.right, state_.now, c, 0), before = state_.crossing_sign[i];
        const bool trigger = s_->d.nodes[n].is_trigger();
        const int s = trigger && sign == 0 ? 1 : sign;
        const double direction = s_->d.parameters_of(n)[0];
        // What fired at a zero was that passage. A jump over zero is another one, also where the block fires.
        const bool passed = !trigger && state_.fired[i] && value_sign(state_.left, c, 0) == 0;
        if (passed) note_hidden_turn(i, s);
        const bool jumped = !passed && state_.t > settings_.start && before != 0 && s == -before;
        state_.crossing_sign[i] = side_after(s, before, passed);
        const bool struck = trigger && s_->d.parameters_of(n)[1] > 1 && m_->solver->carries_impulse(c);
        state_.pending[i] = (jumped && direction * s >= 0) || struck;
        if (!state_.pending[i]) continue;
        found = true;
        note_cause(n);
    }
    return found;
}

// What comes from outside, for the solver of the system at hand.
void Island::feed_solver() {
    m_->solver->clear_sources();
    for (const auto& i : arrivals_.impulses) m_->solver->set_source(i.node, arrivals_.of(i));
    for (const NodeId n : arrivals_.ticking) m_->solver->set_ticking(n);
    if (!s_->delays.empty()) {
        std::vector<double> rungs(m_->solver->program().right_rungs + 1);
        for (std::size_t i = 0; i < s_->delays.size(); ++i) {
            state_.histories[i].rungs(state_.t, false, rungs);
            m_->solver->set_right(s_->delays[i], rungs, state_.t);
        }
    }
}

// Branches as the left germ has them.
void Island::begin_solve() {
    feed_solver();
    for (const NodeId n : s_->branchers) {
        state_.after.branch[n] = decide_forward(state_.left, state_.now, n);
        if (state_.after.branch[n] != state_.now.branch[n]) note_cause(n);
    }
}

namespace {

template <class T>
void hash_in(std::size_t& hash, const std::vector<T>& list) {
    for (const T& x : list) hash = hash * 1099511628211u ^ std::hash<T>()(x);
}

}  // namespace

Island::Situation Island::situation() const {
    Situation here{0,           state_.now.branch,    state_.now.slides, remembered(),
                   state_.mode, state_.crossing_sign, state_.pending};
    hash_in(here.hash, here.branch);
    hash_in(here.hash, here.remembered);
    hash_in(here.hash, here.mode);
    hash_in(here.hash, here.sides);
    hash_in(here.hash, here.pending);
    return here;
}

// An instant, from the flow before it to the one after.
void Island::instant() {
    ++state_.instants;
    const bool at_start = starting_;
    const std::size_t events = recorder_.events.size();
    branches_agree_ = leaving_known_ = false;
    evaluate(state_.left, state_.now, std::max(1, m_->solver->program().left_order), true);
    respect_held();
    respect_located();
    if (!starting_) {
        check_finite(state_.left);
        check_poles();
    }
    if (starting_ && modes_) ledger_.stored_at_start = stored_energy(state_.left);
    const Stepper* const stepper = m_->stepper.get();
    note_met();
    const bool doubtful = modes_ && modes_->graph().automata.size() > 1 &&
                          state_.order_trials < limits::order_trials && !plain_pre_ &&
                          settings_.simultaneous == Simultaneous::all;
    std::optional<State> before;
    if (doubtful) before = state_;
    const System* const system = s_;
    several_fired_ = false;
    if (log_) tell_instant();
    try {
        run_instant();
    } catch (const RunFailure& failure) {
        give_up(failure);
        throw;
    }
    if (log_) tell_end(at_start, events);
    if (doubtful && several_fired_) warn_if_order_matters(*before, system);
    if (s_->released) return_to_surfaces();
    forget_some_systems();
    ready_to_flow();
    begin_to_follow_loops();
    collect_watches();
    keep_fresh(stepper);
    state_.located.clear();
    note_resting();
}

void Island::run_instant() {
    switches_.clear();
    unresolved_ = no_node;
    // What somebody does after an instant, at the same time, comes behind it.
    goes_behind_ = !state_.fed.empty() && state_.t == state_.last_instant;
    first_epsilon_ = goes_behind_ ? state_.epsilons : 0;
    Instant::carry_out(*this);
}

void Island::begin_commit() {
    if (!state_.now.empty()) state_.after = state_.now;
    arrivals_.clear();
}

// What one commit does, for those who look; what is behind it.
void Island::tell(std::uint32_t epsilon) {
    if (!trying_) {
        record_event(epsilon, true);
        record_slides();
        account_for_instant(epsilon);
        if (log_) tell_commit();
        if (!met_.empty()) gather_germs(epsilon == 0 && !goes_behind_);
    }
    passed_.reset();
    causes_.clear();
    std::erase_if(state_.located, [&](const Located& l) {
        // A weight of what slides on one side only.
        if (!state_.left.rungs.has(l.node) || !state_.right.rungs.has(l.node)) return true;
        return !is_zero(state_.right.rungs.at(l.node)[0] - state_.left.rungs.at(l.node)[0]);
    });
    starting_ = false;
    state_.last_instant = state_.t;
    state_.epsilons = first_epsilon_ + epsilon + 1;
}

// Nothing more happens at this time.
void Island::settle() {
    if (!modes_) return;
    land();
    check_kept();
    note_timers();
}

// What was right of one commit is left of the next.
void Island::go_on() {
    std::swap(state_.left, state_.right);
    const int order = std::max(1, m_->solver->program().left_order);
    if (landed_ && state_.left.order < order) evaluate(state_.left, state_.now, order, false);
}

void Island::fail_endless_commits(std::uint32_t epsilon) {
    RunFailure failure{
        .kind = ErrorKind::no_progress,
        .what = "time does not go on: the same instants come again and again at one time",
        .advice =
            "look for a condition that its own effect undoes; pre(...) or hysteresis may break the "
            "cycle",
        .show_inputs = true};
    if (!s_->branchers.empty()) failure.node = s_->branchers.front();
    if (s_->branchers.empty() && !s_->crossings.empty()) failure.node = s_->crossings.front();
    if (modes_) failure.notes = cycle_notes(epsilon);
    throw failure;
}

}  // namespace deltaflow
