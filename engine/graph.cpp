// Boost.Graph, and nobody else includes it.
#include "engine/graph.hpp"

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
            graph, boost::make_iterator_property_map(result.of.begin(), boost::get(boost::vertex_index, graph)));
    return result;
}

std::vector<std::uint32_t> find_cycle(std::uint32_t start, const Edges& edges, const std::vector<std::uint32_t>& of) {
    // Breadth first from start inside its component, back to start: a shortest cycle.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> queue{{start, 0}};  // vertex, index of its parent
    std::vector<std::uint32_t> seen{start};
    for (std::size_t i = 0; i < queue.size(); ++i) {
        auto edge = std::lower_bound(edges.begin(), edges.end(), std::pair{queue[i].first, std::uint32_t{0}});
        for (; edge != edges.end() && edge->first == queue[i].first; ++edge) {
            if (edge->second == start) {
                std::vector<std::uint32_t> path;
                for (std::size_t at = i;; at = queue[at].second) {
                    path.push_back(queue[at].first);
                    if (at == 0) break;
                }
                std::reverse(path.begin(), path.end());
                return path;
            }
            if (of[edge->second] != of[start]) continue;
            if (std::find(seen.begin(), seen.end(), edge->second) != seen.end()) continue;
            seen.push_back(edge->second);
            queue.emplace_back(edge->second, static_cast<std::uint32_t>(i));
        }
    }
    return {start};
}

}  // namespace deltaflow
