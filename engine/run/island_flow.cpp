// The flow between instants: steps and samples.
#include "engine/limits.hpp"
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

std::unique_ptr<Stepper> stepper_for(const FlowContext& c) {
    switch (c.settings->method) {
        case Method::taylor:
            return make_taylor_stepper(c);
        case Method::dopri5:
            return make_dopri5_stepper(c);
        case Method::rk4:
            return make_rk4_stepper(c);
        case Method::euler:
            return make_euler_stepper(c);
        case Method::rosenbrock4:
            return make_rosenbrock4_stepper(c);
        case Method::cvode:
            return make_cvode_stepper(c);
        case Method::automatic:
            return make_auto_stepper(c);
    }
    return nullptr;
}

// Watches over methods that stability can limit; the others need not.
std::unique_ptr<Stiffness> make_stiffness(const FlowContext& c) {
    const Method method = c.settings->method;
    if (c.system->polynomial) return nullptr;
    if (method == Method::taylor)
        return std::make_unique<Stiffness>(c, taylor_reach(*c.system), taylor_reach(*c.system));
    if (method == Method::dopri5) return std::make_unique<Stiffness>(c, dopri5_reach, dopri5_slow_reach);
    return nullptr;
}

}  // namespace

Island::Island(const Settings& settings, const System& system, const SampleTimes& sample_times,
               SampleColumns& samples)
    : settings_(settings), s_(&system), sample_times_(sample_times), samples_(samples), stop_(settings.stop) {
    prepare();
}

Island::Island(const Settings& settings, ModeSystems& modes, const SampleTimes& sample_times,
               SampleColumns& samples)
    : settings_(settings),
      modes_(&modes),
      waiting_(modes.graph().automata.size(), 0),
      s_(&modes.of(bonds::initial_mode(modes.graph()))),
      leaving_(waiting_),
      sample_times_(sample_times),
      samples_(samples),
      stop_(settings.stop) {
    state_.mode = state_.after_mode = bonds::initial_mode(modes.graph());
    state_.recorded_mode = state_.first_committed = state_.mode;
    reading_work_ = Workspace(modes.reading());
    reading_work_.guess = &state_.guess;
    prepare();
}

void Island::prepare() {
    state_.t = settings_.start;
    const std::size_t n = s_->d.nodes.size();
    state_.x.resize(s_->states.size());
    state_.x_bound.assign(s_->states.size(), 0);
    scratch_.resize(s_->states.size());
    state_.guess.assign(n, NAN);
    for (const auto& [node, value] : s_->d.guesses) state_.guess[node] = value;
    for (std::size_t i = 0; i < s_->states.size(); ++i) state_.x[i] = s_->d.parameters_of(s_->states[i])[0];
    // Copied at every instant: only where there is something to remember.
    state_.now.branch.assign(s_->branchers.empty() ? 0 : n, 0);
    state_.now.held.assign(s_->sampled.empty() ? 0 : n, 0);
    state_.stored.assign(s_->sampled.empty() ? 0 : n, 0);
    state_.now.pieces.resize(s_->d.schedules.size());
    state_.cursors.resize(s_->d.schedules.size());
    state_.next_tick.resize(s_->d.clocks.size());
    for (const NodeId m : s_->schedules) {
        const auto extra = s_->d.nodes[m].extra;
        const Schedule& schedule = s_->d.schedules[extra];
        state_.now.pieces[extra] = wind(schedule, state_.t, state_.cursors[extra]);
        if (!state_.cursors[extra].done(schedule))
            state_.agenda.add(to_double(state_.cursors[extra].time(schedule)), m);
    }
    for (const NodeId m : s_->sampled) {
        const auto extra = s_->d.nodes[m].extra;
        state_.now.held[m] = state_.stored[m] = s_->d.parameters_of(m)[0];
        state_.next_tick[extra] = first_tick(s_->d.clocks[extra], state_.t);
        state_.agenda.add(tick_time(s_->d.clocks[extra], state_.next_tick[extra]), m);
    }
    for (const NodeId m : s_->branchers)
        if (s_->d.nodes[m].op == Primitive::hysteresis)
            state_.now.branch[m] = s_->d.parameters_of(m)[2] != 0 ? 1 : 0;
    for (const NodeId m : s_->delays)
        state_.histories.emplace_back(s_->d.parameters_of(m)[0], s_->d.parameters_of(m)[1], state_.t);
    branchers_ = s_->branchers;
    std::sort(branchers_.begin(), branchers_.end(),
              [&](NodeId a, NodeId b) { return s_->origin[a] < s_->origin[b]; });
    wanted_.assign(branchers_.size(), 0);
    state_.crossing_sign.assign(s_->crossings.size(), 0);
    state_.fired.assign(s_->crossings.size(), 0);
    state_.pending.assign(s_->crossings.size(), 0);
    state_.flat.assign(s_->crossings.size(), 0);
}

Island::~Island() = default;

Machinery::Machinery(const System& s)
    : solver(std::make_unique<InstantSolver>(s)),
      germ_work(s.germ),
      output_work(s.output),
      condition_work(s.conditions),
      computed(computed_nodes(s)),
      outputs_may_overflow(may_leave_range(s, s.output)) {
    list_states(s);
    list_loops(s);
    output.resize(s.d, static_cast<std::uint32_t>(s.output.rungs(0)));
    conditions.resize(s.d, static_cast<std::uint32_t>(s.conditions.rungs(0)));
    if (s.ledger.offset.empty()) return;
    ledger_work = Workspace(s.ledger);
    ledger.resize(s.d, static_cast<std::uint32_t>(s.ledger.rungs(0)));
}
Machinery::~Machinery() = default;

void Machinery::list_states(const System& s) {
    const InstantProgram& p = solver->program();
    std::vector<std::uint8_t> seen(s.d.nodes.size(), 0), jumps(seen);
    for (const NodeId n : p.kept) seen[n] = 1;
    for (const NodeId n : p.jumping) seen[n] = jumps[n] = 1;
    for (std::uint32_t i = 0; i < s.states.size(); ++i) {
        const NodeId n = s.states[i];
        if (s.has_modes() || seen[n] || s.germ.offset[n] != not_needed) seen_states.push_back(i);
        if (s.has_modes() || jumps[n]) jumping_states.push_back(i);
    }
}

void Machinery::list_loops(const System& s) {
    for (const Loop& loop : s.series.loops)
        for (const auto& member : loop.members)
            if (!loop.affine && member.offset >= 0) looped.push_back(member.node);
    std::vector<std::uint8_t> in(s.d.nodes.size(), 0);
    for (const Loop& loop : s.germ.loops)
        for (const auto& member : loop.members) in[member.node] = 1;
    const InstantProgram& p = solver->program();
    for (const InstantLoop& loop : p.loops)
        for (auto i = loop.first; i < loop.first + loop.count; ++i) in[p.steps[i].node] = 1;
    std::copy_if(s.branchers.begin(), s.branchers.end(), std::back_inserter(looped_branchers),
                 [&](NodeId n) { return in[n] != 0; });
    std::sort(looped_branchers.begin(), looped_branchers.end(),
              [&](NodeId a, NodeId b) { return s.origin[a] < s.origin[b]; });
}

Machinery& Island::machinery(const System& s) {
    auto& known = machineries_[&s];
    if (known) return *known;
    known = std::make_unique<Machinery>(s);
    known->ledger_work.guess = known->germ_work.guess = known->output_work.guess =
        known->condition_work.guess = &state_.guess;
    return *known;
}

std::uint64_t Island::evaluations() const {
    std::uint64_t sum = 0;
    for (const auto& [system, m] : machineries_)
        sum += m->germ_work.evaluations + m->output_work.evaluations + m->condition_work.evaluations +
               (m->stepper ? m->stepper->evaluations : 0);
    return sum;
}

std::optional<double> Island::stiff_since() const {
    std::optional<double> first;
    for (const auto& [system, m] : machineries_)
        if (const auto t = m->stiffness ? m->stiffness->since() : std::nullopt; t && (!first || *t < *first))
            first = t;
    return first;
}

FlowContext Island::flow_context() {
    FlowContext context{s_,
                        &settings_,
                        &state_.now,
                        &state_.guess,
                        &state_.flow,
                        state_.active.empty() ? nullptr : &state_.active,
                        &m_->jumping_states,
                        &state_.t,
                        nullptr};
    context.delayed = [this](std::size_t i, double t, std::span<double> out) {
        state_.histories[i].rungs_in_step(state_.t, t, out);
    };
    return context;
}

// Made when the first flow of a mode begins: by then it is known whether blocks can be inactive.
void Island::ready_to_flow() {
    ++state_.flow;
    if (m_->stepper) return m_->stepper->restart();
    make_stepper();
}

void Island::make_stepper() {
    const FlowContext context = flow_context();
    m_->output_work.active = m_->condition_work.active = m_->ledger_work.active = context.active;
    m_->output_work.flow = m_->condition_work.flow = &state_.flow;
    m_->stepper = stepper_for(context);
    m_->stiffness = make_stiffness(context);
    if (settings_.certify) make_proof(context);
}

void Island::start() {
    m_ = &machinery(*s_);
    state_.after = state_.now;
    settle_branches();
    // A delayed signal leaves its initial value when the input's past begins.
    for (std::size_t i = 0; i < s_->delays.size(); ++i)
        state_.agenda.add(state_.t + state_.histories[i].by(), s_->delays[i]);
    starting_ = true;
    if (modes_) {
        open_ledger();
        check_initial_values();
        settle_leading_flows();
    }
    instant();
    starting_ = false;
    if (modes_) forget_initial_values();
    if (state_.instants == 1) state_.instants = 0;
    sample_here();
}

double Island::step_limit() const {
    double limit = HUGE_VAL;
    for (const History& h : state_.histories) limit = std::min(limit, h.horizon(state_.t));
    return limit;
}

// Solutions of loops are followed from the beginning of a flow on.
void Island::begin_to_follow_loops() {
    if (!s_->output.loops.empty()) show(state_.x, state_.t);
    if (!s_->conditions.loops.empty()) evaluate_conditions(state_.x, state_.t);
}

// Newton begins where the series of the step has the unknowns, so what it finds does not depend on where
// samples are taken.
void Island::predict_loops(double s) {
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

void Island::sample_before(double t_end) {
    const double limit = t_end - same_time(t_end);
    double good = 0;
    while (state_.next_sample < sample_times_.size() && sample_times_[state_.next_sample] < limit) {
        const double ts = sample_times_[state_.next_sample], s = std::max(0.0, ts - state_.t);
        write_sample(show_at(s, good), ts, good);
        good = s;
        ++state_.next_sample;
    }
}

// A sample at the very time of an instant is the right limit.
void Island::sample_here() {
    while (state_.next_sample < sample_times_.size() &&
           sample_times_[state_.next_sample] <= state_.t + same_time(state_.t)) {
        write_sample(show(state_.x, state_.t), state_.t, -1);
        ++state_.next_sample;
    }
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
double Island::bound_after(std::uint32_t i, double h) const {
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
bool Island::creeps() {
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
bool Island::rests_by_rungs_alone() const {
    return std::any_of(state_.resting_watches.begin(), state_.resting_watches.end(),
                       [&](const Watch& w) { return s_->degree[w.node] > s_->order; });
}

// Does the germ at the end of a step show a side where the one at its beginning showed none?
bool Island::leaves_rest() {
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
        if (until < stop_) before_ = {state_.guess, remember(*m_)};
        begin_step(std::min(rest, step_limit()));
    }
    auto [step, root] = *at_hand_;
    if (root && root->at > rest) root.reset();
    const double h = root ? root->at : std::min(step, rest);
    double t_next = h == rest ? due : state_.t + h;
    const bool at_due = t_next >= due - same_time(due);
    if (at_due) t_next = due;
    if (t_next > until) return Flowed::waits;
    at_hand_.reset();
    if (root) meet(*root->watch, root->at);
    if (!root) refuse_hidden_poles(h);
    sample_before(t_next);
    if (root || at_due) note_passed(h);
    sunk_ = root && has_sunk(*root->watch, h);
    append_history(h);
    account(h);
    const bool rests = !m_->proof && rests_by_rungs_alone();
    finish_step(h, t_next, root || at_due || rests);
    if (root || at_due || (rests && leaves_rest())) return Flowed::instant;
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
    if (state_.zeno.note(state_.t, condition, stop_)) return true;
    if (sunk_) unresolved_ = condition;
    if (unresolved_ == no_node || state_.t >= stop_ - same_time(stop_)) return false;
    if (state_.zeno.note_end(unresolved_, stop_, sunk_)) return true;
    throw RunFailure{.kind = ErrorKind::not_finite,
                     .node = unresolved_,
                     .what = "what follows this event comes so soon that doubles cannot tell it any more",
                     .advice = "let the run start nearer to zero, and count what moves little from nearby"};
}

Going Island::advance(double until) {
    if (state_.t >= stop_ && state_.agenda.next() > stop_ + same_time(stop_)) return Going::ended;
    const Flowed flowed = flow(until);
    if (flowed != Flowed::instant) return flowed == Flowed::waits ? Going::waits : Going::on;
    const bool at_stop = state_.t >= stop_ && state_.agenda.next() > stop_ + same_time(stop_);
    if (!at_stop || !state_.located.empty() || root_at_stop()) {
        const NodeId condition = state_.located.empty() ? no_node : state_.located.front().node;
        instant();
        if (accumulates_here(condition)) {
            const bool modes = condition == no_node ? !switches_.empty() : is_guard(*s_, condition);
            if (settings_.zeno == AtZeno::proceed && modes && !state_.first_committed.empty()) {
                pass_accumulation();
                return Going::on;
            }
            state_.zeno_stop = true;
            sample_here();
            return Going::ended;
        }
    }
    sample_here();
    return Going::on;
}

}  // namespace deltaflow
