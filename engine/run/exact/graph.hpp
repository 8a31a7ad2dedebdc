// The signals of a bond graph in exact numbers, where what came out of a solve counts and not the mode's own
// flow.
#pragma once

#include "engine/run/exact/germs.hpp"

namespace deltaflow::closed_form {

class ExactGraph {
public:
    ExactGraph(ExactState& state, ExactRunning& at, const ExactGerms& germs)
        : state_(state), at_(at), germs_(germs) {}

    // What the solve says of the graph's signals counts, also where the mode's own flow would change it at
    // once.
    void adopt_solved();
    // Branches that only guards read follow the flow without an instant of their own.
    void settle_guard_branches();
    // A mode that time flows in must keep the values that it was entered with.
    void check_kept();
    // Before the start a dependent storage has the value that the model gives it.
    void use_initial_values();
    // Do initial values contradict each other in this mode?
    bool has_contradiction() const;

private:
    void use_solved(Side& side, const ExactDiscrete& discrete) const;
    void read(Side& side, const ExactDiscrete& discrete) const;

    ExactState& state_;
    ExactRunning& at_;
    const ExactGerms& germs_;
    std::vector<std::pair<NodeId, Quadratic>> solved_;  // whose flow would have them otherwise
};

}  // namespace deltaflow::closed_form
