// Strong components of a dependency graph, in the order of evaluation.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace deltaflow {

// An edge (a, b): a needs b.
using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

struct Components {
    std::vector<std::uint32_t> of;  // vertex -> component; what is needed comes first
    std::uint32_t count = 0;
};

// `edges` must be sorted by their first vertex.
Components strong_components(std::uint32_t vertices, const Edges& edges);

// A cycle within the vertices for which inside(v) holds, as v0 -> v1 -> ... -> v0 (v0 not repeated).
std::vector<std::uint32_t> find_cycle(std::uint32_t start, const Edges& edges, const std::vector<std::uint32_t>& of);

}  // namespace deltaflow
