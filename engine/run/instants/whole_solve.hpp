// One solve of the system at hand: branches are tried until nothing contradicts, from the same left germ.
#pragma once

#include "engine/run/germs/graph_germs.hpp"
#include "engine/run/germs/slides.hpp"
#include "engine/run/instants/arrivals.hpp"
#include "engine/run/instants/record.hpp"

namespace deltaflow {

class WholeSolve {
public:
    WholeSolve(State& state, const Running& at, Germs& germs, GraphGerms& graph, Slides& slides,
               ModeSystems* modes, const Arrivals& arrivals, Record& record)
        : state_(state),
          at_(at),
          germs_(germs),
          graph_(graph),
          slides_(slides),
          modes_(modes),
          arrivals_(arrivals),
          record_(record) {}

    void solve();
    // Branches before the start, as the flow would have them that goes on from here.
    void settle_branches();
    void check() const;

private:
    InstantInput input() const;
    void begin();
    void feed_solver();
    bool try_branches();
    bool try_branches_before();
    int branch_wanted(NodeId brancher);
    void take_states();
    void bound_anew();
    void note_slides();

    State& state_;
    const Running& at_;
    Germs& germs_;
    GraphGerms& graph_;
    Slides& slides_;
    ModeSystems* modes_;  // only with a bond graph
    const Arrivals& arrivals_;
    Record& record_;
};

}  // namespace deltaflow
