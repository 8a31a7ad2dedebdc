// Where pivoting comes to no end: modes to try one by one.
//
// Then the network is not passive, and no rule of exchange is sure to lead anywhere. Lemke's method is none
// either: it ends on a ray in networks that have a solution, w1 = -1 - z1 + 3 z2, w2 = 1/2 - z1 + z2 say.
// What a mode solves is always verified, so any mode may be tried: all of a few elements, of more a fixed
// number.
#pragma once

#include "bonds/graph.hpp"

#include <functional>
#include <vector>

namespace deltaflow {

// May this automaton be in that state now?
using MayBe = std::function<bool(std::size_t automaton, std::uint32_t state)>;

// Those nearest to `tried` first, and without states that last no time; `tried` is none of them.
std::vector<bonds::Mode> other_modes(const bonds::Graph& g, const bonds::Mode& tried, const MayBe& may_be);

}  // namespace deltaflow
