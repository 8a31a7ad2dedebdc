// What imposes an effort or a flow on its bonds, whatever the rest of the graph does.
#pragma once

#include "bonds/causality.hpp"

#include <optional>

namespace deltaflow::bonds {

// Sources, switches, ideal elements and inactive junctions: effort (true) or flow (false); so does a resistor
// of no resistance.
inline std::optional<bool> imposed_by(const Graph& g, const Element& e, const Mode& mode) {
    if (e.type == Type::R && e.value == 0 && e.parameter == no_node && e.law == no_node) return true;
    if (e.is_source()) return e.prefers_effort();
    if (e.type == Type::Sw) return is_on(g, e, mode);
    if (e.is_ideal()) return e.imposed[mode[static_cast<std::size_t>(e.automaton)]].effort;
    if (e.is_junction() && !is_on(g, e, mode)) return e.off == Off::effort;
    return std::nullopt;
}

}  // namespace deltaflow::bonds
