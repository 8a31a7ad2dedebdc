// Instants that accumulate: whether they do here, whether the run goes on behind, and in which states.
#pragma once

#include "engine/run/instants/automata.hpp"
#include "engine/run/instants/crossings.hpp"

namespace deltaflow {

class Accumulation {
public:
    Accumulation(const Settings& settings, State& state, const Running& at, ModeSystems* modes,
                 const Crossings& crossings, const Automata& automata, Record& record)
        : settings_(settings),
          state_(state),
          at_(at),
          modes_(modes),
          crossings_(crossings),
          automata_(automata),
          record_(record) {}

    // Do instants of this condition accumulate at the last one?
    bool is_here(NodeId condition) const;
    // Does the run go on? Then contacts and stops that take part in it close at the accumulation point.
    bool is_passed(NodeId condition);
    // There displacements are where they closed.
    void take_displacements();
    // Behind that: do such points accumulate themselves, as where a body that rocks hops whenever it turns
    // over? Then what takes part in that closes at the point where they do.
    bool goes_further();

private:
    void close_sides(NodeId room);
    bool can_close(NodeId room) const;
    NodeId room_that_closes(NodeId condition) const;
    template <class Visit>
    void for_each_open_side(const Visit& visit) const;

    const Settings& settings_;
    State& state_;
    const Running& at_;
    ModeSystems* modes_;  // only with a bond graph
    const Crossings& crossings_;
    const Automata& automata_;
    Record& record_;
    std::vector<std::pair<NodeId, double>> closing_;  // displacements, and where
    NodeId closed_ = no_node;                         // a room that closed at the last point
};

}  // namespace deltaflow
