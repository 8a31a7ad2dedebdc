// How many runs are handed out at a time.
#pragma once

#include <algorithm>
#include <cstddef>

namespace deltaflow {

// Enough that asking costs little beside them (`seconds` is what a run took of late; nobody knows: 0), and at
// most half of an equal share of what is left, so that all end together.
inline std::size_t portion(double seconds, std::size_t left, std::size_t ranks) {
    constexpr double worth_asking = 0.05;
    constexpr double most = 1000;
    const double wanted = seconds > 0 ? std::clamp(worth_asking / seconds, 1.0, most) : 1;
    const std::size_t fair = std::max<std::size_t>(1, left / (2 * std::max<std::size_t>(ranks, 1)));
    return std::min(static_cast<std::size_t>(wanted), fair);
}

}  // namespace deltaflow
