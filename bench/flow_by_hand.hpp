// The chain of oscillators as one writes it without an engine.
#pragma once

#include <vector>

namespace deltaflow::bench {

struct Chain {
    double k, c, m;  // spring, damper, mass; the two ends are fixed
    std::vector<double> x, v;
};

// Classical Runge-Kutta of order 4 with constant step.
void advance_by_hand(Chain& chain, double h, int steps);

}  // namespace deltaflow::bench
