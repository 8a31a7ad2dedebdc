// One-sided germs of an island, and what they decide: signs, branches, guards.
#pragma once

#include "engine/modes/modes.hpp"
#include "engine/run/germs/graph_reading.hpp"
#include "engine/run/germs/machinery.hpp"
#include "engine/run/state.hpp"

namespace deltaflow {

class Germs {
public:
    Germs(State& state, const Running& at, Machineries& machineries, ModeSystems* modes)
        : state_(state), at_(at), machineries_(machineries), modes_(modes), reading_(state, modes) {}

    void evaluate(OneSidedGerm& g, const Discrete& discrete, int order, bool afresh);
    GraphReading& reading() { return reading_; }

    // Of node - threshold: here, and just after.
    int value_sign(const OneSidedGerm& g, NodeId node, double threshold) const {
        return value_sign(g, node, threshold, state_.located_at(node, threshold));
    }
    int forward_sign(OneSidedGerm& g, const Discrete& discrete, NodeId node, double threshold,
                     int* zeros = nullptr);
    int decide_forward(OneSidedGerm& g, const Discrete& discrete, NodeId brancher, int from);
    int decide_forward(OneSidedGerm& g, const Discrete& discrete, NodeId brancher) {
        return decide_forward(g, discrete, brancher, state_.now.branch[brancher]);
    }
    // On a one-sided germ, read forwards: value, slope, ... as if the flow went on.
    bool holds(const bonds::Guard& guard, OneSidedGerm& g, const Discrete& discrete);
    // On which side of "not less than zero" a signal was before this instant.
    int side_before(NodeId condition);
    // Are there no rungs of a signal above k that could be other than zero?
    bool ends_at(OneSidedGerm& g, NodeId node, int k);
    // The left germ of an instant: what is located is zero there, and everything finite.
    void begin_instant(int order);
    // Blocks that are demanded under these branches; without decisions, all of them.
    void mark_active(const Discrete& discrete) {
        if (!at_.s->branchers.empty() || at_.s->released) mark_demanded(discrete);
    }
    void check_finite(const OneSidedGerm& g) const;

private:
    const System& system_of(OneSidedGerm& g);
    void respect_located();
    void mark_demanded(const Discrete& discrete);
    int value_sign(const OneSidedGerm& g, NodeId node, double threshold, const Located* located) const;
    void widen_bounds(NodeId node, double rest, int depth);
    bool stays_zero(const OneSidedGerm& g, const Located& l, int rung) const;
    bool is_touch(OneSidedGerm& g, const Discrete& discrete, const Located& l);

    State& state_;
    const Running& at_;
    Machineries& machineries_;
    ModeSystems* modes_;  // only with a bond graph
    GraphReading reading_;
};

}  // namespace deltaflow
