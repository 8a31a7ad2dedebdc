// Where energy went: the ledger of a bond graph.
#pragma once

#include <cstdint>
#include <vector>

namespace deltaflow {

// One instant: what was stored, and what controlled junctions and switches took out.
struct EnergyEvent {
    double t;
    std::uint32_t epsilon;
    double stored_before, stored_after, supplied;
    std::vector<std::pair<std::uint32_t, double>> dissipated;  // element, energy
};

// A run. Work counts out of sources and into resistors; instants are listed apart.
struct EnergyLedger {
    double stored_at_start = 0, stored_at_end = 0;
    std::vector<std::pair<std::uint32_t, double>> supplied, dissipated;  // element, energy while time flows
    std::vector<EnergyEvent> instants;
};

}  // namespace deltaflow
