// A diagram on samples: integrators and derivatives become affine blocks of one step (003:35).
#pragma once

#include "blocks/diagram.hpp"

#include <cmath>
#include <vector>

namespace deltaflow {

// Which blocks stop being themselves on samples: only those of (003:35), or also all that carries an impulse
// or looks at the sample before.
enum class Sampling { dynamics, everything };

// Integrator, right sum: x0 + h u; left sum: x0 + h u_before. Derivative: (u - u_before) / h.
struct SampledDiagram {
    // A block that became affine: its coefficients stand at d.parameters[parameter], constant first.
    struct Block {
        NodeId node, input;
        std::uint32_t parameter;
        bool integrator;
    };
    Diagram d;
    std::vector<Block> blocks;  // integrators in the order of their nodes, then derivatives
    // Blocks whose sample is given from outside: pre, crossing, delay, sources with impulses, strength; and
    // hold, which is its input at a tick. In the order of their nodes.
    std::vector<Block> given;
    // Weights of what slides: they act on their conditions through so many sums, each over a step.
    struct Held {
        std::uint32_t scale;  // in d.parameters
        int order;
    };
    std::vector<Held> held;
    bool left;

    SampledDiagram(const Diagram& original, bool left_sum, Sampling sampling = Sampling::dynamics);
    void set_step(double h) {
        for (const Held& x : held) d.parameters[x.scale] = std::pow(h, -x.order);
    }
    void set(const Block& block, double h, double x0, double before) {
        double* p = d.parameters.data() + block.parameter;
        if (!block.integrator) {
            const double rate = 1 / h;  // a constant must have the difference zero: round both terms alike
            p[0] = -(before * rate);
            p[1] = rate;
        } else if (left) {
            p[0] = x0 + h * before;
        } else {
            p[0] = x0;
            p[1] = h;
        }
    }
};

bool has_impulses(const Schedule& schedule);

}  // namespace deltaflow
