// Numbers as people type them.
#pragma once

#include <optional>
#include <string>

namespace deltaflow::report {

// An expression of numbers and pi. Throws ExpressionError.
double number_of(const std::string& text);
// Nothing if it is none.
std::optional<double> finite_number(const std::string& text);

}  // namespace deltaflow::report
