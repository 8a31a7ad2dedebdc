// What ends a flow: the conditions that it watches.
#pragma once

#include "engine/run/germs/germs.hpp"

#include <functional>

namespace deltaflow {

class Watches {
public:
    Watches(State& state, const Running& at, Germs& germs, ModeSystems* modes)
        : state_(state), at_(at), germs_(germs), modes_(modes) {}

    // Everything that ends the present flow, from the germ at its beginning.
    void collect();
    // Where conditions that were zero not long ago stand at an instant, before anything happens.
    void note_met();
    // What has not jumped at the instant is still known from its last zero on. `before`: what flowed up to
    // it.
    void keep_fresh(const Stepper* before);
    // Conditions whose rungs are all zero, and which may leave zero all the same.
    bool rest_by_rungs_alone() const;
    bool leave_rest();
    // Rounding may leave a root just behind the stop: it is carried out still.
    bool locate_at_stop(const std::function<bool(const Watch&)>& is_just_ahead);
    // A pole that is reached where a branch ends is reached all the same.
    void check_poles() const;

private:
    void add(NodeId owner, NodeId condition, double threshold, Watching kind, int keep, int direction = 0);
    void add_branches();
    void add_guards();
    void add_singular(NodeId n);
    // Which states stand still from here on: their value, else nothing.
    void note_resting();

    State& state_;
    const Running& at_;
    Germs& germs_;
    ModeSystems* modes_;  // only with a bond graph
};

}  // namespace deltaflow
