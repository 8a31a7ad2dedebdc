// The pair of a block `complement`, 0 <= w, 0 <= z, w z = 0, in a mode.
//
// Off, z is nothing. On, w is kept at zero: z is the unknown of w^(r) = 0, r being the integrators that lie
// between the z of all pairs that are on and w. What is differentiated is a signal of its own, `levels[0]`, w
// while the pair is on and 0 before: where the pair comes on, that jumps by all that w lacks of zero, and
// what would be an impulse of its derivatives is one of z. So w is zero from then on, by a jump if need be.
#pragma once

#include "bonds/definitions.hpp"
#include "bonds/graph.hpp"

namespace deltaflow::bonds {

// States. A pair that leaks has w^(r) + leak z = 0: so a mode in which some z are not settled has a solution,
// which tells who gives way. No time passes in it.
enum PairState : std::uint32_t { pair_off, pair_on, pair_leaks };
inline constexpr double pair_leak = 0x1p-24;

// w and so many derivatives at most.
inline constexpr std::size_t pair_levels = 9;

// Once everything else is defined.
void define_pairs(const Graph& g, const Mode& mode, Definitions& definitions);

}  // namespace deltaflow::bonds
