// Strong components of a dependency graph, in the order of evaluation.
#pragma once

#include <cstdint>
#include <span>
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

// A cycle through the first vertex of a loop, given what each vertex of it needs: v0 -> v1 -> ... (-> v0).
// Vertex i needs columns[first[i]] ... columns[first[i+1]-1].
std::vector<std::uint32_t> find_cycle(std::span<const std::uint32_t> first,
                                      std::span<const std::uint32_t> columns);

}  // namespace deltaflow
