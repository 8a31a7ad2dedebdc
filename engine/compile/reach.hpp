// Which blocks a run needs: those that states, recorded signals, conditions and samples read.
#pragma once

#include "engine/compile/discrete.hpp"
#include "engine/compile/system.hpp"

#include <vector>

namespace deltaflow {

// Marks them. Under given branches only the chosen side of a decision counts; without, both.
std::vector<std::uint8_t> reached_nodes(const System& s, const Discrete* discrete);

}  // namespace deltaflow
