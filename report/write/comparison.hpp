// A comparison for people and for programs.
#pragma once

#include "engine/compare.hpp"
#include "report/text/output.hpp"

namespace deltaflow::report {

struct Picture;

// Did the numeric run come to its end, and was anything left to compare?
// Why a picture of the error is empty.
std::string no_error_words(const Comparison& comparison);
bool is_measured(const ComparisonRow& row);
// A row a step and a sum, and a sentence of conclusion.
void write_comparison(const Comparison& comparison, Output& output);
// Which impulses occur, what numeric ones lose here, and when they are enough.
std::string conclusion(const Comparison& comparison);
void write_json(const Comparison& comparison, Output& output);
// Both runs over time (`symbolic`: that one, drawn), and the error against the step on logarithmic axes.
void write_svg(const Comparison& comparison, const Picture& symbolic, Output& output);

}  // namespace deltaflow::report
