// All roots of a signal in a step, proved: the signal is a polynomial and a bound of what it leaves out.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace deltaflow {

// g(s) = sum c_k s^k + e(s) on [0, h], with |e| <= error and |e'| <= slope_error.
struct EnclosedSignal {
    std::span<const double> c;
    double h;
    double error, slope_error;
};

// In [from, to] the signal is strictly monotone and passes zero, once.
struct ProvedRoot {
    double from, to;
    int sign;  // behind it
};

struct RootProof {
    std::vector<ProvedRoot> roots;    // all of them, in order, up to where the proof got stuck
    std::optional<double> open_from;  // from there to h it is monotone, and at h too near to zero to tell
    std::optional<double> undecided;  // near there it is too near to zero to tell, and has an extreme
};

// `sign`: of g just after 0.
RootProof prove_roots(const EnclosedSignal& g, int sign);

}  // namespace deltaflow
