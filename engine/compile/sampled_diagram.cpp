// Rewriting a diagram for samples.
#include "engine/compile/sampled_diagram.hpp"

#include <algorithm>

namespace deltaflow {

bool has_impulses(const Schedule& schedule) {
    return schedule.fed > 0 || std::any_of(schedule.points.begin(), schedule.points.end(),
                                           [](const Breakpoint& p) { return !p.impulses.empty(); });
}

namespace {

bool is_dynamic(Primitive op) { return op == Primitive::integrator || op == Primitive::derivative; }

bool is_given(const Diagram& d, const Node& node) {
    switch (node.op) {
        case Primitive::pre:
        case Primitive::crossing:
        case Primitive::delay:
        case Primitive::hold:
        case Primitive::strength:
            return true;
        case Primitive::schedule:
            return has_impulses(d.schedules[node.extra]);
        default:
            return false;
    }
}

}  // namespace

SampledDiagram::SampledDiagram(const Diagram& original, bool left_sum, Sampling sampling) : left(left_sum) {
    d.inputs = original.inputs;
    d.schedules = original.schedules;
    d.clocks = original.clocks;
    d.messages = original.messages;
    std::vector<Block> derivatives;
    for (NodeId n = 0; n < original.nodes.size(); ++n) {
        Node node = original.nodes[n];
        const auto p = original.parameters_of(n);
        node.first_parameter = static_cast<std::uint32_t>(d.parameters.size());
        const bool dynamic = is_dynamic(node.op);
        if (dynamic || (sampling == Sampling::everything && is_given(original, node))) {
            const NodeId input = node.input_count > 0 ? original.inputs_of(n)[0] : no_node;
            const Block block{n, input, node.first_parameter, node.op == Primitive::integrator};
            (block.integrator ? blocks : dynamic ? derivatives : given).push_back(block);
            const bool reads =
                block.integrator ? !left : node.op == Primitive::derivative || node.op == Primitive::hold;
            node.op = Primitive::affine;
            node.input_count = reads ? 1 : 0;
            // They change with every step; told apart so that nobody takes them for equal.
            d.parameters.push_back(static_cast<double>(n) + 0.5);
            if (reads) d.parameters.push_back(1);
        } else if (node.op == Primitive::held) {  // integrators are sums: the condition itself feels it
            held.push_back({static_cast<std::uint32_t>(d.parameters.size() + 2), static_cast<int>(p[0])});
            d.parameters.insert(d.parameters.end(), {0.0, p[1], 1.0});
        } else {
            d.parameters.insert(d.parameters.end(), p.begin(), p.end());
        }
        node.parameter_count = static_cast<std::uint32_t>(d.parameters.size()) - node.first_parameter;
        d.nodes.push_back(node);
    }
    blocks.insert(blocks.end(), derivatives.begin(), derivatives.end());
}

}  // namespace deltaflow
