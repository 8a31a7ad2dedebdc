// Traces as CSV.
#pragma once

#include "engine/model/trace.hpp"
#include "report/text/output.hpp"

namespace deltaflow::report {

// `t,epsilon,index,side`, then for each signal its value and its impulses `name.delta`, `name.delta1`, ...
void write_csv(const Trace& trace, Output& output);

// RFC 4180: a field with a comma, a quote or a line break is quoted, and its quotes are doubled.
std::string csv_field(const std::string& text);

}  // namespace deltaflow::report
