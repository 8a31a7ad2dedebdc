// Traces and reports as JSON; numbers with 17 digits, null where they are not finite.
#pragma once

#include "engine/simulate.hpp"
#include "report/text/output.hpp"

namespace deltaflow::report {

void write_json(const Trace& trace, Output& output);
void write_json(const CheckReport& report, const Sources& sources, Output& output);

}  // namespace deltaflow::report
