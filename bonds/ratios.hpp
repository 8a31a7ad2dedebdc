// Numbers of modulated ratios, as part of a mode.
//
// What a mode imposes too often depends on the ratios between. Where they are signals, a mode that has no
// causality without knowing them takes their numbers along, behind its chart: rank is decided by these, and
// so is how what stays undetermined divides.
#pragma once

#include "bonds/charts.hpp"

#include <bit>
#include <limits>

namespace deltaflow::bonds {

inline void append_ratio(Mode& mode, double ratio) {
    mode.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(ratio)));
}

// Of two-port number i; NaN: not known.
inline double ratio_in(const Graph& g, const Mode& mode, std::size_t i) {
    const std::size_t at = g.automata.size() + 1 + i;
    return at < mode.size() ? static_cast<double>(std::bit_cast<float>(mode[at]))
                            : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace deltaflow::bonds
