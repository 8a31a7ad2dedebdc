// The bouncing ball without an engine.
#pragma once

#include <vector>

namespace deltaflow::bench {

struct Bounce {
    double t, before, after, impulse;
};

// y'' = -g from rest at height y; at the floor v becomes -v. Roots in closed form.
std::vector<Bounce> bounces_by_hand(double g, double y, double stop);

// The same with CVODE and its root finding; the first `count` bounces. Empty without SUNDIALS.
std::vector<Bounce> bounces_by_cvode(double g, double y, int count, double tolerance);

}  // namespace deltaflow::bench
