// What a method is told of its island.
#include "engine/run/flow/context.hpp"

#include "engine/solve/steppers/stiffness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace deltaflow {

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
