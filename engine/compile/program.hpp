// Flow programs: the rungs that are demanded, in the order of evaluation, ready to run.
//
// A program is one stage that is repeated. At stage k node n computes its Taylor rung k + offset[n]; the
// offsets are the smallest that keep every rung behind those it reads, so within a stage only edges
// without slack count, and their strong components are the algebraic loops and nothing else.
#pragma once

#include "blocks/diagram.hpp"
#include "engine/compile/graph.hpp"
#include "engine/numerics/tearing.hpp"

#include <span>
#include <vector>

namespace deltaflow {

// An algebraic loop: these nodes' rungs of one stage depend on each other.
struct Loop {
    struct Member {
        NodeId node;
        int offset;
    };
    std::vector<Member> members;
    // Row i reads members columns[first[i]] ... columns[first[i+1]-1].
    std::vector<std::uint32_t> first, columns;
    int full_stage = 0;     // from this stage on all members take part
    bool affine = false;    // linear in its members at every stage
    bool constant = false;  // and its matrix depends on parameters and branches alone
    Tearing tearing;        // where Newton begins; only if it is not affine
};

// Nodes of one kind that are evaluated one after the other: order[first .. first+count).
struct Run {
    Primitive op;
    int offset = 0;
    std::uint32_t first = 0, count = 0;
    int loop = -1;   // instead: solve this loop
    int batch = -1;  // nodes in step: see Batch
};

// `count` nodes whose outputs, inputs and parameters stand at constant distances.
struct Batch {
    NodeId out = 0;
    std::uint32_t terms = 0, first_input = 0,
                  first_parameter = 0;  // into Program::batch_inputs, Diagram::parameters
    std::uint32_t parameter_step = 0;   // 0 if all have the same parameters
};

struct Program {
    std::vector<Run> runs;
    std::vector<NodeId> order;
    std::vector<Loop> loops;
    std::vector<Batch> batches;
    std::vector<std::pair<NodeId, std::int64_t>> batch_inputs;  // first node, distance
    std::vector<std::int16_t> offset;  // per node; `not_needed` if the program does not compute it
    int highest = 0;                   // largest offset: stages start at -highest
    int rungs(int last_stage) const { return last_stage + highest + 1; }
};
inline constexpr std::int16_t not_needed = -32000;

// What a program must deliver: node n up to rung (stage + offset).
struct Root {
    NodeId node;
    int offset = 0;
};

// A loop in which derivatives outnumber integrators; demand grows without end.
struct EndlessDemand {
    std::vector<NodeId> cycle;
};

// `zero[n]` nodes are identically zero in flow and not computed. With last_stage = 0 only rungs 0 and what
// they need are kept. Throws EndlessDemand.
Program compile(const Diagram& d, std::span<const Root> roots, const std::vector<std::int16_t>& degree,
                bool values_only);

// A numbering of the nodes in which a program's runs are contiguous: new index -> old node.
std::vector<NodeId> locality_order(const Diagram& d, const Program& p);

// The diagram with its nodes renumbered; parameters and inputs follow.
Diagram renumber(const Diagram& d, std::span<const NodeId> order);

}  // namespace deltaflow
