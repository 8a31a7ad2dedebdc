// How far signals are from others: the integrators in between.
#pragma once

#include "blocks/diagram.hpp"

#include <functional>
#include <vector>

namespace deltaflow {

inline constexpr int not_felt = -(1 << 20);

// How many integrators lie at least between the sources and each node, derivatives counted backwards;
// `not_felt`: there is no way. What sources read does not count. `passes(reader, j)`: does a reader feel its
// input j?
std::vector<int> distances(const Diagram& d, const std::vector<NodeId>& sources,
                           const std::function<bool(NodeId, std::size_t)>& passes);

}  // namespace deltaflow
