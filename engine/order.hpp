// Where each node of the flat diagram stands in the order of evaluation, and how regular it is.
#pragma once

#include "bonds/causality.hpp"
#include "engine/model/model.hpp"
#include "signal/regularity.hpp"

#include <vector>

namespace deltaflow {

// Per node of the model's diagram. Orders count from 1; what belongs to one loop shares a number; 0: nothing
// is computed there, since it is known beforehand, zero, or read by nobody.
struct Order {
    std::vector<std::uint32_t> flow, instant;
    std::vector<Regularity> regularity;
    std::vector<std::vector<NodeId>> loops;          // algebraic loops of the flow
    std::vector<std::vector<NodeId>> instant_loops;  // those that exist only at instants
    bonds::Causality causality;                      // of a bond graph in that mode
};

// Compiles a model, a bond graph in the given mode. Throws ModelError.
Order order_of(const FlatModel& model, const bonds::Mode& mode);

// The flat diagram; in the given mode, if there is a bond graph. Nodes keep their numbers.
Diagram diagram_in(const FlatModel& model, const bonds::Mode& mode);

}  // namespace deltaflow
