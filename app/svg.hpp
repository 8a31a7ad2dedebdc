// Traces as pictures.
#pragma once

#include "app/output.hpp"
#include "engine/trace.hpp"

namespace deltaflow::app {

// A panel a signal: jumps are gaps, impulses are arrows on a scale of their own, events are thin lines.
void write_svg(const Trace& trace, Output& output);

}  // namespace deltaflow::app
