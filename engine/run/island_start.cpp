// An island made, and begun.
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
    : IslandSlides(settings, &system, nullptr),
      sample_times_(sample_times),
      samples_(samples),
      stop_(settings.stop) {
    prepare();
}

Island::Island(const Settings& settings, ModeSystems& modes, const SampleTimes& sample_times,
               SampleColumns& samples)
    : IslandSlides(settings, &modes.of(bonds::initial_mode(modes.graph())), &modes),
      waiting_(modes.graph().automata.size(), 0),
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
        state_.agenda.add(std::max(state_.t, tick_time(s_->d.clocks[extra], state_.next_tick[extra])), m);
    }
    for (const NodeId m : s_->branchers)
        if (s_->d.nodes[m].op == Primitive::hysteresis)
            state_.now.branch[m] = s_->d.parameters_of(m)[2] != 0 ? 1 : 0;
    for (const NodeId m : s_->delays)
        state_.histories.emplace_back(s_->d.parameters_of(m)[0], s_->d.parameters_of(m)[1], state_.t);
    list_branchers(*s_, s_->branchers);
    state_.crossing_sign.assign(s_->crossings.size(), 0);
    state_.fired.assign(s_->crossings.size(), 0);
    state_.pending.assign(s_->crossings.size(), 0);
    state_.flat.assign(s_->crossings.size(), 0);
    if (!modes_) return;
    state_.memory.begin(modes_->graph(), decimal(state_.t));
    if (state_.memory.empty()) return;
    state_.after = state_.now;
    for (std::size_t a = 0; a < modes_->graph().automata.size(); ++a) start_timers(a, state_.mode[a]);
    state_.now = state_.after;
}

IslandGerms::~IslandGerms() = default;
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

Machinery& IslandGerms::machinery(const System& s) {
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

namespace {

// What the automata of the model began with, and the states that ideal elements have found.
bonds::Mode first_mode(const bonds::Graph& g, State& state) {
    bonds::Mode first = bonds::initial_mode(g);
    for (std::size_t a = 0; a < first.size(); ++a)
        if (g.automata[a].ideal) first[a] = state.recorded_mode[a] = state.mode[a];
    return first;
}

}  // namespace

void Island::start() {
    m_ = &machinery(*s_);
    begin_pasts();
    state_.after = state_.now;
    if (modes_ && modes_->has_charts()) begin_with_chart();
    settle_branches();
    // A delayed signal leaves its initial value when the input's past begins.
    for (std::size_t i = 0; i < s_->delays.size(); ++i)
        state_.agenda.add(state_.t + state_.histories[i].by(), s_->delays[i]);
    starting_ = true;
    if (modes_) open_ledger();
    settle_before_start();
    if (modes_) {
        check_initial_values();
        settle_leading_flows();
    }
    instant();
    starting_ = false;
    if (modes_) {
        forget_initial_values();
        recorder_.first_mode = first_mode(modes_->graph(), state_);
    }
    if (state_.instants == 1) state_.instants = 0;
    sample_here();
}

}  // namespace deltaflow
