// A guess says which side of a condition a loop is looked for on, too.
#pragma once

#include "engine/compile/system.hpp"

#include <cstdint>
#include <vector>

namespace deltaflow {

// Branches at the start, by guesses and what sums and products make of them; others stay.
void take_guessed_branches(const System& s, std::vector<std::int32_t>& branch);

}  // namespace deltaflow
