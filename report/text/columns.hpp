// Rows of cells as columns that stand below each other.
#pragma once

#include "report/text/output.hpp"

#include <string>
#include <vector>

namespace deltaflow::report {

using Row = std::vector<std::string>;

// The first `words` columns to the left, numbers to the right; each line begins with `indent`.
void write_columns(const std::vector<Row>& rows, std::size_t words, Output& output,
                   std::string_view indent = "");

}  // namespace deltaflow::report
