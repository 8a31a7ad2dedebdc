// Stiff lines as one writes them for CVODE: slopes, a tridiagonal Jacobian for KLU, and nothing else.
#pragma once

#include <cstddef>

namespace deltaflow::bench {

struct StiffEnd {
    double last = 0;  // the state that is asked for; not a number where KLU is missing
    long steps = 0;
};

// An RC ladder, the voltage behind its last stage; a wave of reaction and diffusion, the cell at `place`.
// `tolerance` relative and absolute, of a step.
StiffEnd ladder_by_cvode(std::size_t stages, double rate, double source, double stop, double tolerance);
StiffEnd wave_by_cvode(std::size_t cells, double diffusion, std::size_t place, double stop, double tolerance);

}  // namespace deltaflow::bench
