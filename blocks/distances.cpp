// Shortest ways through a diagram, counted in integrators.
#include "blocks/distances.hpp"

#include "blocks/kernels.hpp"

#include <deque>

namespace deltaflow {

namespace {

// Derivatives that outnumber the integrators around a loop bring signals nearer without end.
constexpr int nearest = -64;

struct Edge {
    NodeId reader;
    std::uint32_t input;
};

std::vector<std::vector<Edge>> edges_of(const Diagram& d) {
    std::vector<std::vector<Edge>> edges(d.nodes.size());
    for (NodeId n = 0; n < d.nodes.size(); ++n) {
        const auto in = d.inputs_of(n);
        for (std::uint32_t j = 0; j < in.size(); ++j) edges[in[j]].push_back({n, j});
    }
    return edges;
}

}  // namespace

std::vector<int> distances(const Diagram& d, const std::vector<NodeId>& sources,
                           const std::function<bool(NodeId, std::size_t)>& passes) {
    constexpr int far = 1 << 20;
    const auto edges = edges_of(d);
    std::vector<int> distance(d.nodes.size(), far);
    std::vector<bool> is_source(d.nodes.size(), false);
    std::deque<NodeId> work(sources.begin(), sources.end());
    for (const NodeId n : sources) {
        distance[n] = 0;
        is_source[n] = true;
    }
    const auto is_felt = [&](const Edge& e) {
        if (d.nodes[e.reader].op == Primitive::affine && d.parameters_of(e.reader)[e.input + 1] == 0)
            return false;
        return shift_of(d, e.reader, e.input) != unread && passes(e.reader, e.input);
    };
    while (!work.empty()) {
        const NodeId n = work.front();
        work.pop_front();
        for (const Edge& e : edges[n]) {
            if (is_source[e.reader] || !is_felt(e)) continue;
            const int there = distance[n] - shift_of(d, e.reader, e.input);
            if (there >= distance[e.reader] || there < nearest) continue;
            distance[e.reader] = there;
            work.push_back(e.reader);
        }
    }
    for (int& x : distance)
        if (x == far) x = not_felt;
    return distance;
}

}  // namespace deltaflow
