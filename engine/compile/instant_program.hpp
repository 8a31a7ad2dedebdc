// Instant programs: right limits and impulses of one instant, rung by rung, in the order of evaluation.
#pragma once

#include "blocks/diagram.hpp"
#include "engine/compile/analysis.hpp"
#include "engine/numerics/tearing.hpp"

#include <vector>

namespace deltaflow {

enum class RungKind : std::uint8_t { right, impulse, decide };

// One rung to compute: right limit [order], coefficient of delta^(order), or the branch to take.
struct RungStep {
    NodeId node;
    RungKind kind;
    std::uint8_t order;
};

// Rungs that depend on each other at an instant: steps [first, first + count).
struct InstantLoop {
    std::uint32_t first, count;
    std::vector<std::uint32_t> rows, columns;  // Jacobian, identity first; relative to `first`
    bool affine;
    Tearing tearing = {};  // where Newton begins; only if it is not affine
};

struct InstantProgram {
    std::vector<RungStep> steps;
    std::vector<std::int32_t> loop_at;  // per step: index of the loop that starts here, or -1
    std::vector<InstantLoop> loops;
    std::uint32_t right_rungs = 1, impulse_rungs = 1;  // strides of the arrays
    int left_order = 0;                                // highest left rung that is read
    std::vector<NodeId> products;                      // to be checked after the solve
    std::vector<NodeId> jumping;                       // states that an impulse can reach
    std::vector<NodeId> kept;                          // other states that are read: right is left
    std::vector<NodeId> given;                         // free nodes that are read: right is left on all rungs
    std::vector<NodeId> refusing;                      // inputs must be free of impulses
};

// What is wanted of an instant.
struct InstantDemand {
    std::vector<NodeId> recorded;  // right value and impulses
    std::vector<NodeId> values;    // right value and impulses (samples, conditions)
    std::vector<NodeId> impulses;  // impulses alone
    std::vector<NodeId> defined;   // nothing of them, but an impulse that they cannot take is refused
    bool pre_flows = false;        // slopes of pre(x) after the instant are those of x: in bond graphs
};

InstantProgram compile_instant(const Diagram& d, const std::vector<Reading>& regularity,
                               const std::vector<std::int16_t>& degree, const InstantDemand& demand);

}  // namespace deltaflow
