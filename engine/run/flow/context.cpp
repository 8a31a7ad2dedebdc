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

std::unique_ptr<Stiffness> make_stiffness(const FlowContext& c) {
    const Method method = c.settings->method;
    if (c.system->polynomial) return nullptr;
    if (method == Method::taylor)
        return std::make_unique<Stiffness>(c, taylor_reach(*c.system), taylor_reach(*c.system));
    if (method == Method::dopri5) return std::make_unique<Stiffness>(c, dopri5_reach, dopri5_slow_reach);
    return nullptr;
}

}  // namespace deltaflow
