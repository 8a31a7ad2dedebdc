// The germs of all signals in exact numbers, and what they say of conditions.
#pragma once

#include "engine/run/exact/state.hpp"

namespace deltaflow::closed_form {

class ExactGerms {
public:
    ExactGerms(ExactState& state, ExactRunning& at) : state_(state), at_(at) {}

    // The flow that leads here, or the one that goes on from here.
    Side evaluate(const ExactDiscrete& discrete, bool before) const;
    // Blocks that are demanded under these branches; without decisions, all of them.
    void mark_active(const ExactDiscrete& discrete);
    // Read forwards, as if the flow went on: the first rung that is not zero decides.
    static int forward_sign(const Side& side, NodeId node, const Quadratic& threshold = Quadratic(0));
    int decide_forward(const Side& side, NodeId brancher, int from) const;
    int decide_forward(const Side& side, NodeId brancher) const {
        return decide_forward(side, brancher, state_.now.branch[brancher]);
    }

private:
    ExactState& state_;
    ExactRunning& at_;
};

}  // namespace deltaflow::closed_form
