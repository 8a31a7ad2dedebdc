// An RC ladder as one writes it without an engine.
#pragma once

#include <vector>

namespace deltaflow::bench {

struct Ladder {
    double source, resistance, capacity;
    std::vector<double> q;  // charges
};

// Classical Runge-Kutta of order 4 with constant step.
void advance_by_hand(Ladder& ladder, double h, int steps);

}  // namespace deltaflow::bench
