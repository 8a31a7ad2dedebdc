// What a method is told of its island, and the method that the settings name.
#pragma once

#include "engine/run/germs/machinery.hpp"

namespace deltaflow {

FlowContext flow_context(const Settings& settings, State& state, const Running& at);
std::unique_ptr<Stepper> stepper_for(const FlowContext& c);
// Watches over methods that stability can limit; the others need not.
std::unique_ptr<Stiffness> make_stiffness(const FlowContext& c);

}  // namespace deltaflow
