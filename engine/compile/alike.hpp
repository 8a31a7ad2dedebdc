// Models that differ in numbers alone share their programs.
#pragma once

#include "engine/compile/system.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace deltaflow {

// What compiling knows of the numbers of a diagram: which of them are equal, their signs, and what follows
// for blocks that may jump or not. Diagrams of the same nodes and with the same facts compile to the same
// programs, unless loops are torn, which goes by the numbers themselves.
using Facts = std::vector<std::uint32_t>;
Facts facts_of(const Diagram& d);
// What the numbers of a node, and of those that it reads, say beside their signs and which of them are equal.
std::optional<std::uint32_t> fact_of(const Diagram& d, NodeId n);

// The same blocks with the same inputs, and the same signals recorded; only numbers may differ.
bool has_same_structure(const FlatModel& a, const FlatModel& b);

// Does no program depend on the numbers but by their facts?
bool can_rebind(const std::vector<System>& systems);

// Gives systems the numbers of a model with the same structure and facts.
void rebind(std::vector<System>& systems, const FlatModel& model);

}  // namespace deltaflow
