// Nodes in the order in which a program visits them.
#include "engine/compile/program.hpp"

#include <algorithm>

namespace deltaflow {

std::vector<NodeId> locality_order(const Diagram& d, const Program& p) {
    std::vector<NodeId> order;
    std::vector<bool> placed(d.nodes.size(), false);
    const auto place = [&](NodeId n) {
        if (!placed[n]) order.push_back(n);
        placed[n] = true;
    };
    // States first, those that integrate the same kind of block side by side.
    std::vector<NodeId> states;
    for (NodeId n = 0; n < d.nodes.size(); ++n)
        if (d.nodes[n].op == Primitive::integrator) states.push_back(n);
    std::stable_sort(states.begin(), states.end(), [&](NodeId a, NodeId b) {
        return d.nodes[d.inputs_of(a)[0]].op < d.nodes[d.inputs_of(b)[0]].op;
    });
    for (const NodeId n : states) place(n);
    for (const NodeId n : p.order) place(n);
    for (NodeId n = 0; n < d.nodes.size(); ++n) place(n);
    return order;
}

Diagram renumber(const Diagram& d, std::span<const NodeId> order) {
    std::vector<NodeId> index(d.nodes.size(), no_node);
    for (NodeId i = 0; i < order.size(); ++i) index[order[i]] = i;
    Diagram result;
    result.nodes.reserve(order.size());
    for (const NodeId old : order) {
        Node node = d.nodes[old];
        node.first_input = static_cast<std::uint32_t>(result.inputs.size());
        node.first_parameter = static_cast<std::uint32_t>(result.parameters.size());
        for (const NodeId input : d.inputs_of(old)) result.inputs.push_back(index[input]);
        for (const double x : d.parameters_of(old)) result.parameters.push_back(x);
        result.nodes.push_back(node);
    }
    result.schedules = d.schedules;
    result.clocks = d.clocks;
    result.messages = d.messages;
    for (const auto& [node, value] : d.guesses)
        if (index[node] != no_node) result.guesses.emplace_back(index[node], value);
    return result;
}

}  // namespace deltaflow
