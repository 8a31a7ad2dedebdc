// A delay that varies, as a node: what it reads, and which of these whoever runs it sets.
#pragma once

#include "blocks/diagram.hpp"

namespace deltaflow::lag {

// Inputs of the delay: its input; t - by, and by how much that is beyond the piece of the past that is read,
// forwards and backwards; then schedules that are set: where the piece begins (its polynomial, and it itself)
// and ends, impulses that come out, and the coefficients of its polynomial.
enum Input : std::size_t { input, time, over, under, origin, from, until, strike, coefficients };
inline constexpr std::size_t most_coefficients = 33;
inline constexpr double never = -1e18;

inline bool varies(const Diagram& d, NodeId delay) { return d.nodes[delay].input_count > 1; }

}  // namespace deltaflow::lag
