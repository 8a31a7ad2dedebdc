// From a bond graph in one mode to ordinary blocks: every free node of the diagram gets its definition.
#pragma once

#include "bonds/causality.hpp"

namespace deltaflow::bonds {

// What all modes of a model share.
struct Lowering {
    const Graph* graph = nullptr;
    Ports ports;
    // Per node: does anyone read it? Displacements of masses and the like are integrated only then.
    std::vector<std::uint8_t> read;

    // `wanted`: nodes that are recorded or watched.
    Lowering(const Graph& g, const Diagram& base, const std::vector<NodeId>& wanted);
};

// The diagram of a mode. An independent I is an integrator, a dependent one a derivative; junctions are sums;
// modulated elements are products. Chains of equal signals are cut short for their readers. States of
// automata are constants, and so is what follows from them alone.
Diagram lower_mode(const Diagram& base, const Lowering& lowering, const Mode& mode, const Causality& c);

}  // namespace deltaflow::bonds
