// The flow of a mode as differential equations of its independent storages.
#pragma once

#include "report/hypa/laws.hpp"

namespace deltaflow::report::hypa {

// Rates of independent storages, dependent storages in terms of independent ones, and what has to be solved
// on the way: algebraic loops and laws that are not linear. Throws CausalConflict.
std::vector<std::string> state_equations(const Laws& laws, const Mode& mode);

}  // namespace deltaflow::report::hypa
