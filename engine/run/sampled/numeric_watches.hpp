// Conditions on samples: on which side they are, and branches that follow them.
#pragma once

#include "engine/run/sampled/numeric_sheets.hpp"
#include "engine/run/sampled/numeric_solver.hpp"
#include "engine/run/sampled/numeric_teller.hpp"

#include <algorithm>
#include <vector>

namespace deltaflow {

class NumericWatches {
public:
    using Watch = NumericWatch;
    NumericWatches(NumericState& state, const NumericRunning& at, NumericSheets& sheets,
                   NumericSolver& solver, NumericTeller& teller)
        : state_(state), at_(at), sheets_(sheets), solver_(solver), teller_(teller) {}

    bool is_crossing(const Watch& w) const { return !w.guard && at_.node(w.owner).op == Primitive::crossing; }
    bool is_trigger(const Watch& w) const { return !w.guard && at_.node(w.owner).is_trigger(); }
    double value_of(const Watch& w) const { return state_.a[w.node] - w.threshold - w.zero; }
    // Zero to a small part of the way that it came in this step: the root is this sample.
    bool is_zero(const Watch& w) const;
    int side_of(const Watch& w) const;
    bool is_over(const Watch& w) const;
    // A sample at the end of a step h is there.
    void accept(double h);

    // What ends a step under the branches in force. What is known of a condition stays known.
    void collect();
    // Puts blocks of a kind on the branches that their conditions ask for, each of them twice at most; true
    // if these are others. What keeps its branch waits until the rest agrees, one by one: it must not keep
    // what it saw while they did not.
    template <class Wanted>
    bool flip(const Wanted& wanted, std::vector<NodeId>& flipped) {
        const std::size_t before = flipped.size();
        const auto flips = [&](NodeId n, bool keeps) {
            if ((at_.node(n).op == Primitive::hysteresis) != keeps || !wanted(n)) return false;
            if (std::count(flipped.begin(), flipped.end(), n) >= 2 || !flip(n)) return false;
            flipped.push_back(n);
            return true;
        };
        for (const NodeId n : at_.s->branchers) flips(n, false);
        if (flipped.size() > before) return true;
        const auto& all = at_.s->branchers;
        return std::any_of(all.begin(), all.end(), [&](NodeId n) { return flips(n, true); });
    }
    // Branches whose condition jumped over to the other side follow it within the sample.
    void settle(double t, double h);
    // Has a block's condition come to zero, or has it jumped over it under a crossing?
    bool something_happens() const;
    bool something_strikes() const;

private:
    // Of one block.
    bool flip(NodeId brancher);
    bool is_off(NodeId brancher) const;
    bool strikes(const Watch& w, double h) const;
    void add(const std::vector<Watch>& old, NodeId owner, double threshold, int side, int direction);

    NumericState& state_;
    const NumericRunning& at_;
    NumericSheets& sheets_;
    NumericSolver& solver_;
    NumericTeller& teller_;
};

}  // namespace deltaflow
