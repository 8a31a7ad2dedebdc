// The part of a diagram that a change of mode can reach, compiled by itself.
//
// Definitions that change reach their readers, and the readers of these, and nobody else: all other signals
// go on as they were. So an instant at which a junction switches is solved on this part alone, and what it
// costs depends on what the junction is felt by, not on the graph.
#pragma once

#include "bonds/lower.hpp"
#include "engine/solve/instant_solver.hpp"

#include <memory>
#include <vector>

namespace deltaflow {

struct Change {
    std::vector<NodeId> nodes;  // what is reached, sorted, then what it reads beside; shared numbers
    std::uint32_t reached = 0;  // how many of the first
    std::vector<std::uint32_t> automata;  // that switch, or whose guards look at something reached
    std::vector<std::uint32_t> elements;  // controlled ones that are reached
    System s;                             // over `nodes`: definitions of the new mode, and what is given
    std::vector<std::uint8_t> reads_pre;  // per node of it: a guard's difference that reads pre(...)
    Diagram base;                         // over `nodes`: blocks, with the signals of the graph given
    Program reading;                      // what blocks make of these
    int left_order = 1;                   // left rungs that are asked for

    std::unique_ptr<InstantSolver> solver;
    Workspace germ_work, reading_work;
    std::vector<Bounded> left, right;  // rows of its nodes
    std::vector<double> guess;
};

class Changes {
public:
    Changes(const bonds::Graph& g, const bonds::Ports& ports, const Diagram& base,
            const std::vector<NodeId>& origin, const std::vector<System::Output>& outputs);

    // `lowering` has arrived at the new mode. `seeds`: nodes that have become something else. `degree`: of
    // all signals, before. Nothing if the change reaches too much, or something that an instant of the whole
    // has to look after.
    std::unique_ptr<Change> compile(bonds::Lowering& lowering, const std::vector<NodeId>& seeds,
                                    const std::vector<std::uint32_t>& switched,
                                    const std::vector<std::int16_t>& degree);

private:
    bool reach(bonds::Lowering& lowering, const std::vector<NodeId>& seeds);
    void add(NodeId n);
    void make_diagrams(Change& c, const bonds::Definitions& definitions,
                       const std::vector<std::int16_t>& degree);
    void list(Change& c, const bonds::Definitions& definitions,
              const std::vector<std::uint32_t>& switched) const;
    bool make_programs(Change& c) const;

    const Diagram& base_;
    const std::vector<NodeId>& origin_;
    bonds::Lists watching_;                // per node: automata whose guards compare it
    bonds::Lists controlled_;              // per node: controlled elements with a bond that it belongs to
    bonds::Lists recorded_;                // per node: signals of the trace
    std::vector<NodeId> nodes_, readers_;  // of the part being made
    std::vector<std::uint32_t> place_;     // node -> index among them
};

// What a change of mode may do to a node: signals of the graph jump, and dependent storages carry impulses.
Regularity at_most_in_modes(Primitive base, Primitive now);

// Does a node read pre(...) through algebra? `op` and `inputs` describe nodes.
template <class Op, class Inputs>
bool reads_pre(NodeId node, const Op& op, const Inputs& inputs) {
    std::vector<NodeId> work{node}, seen;
    while (!work.empty()) {
        const NodeId n = work.back();
        work.pop_back();
        if (std::find(seen.begin(), seen.end(), n) != seen.end()) continue;
        seen.push_back(n);
        if (op(n) == Primitive::pre) return true;
        if (op(n) == Primitive::integrator || seen.size() > 256) continue;
        for (const NodeId input : inputs(n)) work.push_back(input);
    }
    return false;
}

}  // namespace deltaflow
