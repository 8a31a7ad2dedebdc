// The flow between instants: steps and samples.
#include "engine/limits.hpp"
#include "engine/run/ideal.hpp"
#include "engine/run/island.hpp"
#include "engine/solve/decide.hpp"
#include "engine/solve/finite.hpp"
#include "engine/solve/steppers/stiffness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace deltaflow {

namespace {

// How far delayed signals stay on one piece of their past.
double horizon(const std::vector<History>& histories, double t) {
    double limit = HUGE_VAL;
    for (const History& h : histories) limit = std::min(limit, h.horizon(t));
    return limit;
}

}  // namespace

// Solutions of loops are followed from the beginning of a flow on.
void Island::begin_to_follow_loops() {
    if (!s_->output.loops.empty()) show(state_.x, state_.t);
    if (!s_->conditions.loops.empty()) evaluate_conditions(state_.x, state_.t);
}

// Newton begins where the series of the step has the unknowns, so what it finds does not depend on where
// samples are taken.
void IslandGerms::predict_loops(double s) {
    if (!m_->stepper->has_series()) return;
    for (const NodeId n : m_->looped)
        if (is_active(n)) state_.guess[n] = horner(m_->stepper->series(n), s);
}

// Evaluates what is shown; gives the first block that is not finite.
NodeId Island::show(std::span<const double> x, double t) {
    for (std::size_t i = 0; i < s_->states.size(); ++i) *m_->output.at(s_->states[i]) = x[i];
    fill(m_->output, t, static_cast<int>(m_->output.stride));
    const Frame<double> f{m_->output.a.data(), m_->output.stride, &s_->d, &state_.now, t};
    try {
        execute(s_->output, m_->output_work, f, -s_->output.highest, 0);
    } catch (RunFailure& failure) {
        failure.t = t;
        throw;
    }
    return first_not_finite(s_->output, f, state_.active.empty() ? nullptr : &state_.active);
}

// The same at s of the step. `good` is where that is known already: what cannot be followed from there at
// once is followed in two halves.
NodeId Island::show_at(double s, double good) {
    m_->stepper->states(s, scratch_);
    predict_loops(s);
    for (std::size_t i = 0; i < scratch_.size(); ++i)
        if (!std::isfinite(scratch_[i])) return s_->states[i];
    try {
        return show(scratch_, state_.t + s);
    } catch (const RunFailure& failure) {
        if (failure.loop.empty() || m_->stepper->has_series() || s - good <= same_time(state_.t + s)) throw;
    }
    const double middle = 0.5 * (good + s);
    show_at(middle, good);
    return show_at(s, middle);
}

// Within a step: all is finite at `good` and not any more at `bad`. The run ends where that happens.
void Island::fail_between(double good, double bad) {
    while (bad - good > same_time(state_.t + bad)) {
        const double middle = 0.5 * (good + bad);
        if (middle <= good || middle >= bad) break;
        (show_at(middle, good) == no_node ? good : bad) = middle;
    }
    const NodeId node = show_at(bad, good);
    RunFailure failure =
        not_finite(Frame<double>{m_->output.a.data(), m_->output.stride, &s_->d, &state_.now}, node);
    failure.t = state_.t + bad;
    throw failure;
}

// `good`: how far into the step all is known to be finite; below 0 there is no step.
void Island::write_sample(NodeId node, double t, double good) {
    if (node != no_node) {
        if (good >= 0) fail_between(good, t - state_.t);
        RunFailure failure =
            not_finite(Frame<double>{m_->output.a.data(), m_->output.stride, &s_->d, &state_.now}, node);
        failure.t = t;
        throw failure;
    }
    for (std::size_t i = 0; i < s_->outputs.size(); ++i)
        samples_.columns[i].push_back(*m_->output.at(s_->outputs[i].node));
}

// False if there are more than can be handed on at a time: those go on where the last of them was.
bool Island::sample_some_before(double t_end) {
    const double limit = t_end - same_time(t_end);
    const std::size_t first = state_.next_sample;
    double good = first > 0 ? std::max(0.0, sample_times_[first - 1] - state_.t) : 0;
    while (state_.next_sample < sample_times_.size() && sample_times_[state_.next_sample] < limit) {
        if (state_.next_sample - first == limits::samples_in_a_part) return false;
        const double ts = sample_times_[state_.next_sample], s = std::max(0.0, ts - state_.t);
        write_sample(show_at(s, good), ts, good);
        good = s;
        ++state_.next_sample;
    }
    return true;
}

void Island::sample_before(double t_end) {
    while (!sample_some_before(t_end)) {
    }
}

double Island::sampled_to() const {
    if (!at_hand_ || state_.next_sample == 0) return state_.t;
    return std::max(state_.t, sample_times_[state_.next_sample - 1]);
}

// A sample at the very time of an instant is the right limit.
void Island::sample_here() {
    while (state_.next_sample < sample_times_.size() &&
           sample_times_[state_.next_sample] <= state_.t + same_time(state_.t)) {
        write_sample(show(state_.x, state_.t), state_.t, -1);
        ++state_.next_sample;
    }
}

// Samples at this very time that nobody has yet are taken once more, behind what comes.
void Island::sample_again() {
    std::size_t& next = state_.next_sample;
    while (next > samples_.first && sample_times_[next - 1] >= state_.t - same_time(state_.t)) --next;
    samples_.rewind(next);
}

std::vector<double> Island::values_at_end(double t) {
    // It may not have begun, or have failed while another mode was tried.
    if (!m_ || state_.x.size() != s_->states.size() || state_.mode != state_.after_mode) return {};
    const double within = state_.zeno_stop ? 0 : t - state_.t;
    try {
        if ((!(within > 0) || show_at(within, 0) != no_node) && show(state_.x, state_.t) != no_node)
            return {};
    } catch (const RunFailure&) {
        return {};
    }
    std::vector<double> values;
    for (const System::Output& output : s_->outputs) values.push_back(*m_->output.at(output.node));
    return values;
}

// How far rounding has come in a state: what a step brings and, where the state rests, what it had before.
double IslandGerms::bound_after(std::uint32_t i, double h) const {
    const double bound = m_->stepper->rounding(i, h);
    const bool rests = i < state_.resting.size() && state_.x[i] == state_.resting[i];
    return rests ? std::max(bound, state_.x_bound[i]) : bound;
}

// Moves on; only an instant asks how far rounding has come.
void Island::finish_step(double h, double t_next, bool instant_follows) {
    if (m_->outputs_may_overflow && show_at(h, 0) != no_node) fail_between(0, h);
    predict_loops(h);
    m_->stepper->finish(h, state_.x);
    for (std::size_t i = 0; i < state_.x.size() && !m_->stepper->checks_states(); ++i) {
        if (std::isfinite(state_.x[i])) continue;
        if (m_->stepper->has_series()) fail_between(0, h);
        throw RunFailure{.kind = ErrorKind::not_finite,
                         .node = s_->states[i],
                         .what = "a value is no longer finite",
                         .advice = "the solution blows up; look for a pole or an unstable loop"};
    }
    if (instant_follows)
        for (const std::uint32_t i : m_->seen_states) state_.x_bound[i] = bound_after(i, h);
    state_.t = t_next;
    ++recorder_.statistics.steps;
    if (!s_->held.empty() && !instant_follows) return_to_surfaces();
}

// A step up to its first root, or to its end, as far as the equations confirm it.
Island::Step Island::confirmed_step(double h_max) {
    Step step{m_->stepper->step(state_.t, state_.x, h_max).h};
    while (true) {
        step.root = first_event(step.h);
        if (!step.root) step.root = hidden_root(step.h);
        if (step.h < h_max && ends_in_doubt(step.h)) {
            step.h *= limits::away_from_root;
            if (step.root) step.root = first_event(step.h);
        }
        const double end = step.root ? step.root->at * (1 - limits::before_root) : step.h;
        const double good = m_->stepper->confirmed(end);
        if (good < end) {
            step.h = good;
            continue;
        }
        if (step.root) step.root->at = std::min(polished(*step.root), step.h);
        if (!m_->stepper->has_series() && !s_->conditions.loops.empty()) evaluate_conditions(end);
        return step;
    }
}

// A method that looks ahead may come to where a loop has no solution under the branches in force, though
// these end before, or none that can be followed at once: then the step has to be shorter.
Island::Step Island::solvable_step(double h_max) {
    const std::vector<double> guess = s_->conditions.loops.empty() ? std::vector<double>() : state_.guess;
    for (bool cut = false;; h_max /= 4) {
        try {
            const Step step = confirmed_step(h_max);
            if (!cut) state_.cut_steps = 0;
            return step;
        } catch (const RunFailure& failure) {
            if (failure.loop.empty() || m_->stepper->has_series() ||
                h_max < smallest_step(settings_, state_.t) || (!std::exchange(cut, true) && creeps()))
                throw;
            m_->stepper->restart();
            state_.guess = guess;
        }
    }
}

// One more step that a loop cuts short: do they still come forward? Before a fold they would for ever become
// shorter.
bool IslandGerms::creeps() {
    if (state_.cut_steps++ == 0) state_.cut_since = state_.t;
    if (state_.cut_steps <= limits::creeping_steps) return false;
    state_.cut_steps = 0;
    return state_.t - state_.cut_since < limits::creeping * (settings_.stop - settings_.start);
}

// The side of a crossing's condition after a step (state_.t is its end), by its series. Where it is zero
// there, the next step finds the root at its beginning; but a root against the direction lies behind.
int Island::side_at_end(const Watch& w, double h) {
    double c = condition_at(w, h);
    const int side = may_be_wrong(w, h) ? side_by_equations(w, h, state_.t) : 0;
    if (side != 0) return side;
    if (c != 0) return c > 0 ? 1 : -1;
    const auto series = m_->stepper->series(w.node);
    for (int m = 1; c == 0 && m < static_cast<int>(series.size()); ++m) c = derivative_at(series, h, m);
    return c * w.direction < 0 ? -w.direction : w.sign;
}

// A condition whose rungs are all zero, but which is no polynomial, may leave zero all the same: sin(t)^47 at
// 0.
bool IslandGerms::rests_by_rungs_alone() const {
    return std::any_of(state_.resting_watches.begin(), state_.resting_watches.end(),
                       [&](const Watch& w) { return s_->degree[w.node] > s_->order; });
}

// Does the germ at the end of a step show a side where the one at its beginning showed none?
bool IslandGerms::leaves_rest() {
    evaluate(state_.left, state_.now, 1, true);
    return std::any_of(state_.resting_watches.begin(), state_.resting_watches.end(), [&](const Watch& w) {
        return s_->degree[w.node] > s_->order &&
               forward_sign(state_.left, state_.now, w.node, w.threshold) != 0;
    });
}

// Looks for the next step, at most this long.
void Island::begin_step(double most) {
    at_hand_ = m_->proof ? proved_step(most) : solvable_step(most);
    if (m_->stiffness) m_->stiffness->note(state_.t, state_.x, at_hand_->h, most);
    if (at_hand_->root) at_hand_->root = ending_branch(*at_hand_->root);
}

// What comes so near to the next due time is there.
double IslandGerms::time_after(double h, double due) const {
    const double t = state_.t + h;
    return h >= due - state_.t || t >= due - same_time(due) ? due : t;
}

namespace {

// Hops that shrink steadily, and then none: the error of a method has hidden it, or has taken two for one,
// and it is now.
bool meet_overdue(State& state, double t) {
    const NodeId condition = state.zeno.overdue(t);
    if (condition == no_node) return false;
    const auto w = std::find_if(state.watches.begin(), state.watches.end(),
                                [&](const Watch& w) { return w.node == condition; });
    state.located.push_back({condition, w == state.watches.end() ? 0 : w->threshold});
    return true;
}

}  // namespace

// One step at most, none beyond `until`. What has come due since it was looked for cuts it short.
Island::Flowed Island::flow(double until) {
    const double due = std::min(state_.agenda.next(), stop_);
    if (due <= state_.t + same_time(state_.t)) {
        at_hand_.reset();
        state_.t = std::max(state_.t, due);
        return Flowed::instant;
    }
    const double rest = due - state_.t;
    if (!at_hand_) {
        const bool may_stay = until < stop_ || sample_times_.size() > limits::samples_in_a_part;
        if (may_stay) before_ = {state_.guess, remember(*m_)};
        begin_step(std::min(rest, horizon(state_.histories, state_.t)));
    }
    auto [step, root] = *at_hand_;
    if (root && root->at > rest) root.reset();
    const double h = root ? root->at : std::min(step, rest);
    const double t_next = time_after(h, due);
    const bool at_due = t_next == due;
    if (t_next > until) return Flowed::waits;
    if (!root) refuse_hidden_poles(h);
    if (!sample_some_before(t_next)) return Flowed::step;  // the rest of them comes next time
    at_hand_.reset();
    if (!root && !m_->stepper->has_series() && meet_overdue(state_, t_next)) return Flowed::instant;
    if (root) meet(*root->watch, root->at);
    if (root || at_due) note_passed(h);
    hidden_ = root && has_sunk(*root->watch, h) ? Hidden::sinking : Hidden::nothing;
    append_history(h);
    account(h);
    const bool turns = modes_ && modes_->has_charts() && !m_->proof && nears_zero_ratio(h);
    const bool rests = !m_->proof && rests_by_rungs_alone();
    finish_step(h, t_next, root || at_due || rests || turns);
    if (root || at_due || turns || (rests && leaves_rest())) return Flowed::instant;
    for (Watch& w : state_.watches) {  // from now on the root at the beginning lies behind
        w.zeros = 0;
        if (w.kind != Watching::crossing || m_->stepper->series(w.node).empty()) continue;
        w.sign = side_at_end(w, h);
    }
    return Flowed::step;
}

// Rounding may leave a root just behind the stop: it is carried out still.
bool Island::root_at_stop() {
    if (state_.watches.empty()) return false;
    evaluate(state_.left, state_.now, 1, true);
    for (const Watch& w : state_.watches)
        if (w.kind != Watching::assertion && w.kind != Watching::singular && w.sign != 0 &&
            (value_sign(state_.left, w.node, w.threshold) == 0 || is_just_ahead(w)))
            state_.located.push_back({w.node, w.threshold});
    return !state_.located.empty();
}

namespace {

// Does a comparison of a guard come to zero again and again, and not what a crossing looks at? Only automata
// have a mode that holds from an accumulation point on.
bool is_guard(const System& s, NodeId condition) {
    const auto crosses = [&](NodeId n) { return s.d.inputs_of(n)[0] == condition; };
    return std::find(s.guards.begin(), s.guards.end(), condition) != s.guards.end() &&
           std::none_of(s.crossings.begin(), s.crossings.end(), crosses);
}

}  // namespace

// Do instants of this condition accumulate at the last one? What follows an instant so soon that the rounding
// of the time, or of the states, swallows it does so, too, if the condition has come to zero before.
bool Island::accumulates_here(NodeId condition) {
    if (state_.zeno.note(state_.t, condition, stop_, !m_->stepper->has_series())) return true;
    if (hidden_ == Hidden::sinking) unresolved_ = condition;
    if (unresolved_ == no_node || state_.t >= stop_ - same_time(stop_)) return false;
    if (state_.zeno.note_end(unresolved_, stop_, hidden_ != Hidden::nothing)) return true;
    if (hidden_ == Hidden::jump) return false;  // there need not have been one
    throw RunFailure{.kind = ErrorKind::not_finite,
                     .node = unresolved_,
                     .what = "what follows this event comes so soon that doubles cannot tell it any more",
                     .advice = "let the run start nearer to zero, and count what moves little from nearby"};
}

Going Island::advance(double until) {
    if (state_.terminated) return Going::ended;
    if (state_.t >= stop_ && state_.agenda.next() > stop_ + same_time(stop_)) return Going::ended;
    const Flowed flowed = flow(until);
    if (flowed != Flowed::instant) return flowed == Flowed::waits ? Going::waits : Going::on;
    const bool at_stop = state_.t >= stop_ && state_.agenda.next() > stop_ + same_time(stop_);
    if (!at_stop || !state_.located.empty() || root_at_stop()) {
        const NodeId condition = state_.located.empty() ? no_node : state_.located.front().node;
        const bool fed = !state_.fed.empty();  // somebody may do many things at one time
        if (fed) sample_again();
        instant();
        if (!fed && accumulates_here(condition)) {
            const bool modes = condition == no_node ? !switches_.empty() : is_guard(*s_, condition);
            const NodeId room = modes_ ? room_of(*s_, modes_->graph(), condition) : no_node;
            const bool impacts = room != no_node;
            const bool goes_on = settings_.zeno == AtZeno::proceed
                                     ? modes && !state_.first_committed.empty()
                                     : settings_.zeno == AtZeno::by_kind && impacts;
            if (goes_on) {
                if (impacts) close_sides(room);
                pass_accumulation();
                return Going::on;
            }
            state_.zeno_stop = true;
            sample_here();
            return Going::ended;
        }
    }
    sample_here();
    return state_.terminated ? Going::ended : Going::on;
}

}  // namespace deltaflow
