// What a command tells people on standard output.
#pragma once

#include "engine/simulate.hpp"
#include "report/text/output.hpp"

namespace deltaflow::report {

// How many events a summary looks at: first and last ones.
inline constexpr std::size_t first_events = 20, last_events = 3;

// The model, its first and last events, how the run ended and what it cost, warnings.
void write_summary(const Trace& trace, Output& output);

// The parts, for a run whose events are shown as a table instead.
void write_title(const Trace& trace, Output& output);
void write_closing(const Trace& trace, Output& output);

// Counts, regularity of each recorded signal, loops, warnings.
void write_summary(const FlatModel& model, const CheckReport& report, Output& output);

}  // namespace deltaflow::report
