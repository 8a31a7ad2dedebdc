// The ledger of energy while time flows: work, from the same series as the flow itself.
#pragma once

#include "deltaflow/energy.hpp"
#include "engine/modes/modes.hpp"
#include "engine/run/germs/machinery.hpp"

namespace deltaflow {

// What a run has taken in and given away.
struct EnergyBook {
    EnergyLedger ledger;
    double turnover = 0;  // energy that has flown or was stored at an instant
};

class Work {
public:
    Work(const State& state, const Running& at, ModeSystems* modes, EnergyBook& book)
        : state_(state), at_(at), modes_(modes), book_(book) {}

    // Over a step of length h.
    void account(double h) {
        if (modes_ && h > 0 && !at_.s->ports.empty()) add(h);
    }

private:
    void add(double h);
    void add_by_points(double h);
    void add_at(double s, double weight);

    const State& state_;
    const Running& at_;
    ModeSystems* modes_;  // only with a bond graph
    EnergyBook& book_;
};

}  // namespace deltaflow
