// A solve of an instant, of the whole or of the part that a change of mode reaches, and its commit.
#pragma once

#include "engine/run/instants/calendar.hpp"
#include "engine/run/instants/part_solve.hpp"
#include "engine/run/instants/whole_solve.hpp"

namespace deltaflow {

class Solves {
public:
    Solves(State& state, Running& at, Machineries& machineries, Germs& germs, GraphGerms& graph,
           Slides& slides, ModeSystems* modes, Outcome& outcome, Calendar& calendar, Record& record)
        : state_(state),
          at_(at),
          machineries_(machineries),
          germs_(germs),
          graph_(graph),
          slides_(slides),
          modes_(modes),
          outcome_(outcome),
          calendar_(calendar),
          whole_(state, at, germs, graph, slides, modes, calendar.arrivals(), record),
          part_(state, at, germs, modes, outcome) {}

    // From the left germ, in the mode that is tried. `first`: of the modes that are; `all`: not on a part.
    void solve(bool first, bool all);
    void commit();
    // What was right of one commit is left of the next.
    void go_on();
    // Nothing more happens at this time: time is about to flow, and the mode needs its system.
    void settle();

    void settle_guard_branches() { graph_.settle_guard_branches(); }
    WholeSolve& whole() { return whole_; }
    // pre(x) is x: at an accumulation point.
    void take_pre_plainly(bool plain) { plain_pre_ = plain; }
    bool takes_pre_plainly() const { return plain_pre_; }
    void forget_left() { part_.forget_left(); }
    // The state is another one, and this is its system.
    void be_at(const System& system);

private:
    void enter(const bonds::Mode& mode);
    void solve_whole();
    bool solve_part();
    void commit_whole();
    void check_values();
    bool leaves_origin(NodeId n);
    void land();

    State& state_;
    Running& at_;
    Machineries& machineries_;
    Germs& germs_;
    GraphGerms& graph_;
    Slides& slides_;
    ModeSystems* modes_;  // only with a bond graph
    Outcome& outcome_;
    Calendar& calendar_;
    WholeSolve whole_;
    PartSolve part_;
    bool plain_pre_ = false, landed_ = true;  // landed: the system at hand is of the mode committed
};

}  // namespace deltaflow
