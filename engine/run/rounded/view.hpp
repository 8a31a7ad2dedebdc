// What those who look see of an island at an instant.
#pragma once

#include "engine/run/germs/slides.hpp"
#include "engine/run/instants/arrivals.hpp"
#include "engine/run/instants/automata.hpp"
#include "engine/run/instants/ledger.hpp"

namespace deltaflow {

struct Sight {
    State& state;
    const Running& at;
    ModeSystems* modes;  // only with a bond graph
    Germs& germs;
    Slides& slides;
    Outcome& outcome;
    Automata& automata;
    const Record& record;
    const Arrivals& arrivals;
    const EnergyLedger& ledger;
};

}  // namespace deltaflow
