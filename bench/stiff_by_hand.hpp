// A stiff RC ladder as one writes it for CVODE: slopes, a tridiagonal Jacobian for KLU, and nothing else.
#pragma once

#include <cstddef>

namespace deltaflow::bench {

struct StiffEnd {
    double last = 0;  // voltage behind the last stage; not a number where KLU is missing
    long steps = 0;
};

// `tolerance` relative and absolute, of a step.
StiffEnd ladder_by_cvode(std::size_t stages, double rate, double source, double stop, double tolerance);

}  // namespace deltaflow::bench
