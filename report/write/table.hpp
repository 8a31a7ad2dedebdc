// The hyperdense table of a run: one row a mode.
#pragma once

#include "deltaflow/trace.hpp"
#include "report/text/output.hpp"

namespace deltaflow::report {

// Time as <t + k eps, n>, what caused the event, and each signal that ever jumps: before the instant, then
// after every event, mythical ones included.
void write_table(const Trace& trace, Output& output);

}  // namespace deltaflow::report
