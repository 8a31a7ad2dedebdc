// An island before its first instant: values, branches and states of ideal elements that it begins with.
#pragma once

#include "engine/run/rounded/commits.hpp"

namespace deltaflow {

class Beginning {
public:
    Beginning(ModeSystems* modes, State& state, Running& at, Machineries& machineries, Germs& germs,
              GraphGerms& graph, Slides& slides, Commits& commits)
        : modes_(modes),
          state_(state),
          at_(at),
          machineries_(machineries),
          germs_(germs),
          graph_(graph),
          slides_(slides),
          commits_(commits) {}

    // States, samples, timers.
    void prepare(double start);
    // All that the first instant begins with.
    void settle();

private:
    void begin_with_chart();
    void settle_before_first_instant();
    bool try_first_instant();
    void use_first_states(const bonds::Mode& found, bool jumps, bool states_jump);
    void enter();
    void check_initial_values();
    void settle_leading_flows();

    ModeSystems* modes_;  // only with a bond graph
    State& state_;
    Running& at_;
    Machineries& machineries_;
    Germs& germs_;
    GraphGerms& graph_;
    Slides& slides_;
    Commits& commits_;
};

}  // namespace deltaflow
