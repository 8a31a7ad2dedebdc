// A diagram on samples: integrators and derivatives become affine blocks of one step (003:35).
#pragma once

#include "blocks/diagram.hpp"

#include <vector>

namespace deltaflow {

// Integrator, right sum: x0 + h u; left sum: x0 + h u_before. Derivative: (u - u_before) / h.
struct SampledDiagram {
    struct Block {
        NodeId node, input;
        bool integrator;
    };
    Diagram d;
    std::vector<Block> blocks;  // integrators in the order of their nodes, then derivatives
    bool left;

    SampledDiagram(const Diagram& original, bool left_sum);
    void set(const Block& block, double h, double x0, double before) {
        double* p = d.parameters.data() + d.nodes[block.node].first_parameter;
        if (!block.integrator) {
            p[0] = -before / h;
            p[1] = 1 / h;
        } else if (left) {
            p[0] = x0 + h * before;
        } else {
            p[0] = x0;
            p[1] = h;
        }
    }
};

}  // namespace deltaflow
