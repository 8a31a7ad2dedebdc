// Rewriting a diagram for samples.
#include "engine/sampled_diagram.hpp"

namespace deltaflow {

SampledDiagram::SampledDiagram(const Diagram& original, bool left_sum) : left(left_sum) {
    d.inputs = original.inputs;
    d.schedules = original.schedules;
    d.clocks = original.clocks;
    d.messages = original.messages;
    for (const Primitive kind : {Primitive::integrator, Primitive::derivative})
        for (NodeId n = 0; n < original.nodes.size(); ++n)
            if (original.nodes[n].op == kind)
                blocks.push_back({n, original.inputs_of(n)[0], kind == Primitive::integrator});
    for (NodeId n = 0; n < original.nodes.size(); ++n) {
        Node node = original.nodes[n];
        const auto p = original.parameters_of(n);
        node.first_parameter = static_cast<std::uint32_t>(d.parameters.size());
        if (node.op == Primitive::integrator || node.op == Primitive::derivative) {
            const bool constant = node.op == Primitive::integrator && left;
            node.op = Primitive::affine;
            node.input_count = constant ? 0 : 1;
            // They change with every step; told apart so that nobody takes them for equal.
            d.parameters.push_back(static_cast<double>(n) + 0.5);
            if (!constant) d.parameters.push_back(1);
        } else {
            d.parameters.insert(d.parameters.end(), p.begin(), p.end());
        }
        node.parameter_count = static_cast<std::uint32_t>(d.parameters.size()) - node.first_parameter;
        d.nodes.push_back(node);
    }
}

}  // namespace deltaflow
