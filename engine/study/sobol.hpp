// Sobol's sequence, a point by its number.
#pragma once

#include <cstdint>
#include <vector>

namespace deltaflow {

inline constexpr std::size_t most_sobol_axes = 3667;

// Point `n` in so many dimensions, as fractions of 2^64.
std::vector<std::uint64_t> sobol_point(std::size_t dimensions, std::uint64_t n);

}  // namespace deltaflow
