// What it takes to run a system.
#include "engine/run/germs/machinery.hpp"

#include "engine/solve/finite.hpp"
#include "engine/solve/steppers/stiffness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace deltaflow {

Machinery::Machinery(const System& s)
    : solver(std::make_unique<InstantSolver>(s)),
      germ_work(s.germ),
      output_work(s.output),
      condition_work(s.conditions),
      computed(computed_nodes(s)),
      outputs_may_overflow(may_leave_range(s, s.output)),
      scratch(s.states.size()) {
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

Machinery& Machineries::of(const System& s) {
    auto& known = known_[&s];
    if (known) return *known;
    known = std::make_unique<Machinery>(s);
    known->ledger_work.guess = known->germ_work.guess = known->output_work.guess =
        known->condition_work.guess = &guess_;
    return *known;
}

std::uint64_t Machineries::evaluations() const {
    std::uint64_t sum = 0;
    for (const auto& [system, m] : known_)
        sum += m->germ_work.evaluations + m->output_work.evaluations + m->condition_work.evaluations +
               (m->stepper ? m->stepper->evaluations : 0);
    return sum;
}

std::optional<double> Machineries::stiff_since() const {
    std::optional<double> first;
    for (const auto& [system, m] : known_)
        if (const auto t = m->stiffness ? m->stiffness->since() : std::nullopt; t && (!first || *t < *first))
            first = t;
    return first;
}

FlowContext flow_context(const Settings& settings, State& state, const Running& at) {
    FlowContext context{at.s,
                        &settings,
                        &state.now,
                        &state.guess,
                        &state.flow,
                        state.active.empty() ? nullptr : &state.active,
                        &at.m->jumping_states,
                        &state.t,
                        nullptr};
    context.delayed = [&state](std::size_t i, double t, std::span<double> out) {
        state.histories[i].rungs_in_step(state.t, t, out);
    };
    return context;
}

std::unique_ptr<Stepper> stepper_for(const FlowContext& c) {
    switch (c.settings->method) {
#define DELTAFLOW_METHOD(name, word, fixed, about) \
    case Method::name:                             \
        return make_##name##_stepper(c);
        DELTAFLOW_METHODS(DELTAFLOW_METHOD)
#undef DELTAFLOW_METHOD
    }
    return nullptr;
}

std::unique_ptr<Stiffness> make_stiffness(const FlowContext& c) {
    const Method method = c.settings->method;
    if (c.system->polynomial) return nullptr;
    if (method == Method::taylor)
        return std::make_unique<Stiffness>(c, taylor_reach(*c.system), taylor_reach(*c.system));
    if (method == Method::dopri5) return std::make_unique<Stiffness>(c, dopri5_reach, dopri5_slow_reach);
    return nullptr;
}

}  // namespace deltaflow
