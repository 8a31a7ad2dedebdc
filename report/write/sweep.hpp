// A sweep for people and for programs: a row a run.
#pragma once

#include "engine/sweep.hpp"
#include "report/text/output.hpp"

namespace deltaflow::report {

void write_csv(const Sweep& sweep, Output& output);
void write_json(const Sweep& sweep, Output& output);
void write_table(const Sweep& sweep, Output& output);
// "101 runs: 100 stop, 1 zeno"
void write_count(const Sweep& sweep, Output& output);

// A parameter's value: fractions as decimals, words as they are.
std::string value_text(const std::string& value);

}  // namespace deltaflow::report
