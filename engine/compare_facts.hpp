// What a comparison of symbolic and numeric impulses has to know of a model.
#pragma once

#include "engine/simulate.hpp"

#include <vector>

namespace deltaflow {

// What the analysis knows of the island that carries the signal, as far as the run needs it.
struct ComparedFacts {
    int order = -1;  // highest derivative of delta that may occur in it
    int depth = 0;   // derivatives one behind the other: so many samples have no past at the start
    int lag = 0;     // integrators between what jumps and a derivative: with the left sum each is a step late
    bool located = false;           // events have to be located: with the right sum they show a step later
    std::vector<double> delays;     // what happens comes again so much later
    std::vector<NodeId> impulsive;  // nodes of the whole diagram that may carry impulses
};
ComparedFacts facts_of(const FlatModel& one);

// The symbolic run with all impulses that the signal may depend on, recorded or not. Those of a bond graph
// show on its bonds.
Trace impulses_of(const FlatModel& one, const ComparedFacts& facts, const RunControl& control);

// The largest coefficient of the highest derivative of delta in a trace.
struct Highest {
    int order = -1;
    double coefficient = 0;
};
Highest highest_impulse(const Trace& trace);

}  // namespace deltaflow
