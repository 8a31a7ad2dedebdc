// Instants on the part of a graph that a change of mode reaches; everything else goes on as it was.
#pragma once

#include "engine/run/instants/record.hpp"

namespace deltaflow {

class PartSolve {
public:
    PartSolve(State& state, const Running& at, Germs& germs, ModeSystems* modes, Outcome& outcome)
        : state_(state), at_(at), germs_(germs), modes_(modes), outcome_(outcome) {}

    // False if the instant has to be solved on the whole graph. That is also where errors are told.
    bool solve();
    // Is what came out defined? What is not is refused, and told, by a solve of the whole.
    bool is_defined() const;
    // The left germ is another one.
    void forget_left() { branches_agree_ = false; }

private:
    bool may_be_part();
    void copy_left_germ();
    void solve(Change& c);
    void take_right_germ(Change& c);

    State& state_;
    const Running& at_;
    Germs& germs_;
    ModeSystems* modes_;
    Outcome& outcome_;
    std::vector<NodeId> differing_;  // nodes on which the right germ may differ from the left one
    bool branches_agree_ = false;    // with the left germ
};

}  // namespace deltaflow
