// What automata remember from state to state: timers, and values that transitions set.
#pragma once

#include "engine/run/germs/germs.hpp"

namespace deltaflow {

class Timers {
public:
    Timers(State& state, Germs& germs, ModeSystems* modes) : state_(state), germs_(germs), modes_(modes) {}

    void set_piece(NodeId schedule, const Piece& piece);
    // From now on its timers run.
    void enter_state(std::size_t automaton, const bonds::Transition& by);
    void start(std::size_t automaton, std::uint32_t state);
    // At the end of an instant: when the timers of the states that were entered are over.
    void note();

private:
    State& state_;
    Germs& germs_;
    ModeSystems* modes_;  // only with a bond graph
};

}  // namespace deltaflow
