// Instants: what switches, the solve, the commit, and what follows an infinitesimal later (DESIGN 4).
#include "engine/limits.hpp"
#include "engine/run/due.hpp"
#include "engine/run/island.hpp"
#include "engine/solve/branch_walk.hpp"
#include "engine/solve/decide.hpp"
#include "engine/solve/finite.hpp"
#include "engine/solve/instant_rules.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

namespace deltaflow {

double Island::same_time(double t) const {
    return limits::same_time_ulps * rounding::unit * std::max(std::abs(t), 1e-300);
}

void Island::note_cause(NodeId n) {
    const NodeId origin = s_->origin[n];
    if (std::find(causes_.begin(), causes_.end(), origin) == causes_.end()) causes_.push_back(origin);
}

// Do the branches before the start agree with the flow that would go on from here?
bool Island::try_branches_before() {
    mark_active(now_);
    evaluate(left_, now_, std::max(1, m_->solver->program().left_order), true);
    bool agree = true;
    for (std::size_t i = 0; i < branchers_.size(); ++i) {
        const NodeId n = branchers_[i];
        const int from = branch_before_start(s_->d.nodes[n].op, s_->d.parameters_of(n), now_.branch[n]);
        wanted_[i] = decide_forward(left_, now_, n, from);
        agree = agree && wanted_[i] == now_.branch[n];
    }
    return agree;
}

// Tries configurations of branches until one agrees with itself; false: none does. A loop may have no
// solution under branches that are not in force: only if no branches agree that is an error.
template <class Try>
bool Island::find_branches(std::vector<std::int32_t>& branch, const Try& try_them) {
    if (branchers_.empty()) return try_them();
    BranchWalk walk(s_->d, branch, m_->looped_branchers);
    std::optional<RunFailure> first;
    for (bool more = true; more;) {
        try {
            if (try_them()) return true;
            more = walk.step(branch, branchers_, wanted_);
        } catch (const RunFailure& failure) {
            if (failure.loop.empty()) throw;
            if (!first) first = failure;
            more = walk.skip(branch);
        }
    }
    if (first) throw RunFailure(*first);
    return false;
}

void Island::settle_branches() {
    if (find_branches(now_.branch, [&] { return try_branches_before(); })) return;
    throw RunFailure{.kind = ErrorKind::no_progress,
                     .node = branchers_.front(),
                     .what = "no combination of branches agrees with its conditions at the start",
                     .advice = "look for decisions that contradict themselves, such as x = if(x, -1, 1)"};
}

void Island::take_due(NodeId n) {
    const Node& node = s_->d.nodes[n];
    note_cause(n);
    if (node.op == Primitive::schedule) {
        const Schedule& s = s_->d.schedules[node.extra];
        ScheduleCursor& cursor = cursors_[node.extra];
        const Breakpoint& p = s.points[cursor.index];
        after_.pieces[node.extra] = {p.value, p.slope, t_};
        arrivals_.add(n, p.impulses);
        cursor.step(s);
        if (!cursor.done(s)) agenda_.add(to_double(cursor.time(s)), n);
    } else if (node.op == Primitive::hold || node.op == Primitive::unit_delay) {
        arrivals_.ticking.push_back(n);
        Integer& tick = next_tick_[node.extra];
        agenda_.add(tick_time(s_->d.clocks[node.extra], ++tick), n);
    } else if (node.op == Primitive::delay) {
        const auto i =
            static_cast<std::size_t>(std::find(s_->delays.begin(), s_->delays.end(), n) - s_->delays.begin());
        if (const auto impulses = histories_[i].arrive(t_, 4 * same_time(t_)); !impulses.empty())
            arrivals_.add(n, impulses);
    }
}

void Island::take_due() {
    for (std::size_t taken = 0; agenda_.next() <= t_ + same_time(t_); ++taken) {
        const NodeId n = agenda_.pop().node;
        check_due(taken, s_->d.nodes.size(), n);
        take_due(n);
    }
}

// The left germ decides: zero now, and afterwards not on the side where it was. (In exact numbers that is
// an odd order of the first rung that is not zero; asking for the side is safe against rounding.)
void Island::fire_crossings() {
    for (std::size_t i = 0; i < s_->crossings.size(); ++i) {
        const NodeId n = s_->crossings[i], c = s_->d.inputs_of(n)[0];
        fired_[i] = 0;
        const int here = value_sign(left_, c, 0);
        if (here != 0) {
            crossing_sign_[i] = here;
            continue;
        }
        int zeros = 0;
        const int s = forward_sign(left_, now_, c, 0, &zeros);
        if (s == 0 || crossing_sign_[i] == 0) continue;
        // Roots against the direction make no instant: the side may have changed unseen.
        const double direction = s_->d.parameters_of(n)[0];
        const bool passes =
            zeros % 2 == 1 || std::any_of(located_.begin(), located_.end(),
                                          [&](const Located& l) { return l.passes && l.node == c; });
        fired_[i] = direction * s >= 0 && (crossing_sign_[i] == -s || (direction != 0 && passes));
        flat_[i] = zeros % 2 == 0;
        if (!fired_[i]) crossing_sign_[i] = passes ? -s : s;
    }
}

InstantInput Island::instant_input() {
    return {left_.rungs.a.data(),
            left_.rungs.stride,
            Bounded(t_, rounding::unit * std::abs(t_)),
            &now_,
            &after_,
            &stored_};
}

// States after the solve: what an impulse can reach, and the others as they were. A mode has states of its
// own: they are all taken over.
void Island::take_states() {
    x_.resize(s_->states.size());
    x_bound_.resize(s_->states.size());
    const auto& jumping = m_->solver->program().jumping;
    auto next = jumping.begin();
    for (const std::uint32_t i : m_->jumping_states) {
        const NodeId n = s_->states[i];
        const bool jumps = next != jumping.end() && *next == n;
        const Bounded& x = jumps ? m_->solver->right(n) : left_.rungs.at(n)[0];
        next += jumps;
        x_[i] = x.value;
        x_bound_[i] = x.bound;
    }
}

// One solve under the branches of after_; true if every branch agrees with its condition; wanted_ tells.
bool Island::try_branches() {
    const InstantInput in = instant_input();
    m_->solver->located.clear();
    for (const Located& l : located_) m_->solver->located.emplace_back(l.node, l.threshold);
    m_->solver->solve(in, guess_);
    take_states();
    for (const NodeId n : s_->sampled)
        if (m_->solver->is_ticking(n)) after_.held[n] = m_->solver->right(n).value;
    mark_active(after_);
    evaluate(right_, after_, 1, true);
    if (modes_) adopt_solved();
    bool agree = true;
    for (std::size_t i = 0; i < branchers_.size(); ++i) {
        const NodeId n = branchers_[i];
        wanted_[i] = after_.branch[n];
        if (!is_active(n)) continue;
        const NodeId c = s_->d.inputs_of(n)[0];
        const Bounded& value_now = m_->solver->right(c);
        const Primitive op = s_->d.nodes[n].op;
        wanted_[i] = deltaflow::decide(op, s_->d.parameters_of(n), now_.branch[n], [&](double x) {
            int here = sign(value_now - Bounded(x));
            if (!located_.empty() && is_located(c, x) && is_zero(value_now - left_.rungs.at(c)[0])) here = 0;
            return here != 0 || op == Primitive::hysteresis ? here : forward_sign(right_, after_, c, x);
        });
        agree = agree && wanted_[i] == after_.branch[n];
    }
    return agree;
}

// Solves until nothing contradicts, always from the same left germ.
void Island::resolve() {
    if (branchers_.empty()) {
        try_branches();
        return;
    }
    if (find_branches(after_.branch, [&] { return try_branches(); })) return;
    throw RunFailure{
        .kind = ErrorKind::no_progress,
        .node = branchers_.front(),
        .what = "no branch agrees with its condition here: the model slides along a switching surface",
        .advice = "use hysteresis instead of a sharp switch, or model the sliding motion itself",
        .show_inputs = true};
}

void Island::commit() {
    if (change_) check_change();
    if (!change_) commit_whole();
    std::swap(now_, after_);
    mode_ = after_mode_;
    landed_ = !change_;
    if (landed_) check_values();
}

void Island::commit_whole() {
    const InstantInput in = instant_input();
    m_->solver->check(in, active_);
    check_impulses();
    if (!trying_) store_history();
    for (const NodeId n : s_->sampled)
        if (s_->d.nodes[n].op == Primitive::unit_delay && m_->solver->is_ticking(n))
            stored_[n] = m_->solver->right(s_->d.inputs_of(n)[0]).value;
    branches_agree_ = false;
}

// What tells one instant from another: states, and what storages hold.
std::vector<double> Island::remembered() const {
    if (!modes_) return x_;
    std::vector<double> values;
    for (const NodeId n : modes_->memory()) values.push_back(right_.rungs.at(n)->value);
    return values;
}

// Delays pass on what happened: impulses, and a due time where the signal is not smooth.
void Island::store_history() {
    for (std::size_t i = 0; i < s_->delays.size(); ++i) {
        const NodeId u = s_->d.inputs_of(s_->delays[i])[0];
        std::vector<double> impulses;
        bool broken = false;
        for (int k = 0; k < impulse_rungs(s_->regularity[u]); ++k)
            impulses.push_back(m_->solver->impulse(u, k).value);
        while (!impulses.empty() && impulses.back() == 0) impulses.pop_back();
        broken = !impulses.empty();
        if (broken) histories_[i].append(History::Impulse{t_, impulses});
        for (int k = 0; k <= std::min(left_.order, right_.order) && !broken; ++k)
            broken = !is_zero(right_.rungs.at(u)[k] - left_.rungs.at(u)[k]);
        if (broken) agenda_.add(t_ + histories_[i].by(), s_->delays[i]);
    }
}

// Everything that counts must be finite: what a branch that is not taken makes of its inputs does not.
void Island::check_finite(const OneSidedGerm& g) const {
    for (const NodeId n : m_->computed)
        if (!std::isfinite(g.rungs.at(n)[0].value) && is_active(n)) throw not_finite(s_->d, n);
}

void Island::check_impulses() const {
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

void Island::check_values() {
    for (const std::uint32_t i : m_->jumping_states)
        if (!std::isfinite(x_[i]))
            throw RunFailure{.kind = ErrorKind::not_finite,
                             .node = s_->states[i],
                             .what = "a value is no longer finite",
                             .advice = "look for a division by zero or an overflow"};
    check_finite(right_);
    for (const NodeId n : s_->assertions) {
        if (!is_active(n) || forward_sign(right_, now_, s_->d.inputs_of(n)[0], 0) >= 0) continue;
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
bool Island::leaves_origin(NodeId n) {
    if (s_->d.nodes[n].op != Primitive::atan2) return false;
    int zeros = 0;
    return forward_sign(right_, now_, s_->d.inputs_of(n)[2], 0, &zeros) != 0 && zeros > 0;
}

// A crossing that fired at its zero and by its germ goes through. Should it have turned back, by less than
// rounding can tell? Its slope was turned round; or rounding has hidden the slope that an impulse acts on.
// Where it has turned back, a method without a series must be able to see how far it goes. `side`: where to.
bool Island::turns_unseen(std::size_t crossing, int side) {
    const NodeId c = s_->d.inputs_of(s_->crossings[crossing])[0];
    const double before = left_.rungs.at(c)[1].value, after = right_.rungs.at(c)[1].value;
    if (side == crossing_sign_[crossing]) {
        if (!m_->stepper || m_->stepper->has_series() || before * after >= 0 || ends_at(right_, c, 1))
            return false;
        if (right_.order < 2) evaluate(right_, now_, 2, false);
        const Bounded* rungs = right_.rungs.at(c);
        return after * rungs[2].value < 0 &&
               after * after <= limits::hidden_hop * std::abs(rungs[2].value) * rungs[0].bound;
    }
    return (before * after < 0 && after * side < 0) ||
           (flat_[crossing] && s_->regularity[c].r <= Regularity::C(0));
}

// Does the flow that now begins contradict a branch or a guard, or did a jump step over zero?
bool Island::something_new() {
    if (change_) return anything_fires();  // nothing else was reached
    if (modes_) settle_guard_branches();
    bool found = modes_ && anything_fires();
    for (const NodeId n : s_->branchers)
        if (is_active(n) && decide_forward(right_, now_, n) != now_.branch[n]) {
            found = true;
            note_cause(n);
        }
    for (std::size_t i = 0; i < s_->crossings.size(); ++i) {
        const NodeId n = s_->crossings[i], c = s_->d.inputs_of(n)[0];
        const int s = forward_sign(right_, now_, c, 0), before = crossing_sign_[i];
        const double direction = s_->d.parameters_of(n)[0];
        // What fired at a zero was that passage. A jump over zero is another one, also where the block fires.
        const bool passed = fired_[i] && value_sign(left_, c, 0) == 0;
        if (passed && turns_unseen(i, s)) unresolved_ = c;
        const bool jumped = !passed && t_ > settings_.start && before != 0 && s == -before;
        crossing_sign_[i] = side_after(s, before, passed);
        pending_[i] = jumped && direction * s >= 0;
        if (!pending_[i]) continue;
        found = true;
        note_cause(n);
    }
    return found;
}

// What comes from outside, for the solver of the mode at hand; branches as the left germ has them.
void Island::begin_solve() {
    m_->solver->clear_sources();
    for (const auto& i : arrivals_.impulses) m_->solver->set_source(i.node, arrivals_.of(i));
    for (const NodeId n : arrivals_.ticking) m_->solver->set_ticking(n);
    if (!s_->delays.empty()) {
        std::vector<double> rungs(m_->solver->program().right_rungs + 1);
        for (std::size_t i = 0; i < s_->delays.size(); ++i) {
            histories_[i].rungs(t_, false, rungs);
            m_->solver->set_right(s_->delays[i], rungs, t_);
        }
    }
    for (const NodeId n : s_->branchers) {
        after_.branch[n] = decide_forward(left_, now_, n);
        if (after_.branch[n] != now_.branch[n]) note_cause(n);
    }
}

namespace {

// All that decides what follows at the same time: branches, states and mode after a commit, the sides on
// which crossings saw their inputs, and which of them are to fire.
using Situated = std::tuple<std::vector<std::int32_t>, std::vector<double>, bonds::Mode,
                            std::vector<std::int32_t>, std::vector<std::uint8_t>>;

template <class T>
void hash_in(std::size_t& hash, const std::vector<T>& list) {
    for (const T& x : list) hash = hash * 1099511628211u ^ std::hash<T>()(x);
}

// Situations at one time, each with its hash.
using Seen = std::vector<std::pair<std::size_t, Situated>>;

// Has this been here before? From now on it has.
bool comes_again(Seen& seen, Situated here) {
    std::size_t hash = 0;
    hash_in(hash, std::get<0>(here));
    hash_in(hash, std::get<1>(here));
    hash_in(hash, std::get<2>(here));
    hash_in(hash, std::get<3>(here));
    hash_in(hash, std::get<4>(here));
    const auto is_here = [&](const auto& known) { return known.first == hash && known.second == here; };
    if (std::any_of(seen.begin(), seen.end(), is_here)) return true;
    seen.emplace_back(hash, std::move(here));
    return false;
}

}  // namespace

// A crossing fires one delta.
constexpr double one_delta[] = {1.0};

// All commits at one time: index 0 at t, then what follows at t + epsilon, t + 2 epsilon ...
void Island::instant() {
    ++instants_;
    const bool at_start = starting_;
    const std::size_t events = recorder_.events.size();
    branches_agree_ = leaving_known_ = false;
    evaluate(left_, now_, std::max(1, m_->solver->program().left_order), true);
    respect_located();
    if (!starting_) {
        check_finite(left_);
        check_poles();
    }
    if (starting_ && modes_) ledger_.stored_at_start = stored_energy(left_);
    const Stepper* const stepper = m_->stepper.get();
    note_met();
    const bool doubtful = modes_ && mode_.size() > 1 && order_trials_ < limits::order_trials && !plain_pre_ &&
                          settings_.simultaneous == Simultaneous::all;
    std::optional<Situation> before;
    if (doubtful) before = situation();
    several_fired_ = false;
    if (log_) tell_instant();
    try {
        run_instant(true);
    } catch (const RunFailure& failure) {
        if (log_) tell_failure(failure);
        throw;
    }
    if (log_) tell_end(at_start, events);
    if (doubtful && several_fired_) warn_if_order_matters(*before, arrived_);
    ready_to_flow();
    begin_to_follow_loops();
    collect_watches();
    keep_fresh(stepper);
    located_.clear();
    note_resting();
}

// `due`: sources and clocks bring something; else what they brought is there already.
void Island::run_instant(bool due) {
    Seen seen;
    switches_.clear();
    unresolved_ = no_node;
    for (std::uint32_t epsilon = 0;; ++epsilon) {
        if (!now_.empty()) after_ = now_;
        arrivals_.clear();
        if (epsilon == 0 && due) {
            take_due();
            if (modes_ || log_) {  // they may look again
                arrived_ = arrivals_;
                arrived_pieces_ = after_.pieces;
            }
            fire_crossings();
        } else if (epsilon == 0) {
            arrivals_ = arrived_;
            after_.pieces = arrived_pieces_;
            fire_crossings();
        } else {
            fired_ = pending_;
        }
        std::fill(pending_.begin(), pending_.end(), 0);
        for (std::size_t i = 0; i < s_->crossings.size(); ++i)
            if (fired_[i]) {
                arrivals_.add(s_->crossings[i], one_delta);
                note_cause(s_->crossings[i]);
            }
        solve_modes(epsilon);
        if (epsilon == 0 && after_mode_ != mode_) first_committed_ = after_mode_;
        commit();
        if (!trying_) {
            record_event(epsilon, true);
            account_for_instant(epsilon);
            if (log_) tell_commit();
        }
        causes_.clear();
        std::erase_if(located_, [&](const Located& l) {
            return !is_zero(right_.rungs.at(l.node)[0] - left_.rungs.at(l.node)[0]);
        });
        starting_ = false;
        if (!something_new()) {
            if (modes_) land();
            if (modes_) check_kept();
            break;
        }
        Situated here{now_.branch, remembered(), mode_, crossing_sign_, pending_};
        if (comes_again(seen, std::move(here)) || epsilon > limits::commits_at_a_time)
            fail_endless_commits(epsilon);
        std::swap(left_, right_);
        if (const int order = std::max(1, m_->solver->program().left_order); landed_ && left_.order < order)
            evaluate(left_, now_, order, false);
    }
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

// What a signal does at this instant: whether its value jumps, and how many impulses it has.
struct Island::Doing {
    bool jumps;
    int impulses;
    bool anything() const { return jumps || impulses > 0; }
};

// What is rounding only is nothing. Before the start there need not be a value.
Island::Doing Island::doing(NodeId n) const {
    const Bounded& left = left_.rungs.at(n)[0];
    const Bounded& right = right_.rungs.at(n)[0];
    int impulses = impulse_count(n);
    while (impulses > 0 && is_zero(impulse(n, impulses - 1))) --impulses;
    return {right.value != left.value && !is_zero(right - left) && std::isfinite(left.value), impulses};
}

void Island::record_jump(const System::Output& output) {
    const Doing what = doing(output.node);
    if (!what.anything()) return;
    const double left = left_.rungs.at(output.node)[0].value, right = right_.rungs.at(output.node)[0].value;
    Jump& jump = recorder_.jumps.emplace_back();
    jump.signal = output.signal;
    jump.left = what.jumps ? left : right;
    jump.right = right;
    jump.first_impulse = static_cast<std::uint32_t>(recorder_.impulses.size());
    jump.impulse_count = static_cast<std::uint32_t>(what.impulses);
    for (int i = 0; i < what.impulses; ++i) {
        const Bounded strength = impulse(output.node, i);
        recorder_.impulses.push_back(is_zero(strength) ? 0 : strength.value);
    }
}

// An event is there also where only signals that are not shown do something: events of other islands at the
// same time become one with it. What a mythical mode makes of them nobody else looks at.
void Island::record_event(std::uint32_t epsilon, bool committed) {
    const auto first = recorder_.jumps.size();
    for (const auto& output : s_->outputs)
        if (output.shown || !committed) record_jump(output);
    const bool switched = modes_ && (!committed || mode_ != recorded_mode_);
    if (recorder_.jumps.size() == first && !switched &&
        std::none_of(s_->outputs.begin(), s_->outputs.end(),
                     [&](const auto& output) { return !output.shown && doing(output.node).anything(); }) &&
        std::none_of(s_->named.begin(), s_->named.end(), [&](NodeId n) { return doing(n).anything(); }))
        return;
    Event& event = recorder_.events.emplace_back();
    event.t = t_;
    event.epsilon = epsilon;
    event.index = index_;
    event.committed = committed;
    event.first_jump = static_cast<std::uint32_t>(first);
    event.jump_count = static_cast<std::uint32_t>(recorder_.jumps.size() - first);
    event.first_cause = static_cast<std::uint32_t>(recorder_.causes.size());
    recorder_.causes.insert(recorder_.causes.end(), causes_.begin(), causes_.end());
    event.cause_count = static_cast<std::uint32_t>(causes_.size());
    if (modes_) {
        event.first_mode = static_cast<std::uint32_t>(recorder_.modes.size());
        recorder_.modes.insert(recorder_.modes.end(), after_mode_.begin(), after_mode_.end());
        if (committed) recorded_mode_ = mode_;
    }
    ++recorder_.statistics.events;
}

}  // namespace deltaflow
