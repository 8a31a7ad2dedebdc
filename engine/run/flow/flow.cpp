// The flow between instants: steps, up to the first event.
#include "engine/run/flow/flow.hpp"

#include "engine/limits.hpp"
#include "engine/numerics/roots.hpp"
#include "engine/solve/steppers/stiffness.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace deltaflow {

namespace {

// What has to keep off zero is near it at this part of what it was, and rounding hides zero within so many
// times its bound: roundings of the steps before add up.
constexpr double near_pole = 1e-6, hidden_pole = 32;

// How far delayed signals stay on one piece of their past.
double horizon(const std::vector<History>& histories, double t) {
    double limit = HUGE_VAL;
    for (const History& h : histories) limit = std::min(limit, h.horizon(t));
    return limit;
}

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

Flow::Flow(const Settings& settings, State& state, const Running& at, Germs& germs, GraphGerms& graph,
           Slides& slides, ModeSystems* modes, Recorder& recorder, EnergyBook& book,
           const SampleTimes& sample_times, SampleColumns& samples)
    : settings_(settings),
      state_(state),
      at_(at),
      graph_(graph),
      slides_(slides),
      recorder_(recorder),
      conditions_(state, at),
      roots_(settings, state, at, conditions_),
      watches_(state, at, germs, modes),
      sampler_(state, at, conditions_, sample_times, samples),
      pasts_(settings, state, at, conditions_),
      work_(state, at, modes, book),
      proof_(settings, state, at, roots_, recorder.proved) {}

// The method is made when the first flow of a mode begins: by then it is known whether blocks can be
// inactive.
void Flow::begin(const Stepper* before) {
    ++state_.flow;
    if (at_.m->stepper)
        at_.m->stepper->restart();
    else
        make_stepper();
    begin_to_follow_loops();
    watches_.collect();
    if (!at_.m->stepper->has_series()) watches_.keep_fresh(before);
    state_.located.clear();
}

void Flow::make_stepper() {
    Machinery& m = *at_.m;
    const FlowContext context = flow_context(settings_, state_, at_);
    m.output_work.active = m.condition_work.active = m.ledger_work.active = context.active;
    m.output_work.flow = m.condition_work.flow = &state_.flow;
    m.stepper = stepper_for(context);
    m.stiffness = make_stiffness(context);
    if (settings_.certify) proof_.make(context);
}

// Solutions of loops are followed from the beginning of a flow on.
void Flow::begin_to_follow_loops() {
    if (!at_.s->output.loops.empty()) sampler_.show(state_.x, state_.t);
    if (!at_.s->conditions.loops.empty()) conditions_.evaluate(state_.x, state_.t);
}

// How far rounding has come in a state: what a step brings and, where the state rests, what it had before.
double Flow::bound_after(std::uint32_t i, double h) const {
    const double bound = at_.m->stepper->rounding(i, h);
    const bool rests = i < state_.resting.size() && state_.x[i] == state_.resting[i];
    return rests ? std::max(bound, state_.x_bound[i]) : bound;
}

// Moves on; only an instant asks how far rounding has come.
void Flow::finish_step(double h, double t_next, bool instant_follows) {
    Stepper& stepper = *at_.m->stepper;
    if (at_.m->outputs_may_overflow && sampler_.show_at(h, 0) != no_node) sampler_.fail_between(0, h);
    conditions_.predict_loops(h);
    stepper.finish(h, state_.x);
    const bool checked = stepper.checks_states();
    for (std::size_t i = 0; i < state_.x.size() && !checked; ++i) {
        if (std::isfinite(state_.x[i])) continue;
        if (stepper.has_series()) sampler_.fail_between(0, h);
        throw RunFailure{.kind = ErrorKind::not_finite,
                         .node = at_.s->states[i],
                         .what = "a value is no longer finite",
                         .advice = "the solution blows up; look for a pole or an unstable loop"};
    }
    if (instant_follows)
        for (const std::uint32_t i : at_.m->seen_states) state_.x_bound[i] = bound_after(i, h);
    state_.t = t_next;
    ++recorder_.statistics.steps;
    if (!at_.s->held.empty() && !instant_follows) slides_.return_to_surfaces();
}

// A step up to its first root, or to its end, as far as the equations confirm it.
FlowStep Flow::confirmed_step(double h_max) {
    SeriesRoots& by_series = roots_.by_series();
    FlowStep step{at_.m->stepper->step(state_.t, state_.x, h_max).h};
    while (true) {
        step.root = roots_.first_event(step.h);
        if (!step.root) step.root = by_series.hidden(step.h);
        if (step.h < h_max && by_series.ends_in_doubt(step.h)) {
            step.h *= limits::away_from_root;
            if (step.root) step.root = roots_.first_event(step.h);
        }
        const double end = step.root ? step.root->at * (1 - limits::before_root) : step.h;
        const double good = at_.m->stepper->confirmed(end);
        if (good < end) {
            step.h = good;
            continue;
        }
        if (step.root) step.root->at = std::min(by_series.polished(*step.root), step.h);
        if (!at_.m->stepper->has_series() && !at_.s->conditions.loops.empty()) conditions_.evaluate(end);
        return step;
    }
}

// A method that looks ahead may come to where a loop has no solution under the branches in force, though
// these end before, or none that can be followed at once: then the step has to be shorter.
FlowStep Flow::solvable_step(double h_max) {
    const std::vector<double> guess = at_.s->conditions.loops.empty() ? std::vector<double>() : state_.guess;
    for (bool cut = false;; h_max /= 4) {
        try {
            const FlowStep step = confirmed_step(h_max);
            if (!cut) state_.cut_steps = 0;
            return step;
        } catch (const RunFailure& failure) {
            if (failure.loop.empty() || at_.m->stepper->has_series() ||
                h_max < smallest_step(settings_, state_.t) || (!std::exchange(cut, true) && creeps()))
                throw;
            at_.m->stepper->restart();
            state_.guess = guess;
        }
    }
}

// One more step that a loop cuts short: do they still come forward? Before a fold they would for ever become
// shorter.
bool Flow::creeps() {
    if (state_.cut_steps++ == 0) state_.cut_since = state_.t;
    if (state_.cut_steps <= limits::creeping_steps) return false;
    state_.cut_steps = 0;
    return state_.t - state_.cut_since < limits::creeping * (settings_.stop - settings_.start);
}

// The same as `told_by_times`, but not beyond the step that a series was confirmed for.
static double told_within(double t, double h) {
    const double told = t + h - t, less = std::nextafter(t + h, -HUGE_VAL) - t;
    return told <= h && told > 0 ? told : less > 0 ? less : h;
}

// Looks for the next step, up to `rest` ahead.
void Flow::begin_step(double until, double rest) {
    if (until < settings_.stop || sampler_.is_long()) before_ = {state_.guess, remember(*at_.m)};
    const double most = std::min(rest, horizon(state_.histories, state_.t));
    at_hand_ = at_.m->proof ? proof_.step(most) : solvable_step(most);
    if (at_.m->stiffness) at_.m->stiffness->note(state_.t, state_.x, at_hand_->h, most);
    if (at_hand_->root && at_hand_->root->watch->kind == Watching::singular)
        at_hand_->root = roots_.ending_branch(*at_hand_->root);
    if (!at_hand_->root && at_hand_->h < most && at_.m->stepper->has_series())
        at_hand_->h = told_within(state_.t, at_hand_->h);
}

// What comes so near to the next due time is there.
double Flow::time_after(double h, double due) const {
    const double t = state_.t + h;
    return h >= due - state_.t || t >= due - same_time(due) ? due : t;
}

// A pole of even order that the steps come near to, shorter and shorter, may have been missed by rounding
// alone: where that hides how far it is, the run ends.
void Flow::refuse_hidden_poles(double h) {
    bool evaluated = at_.m->stepper->has_series();
    for (Watch& w : state_.watches) {
        if (w.kind != Watching::singular || !is_pole(at_.s->d, w.owner)) continue;
        if (!evaluated) conditions_.evaluate(h);
        evaluated = true;
        const auto series = at_.m->stepper->series(w.node);
        const double c = (series.empty() ? *at_.m->conditions.at(w.node) : horner(series, h)) - w.threshold;
        w.largest = std::max(w.largest, std::abs(c));
        if (std::abs(c) > near_pole * w.largest) continue;
        conditions_.evaluate_bounded(h, state_.t + h, 0, w.fresh);
        if (std::abs(c) > hidden_pole * at_.m->bounded_conditions.at(w.node)->bound) continue;
        sampler_.take_before(state_.t + h);
        state_.t += h;
        throw singular_point(w);
    }
}

// What a root means: an instant, or the end.
void Flow::meet(const Watch& w, double h) {
    if (w.sign == 0) return;  // it leaves zero: there is no root to know of
    const auto series = at_.m->stepper->series(w.node);
    state_.located.push_back({w.node, w.threshold, w.kind == Watching::crossing,
                              series.empty() ? NAN : derivative_at(series, h, 2)});
    if (w.kind != Watching::assertion && w.kind != Watching::singular) return;
    sampler_.take_before(state_.t + h);  // what was simulated up to here is kept
    at_.m->stepper->states(h, state_.x);
    state_.t += h;
    if (w.kind == Watching::assertion)
        throw RunFailure{.kind = ErrorKind::assertion,
                         .node = w.owner,
                         .what = at_.s->d.messages[at_.s->d.nodes[w.owner].extra]};
    throw singular_point(w);
}

// Takes a step of length h, to a root or to its end.
Flowed Flow::take_step(const std::optional<Reached>& root, double h, double t_next, bool at_due) {
    if (!root && !at_.m->stepper->has_series() && meet_overdue(state_, t_next)) return Flowed::instant;
    if (root) meet(*root->watch, root->at);
    const bool by_points = !at_.m->stepper->has_series();
    if (by_points && (root || at_due)) roots_.by_points().note_passed(h);
    const bool sinks = by_points && root && roots_.by_points().has_sunk(*root->watch, h);
    state_.hidden = sinks ? Hidden::sinking : Hidden::nothing;
    pasts_.append(h);
    work_.account(h);
    const bool turns = !at_.m->proof && graph_.turns(h);
    const bool rests = !at_.m->proof && !state_.resting_watches.empty() && watches_.rest_by_rungs_alone();
    finish_step(h, t_next, root || at_due || rests || turns);
    if (root || at_due || turns || (rests && watches_.leave_rest())) return Flowed::instant;
    for (Watch& w : state_.watches) {  // from now on the root at the beginning lies behind
        w.zeros = 0;
        if (w.kind != Watching::crossing || at_.m->stepper->series(w.node).empty()) continue;
        w.sign = conditions_.side_at_end(w, h);
    }
    return Flowed::step;
}

Flowed Flow::advance(double until) {
    const double due = std::min(state_.agenda.next(), settings_.stop);
    if (due <= state_.t + same_time(state_.t)) {
        at_hand_.reset();
        state_.t = std::max(state_.t, due);
        return Flowed::instant;
    }
    const double rest = due - state_.t;
    if (!at_hand_) begin_step(until, rest);
    auto [step, root] = *at_hand_;
    if (root && root->at > rest) root.reset();
    const double h = root ? root->at : std::min(step, rest);
    const double t_next = time_after(h, due);
    if (t_next > until) return Flowed::waits;
    if (!root) refuse_hidden_poles(h);
    if (!sampler_.take_some_before(t_next)) return Flowed::step;  // the rest of them comes next time
    at_hand_.reset();
    return take_step(root, h, t_next, t_next == due);
}

void Flow::pass_to(double end) {
    state_.watches.clear();
    while (state_.t < end) {
        const double h = confirmed_step(end - state_.t).h;
        const double next = state_.t + h >= end ? end : state_.t + h;
        sampler_.take_before(next);
        pasts_.append(h);
        work_.account(h);
        finish_step(h, next, true);
    }
}

bool Flow::has_root_at_stop() {
    const bool by_points = !at_.m->stepper->has_series();
    return watches_.locate_at_stop(
        [&](const Watch& w) { return by_points && roots_.by_points().is_just_ahead(w); });
}

double Flow::next_event() const {
    const double due = state_.agenda.next();
    return at_hand_ && at_hand_->root ? std::min(due, state_.t + at_hand_->root->at) : due;
}

double Flow::end_of_step() const {
    const double due = std::min(state_.agenda.next(), settings_.stop);
    if (!at_hand_) return due;
    return time_after(at_hand_->root ? at_hand_->root->at : at_hand_->h, due);
}

}  // namespace deltaflow
