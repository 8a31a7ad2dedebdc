// Crossings at an instant: which of them fire, and what rounding hides of them.
#pragma once

#include "engine/run/instants/arrivals.hpp"
#include "engine/run/instants/record.hpp"

namespace deltaflow {

class Crossings {
public:
    Crossings(const Settings& settings, State& state, const Running& at, Germs& germs)
        : settings_(settings), state_(state), at_(at), germs_(germs) {}

    void begin_instant() { unresolved_ = no_node; }
    // By the left germ at t; then those whose inputs have jumped over zero.
    void fire(bool first, Arrivals& arrivals, Record& record);
    // Has crossing i come to its other side, or been struck, by what was committed? It fires next.
    bool fires_again(std::size_t i);
    // A condition that this instant has turned back, too little to be told.
    NodeId unresolved() const { return unresolved_; }

private:
    void fire_by_left_germ();
    bool may_only_touch(NodeId c);
    void note_hidden_turn(std::size_t crossing, int side);

    const Settings& settings_;
    State& state_;
    const Running& at_;
    Germs& germs_;
    NodeId unresolved_ = no_node;
};

}  // namespace deltaflow
