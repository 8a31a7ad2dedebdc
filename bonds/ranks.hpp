// An order of elements and bonds that does not depend on where they stand in the file.
#pragma once

#include "bonds/causality.hpp"

namespace deltaflow::bonds {

struct Ranks {
    std::vector<std::uint32_t> element, bond;
};

// By type, by value (the largest first), by what it holds at the start, then by what an element is joined to;
// only what is alike in all of this stands in the order of the file.
Ranks ranks_of(const Graph& g, const Ports& ports);

}  // namespace deltaflow::bonds
