// What blocks and storages make of a bond graph's signals in a germ.
#pragma once

#include "engine/modes/modes.hpp"
#include "engine/run/state.hpp"
#include "engine/solve/execute.hpp"

namespace deltaflow {

class GraphReading {
public:
    GraphReading(State& state, ModeSystems* modes);
    // The values of blocks, energies among them, from those of the graph.
    void read(OneSidedGerm& g, const Discrete& discrete);
    // Values that a solve has set against the flow count.
    void use_solved(OneSidedGerm& g, const Discrete& discrete);
    // On the left germ, before the start.
    void use_initial_values();

private:
    State& state_;
    ModeSystems* modes_;  // only with a bond graph
    Workspace work_;
};

// What storages hold.
double energy_of(const bonds::Element& e, const OneSidedGerm& g);
double stored_energy(const ModeSystems& modes, const OneSidedGerm& g);

}  // namespace deltaflow
