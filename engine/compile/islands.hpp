// Islands: what shares no signal, no bond and no automaton, cut out of a model.
#pragma once

#include "engine/model/model.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace deltaflow {

struct CutIsland {
    Diagram d;
    std::vector<NodeId> origin;                     // node -> node of the whole diagram
    bonds::Graph graph;                             // over the nodes of d
    std::vector<std::uint32_t> elements, automata;  // of the graph -> of the whole graph
    struct Output {
        NodeId node;
        std::uint32_t signal;  // of the model's record
        bool shown = true;     // in traces
    };
    std::vector<Output> outputs;
    std::vector<NodeId> named;

    // Is there a system for each mode? An automaton needs no element: blocks alone may read its states.
    bool has_modes() const { return !graph.elements.empty() || !graph.automata.empty(); }
};

// One after the other, in the order of their first nodes; recorded sources that no island owns come last, as
// one. Constants, time and other sources without state join nothing: every island has its copy. What all
// storages hold together joins them, if anybody looks at it, and so do automata that switch one at a time.
void for_each_island(const FlatModel& model, Simultaneous simultaneous,
                     const std::function<void(CutIsland)>& take);

// All of it as one island, in its own numbering.
CutIsland whole_of(const FlatModel& model);

}  // namespace deltaflow
