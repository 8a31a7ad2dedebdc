// Boost.Graph, and nobody else includes it.
#include "engine/compile/graph.hpp"

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>

#include <algorithm>

namespace deltaflow {

Components strong_components(std::uint32_t vertices, const Edges& edges) {
    using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                     boost::no_property, std::uint32_t, std::uint32_t>;
    const Graph graph(boost::edges_are_sorted, edges.begin(), edges.end(), vertices);
    Components result;
    result.of.resize(vertices);
    // On "needs" edges components are numbered when they are finished: what is needed comes first.
    if (vertices > 0)
        result.count = boost::strong_components(
            graph,
            boost::make_iterator_property_map(result.of.begin(), boost::get(boost::vertex_index, graph)));
    return result;
}

std::vector<std::uint32_t> find_cycle(std::span<const std::uint32_t> first,
                                      std::span<const std::uint32_t> columns) {
    // Breadth first from vertex 0 until an edge leads back to it: a shortest cycle.
    const auto n = first.size() - 1;
    std::vector<std::uint32_t> parent(n, static_cast<std::uint32_t>(n)), queue{0};
    for (std::size_t i = 0; i < queue.size(); ++i)
        for (auto e = first[queue[i]]; e < first[queue[i] + 1]; ++e) {
            const std::uint32_t to = columns[e];
            if (to == 0) {
                std::vector<std::uint32_t> path;
                for (auto at = queue[i]; at != 0; at = parent[at]) path.push_back(at);
                path.push_back(0);
                std::reverse(path.begin(), path.end());
                return path;
            }
            if (parent[to] != n) continue;
            parent[to] = queue[i];
            queue.push_back(to);
        }
    return {0};
}

}  // namespace deltaflow
