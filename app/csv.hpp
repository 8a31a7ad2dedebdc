// Traces as CSV.
#pragma once

#include "app/output.hpp"
#include "engine/trace.hpp"

namespace deltaflow::app {

// `t,epsilon,index,side`, then for each signal its value and its impulses `name.delta`, `name.delta1`, ...
void write_csv(const Trace& trace, Output& output);

}  // namespace deltaflow::app
