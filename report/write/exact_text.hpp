// Signals in closed form, for people: plain text, LaTeX, and JSON for programs.
#pragma once

#include "engine/exact.hpp"
#include "report/text/output.hpp"

namespace deltaflow::report {

// y(t) = 10 - 981/200 t^2   for 0 <= t < t1
void write_exact_text(const ExactTrace& trace, Output& output);
// A document with a `cases` a signal.
void write_exact_latex(const ExactTrace& trace, Output& output);
// Every number both as text and as a double.
void write_exact_json(const ExactTrace& trace, Output& output);

}  // namespace deltaflow::report
