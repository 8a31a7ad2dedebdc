// A sweep for people and for programs: a row a run.
#pragma once

#include "engine/sweep.hpp"
#include "report/text/output.hpp"

namespace deltaflow::report {

// Lines without their ends.
std::string csv_heading(const Sweep& sweep);
std::string csv_line(const Sweep& sweep, const SweepRow& row);
std::string json_line(const Sweep& sweep, const SweepRow& row, std::size_t index);

void write_json(const Sweep& sweep, Output& output);
void write_table(const Sweep& sweep, Output& output);
// "101 runs: 100 stop, 1 zeno"
using SweepCount = std::map<EndReason, std::size_t>;
void write_count(const SweepCount& count, Output& output);

// A parameter's value: fractions as decimals, words as they are.
std::string value_text(const std::string& value);

}  // namespace deltaflow::report
