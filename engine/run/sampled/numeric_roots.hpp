// Roots of conditions on samples: a step is solved again with shorter h until it ends in one.
#pragma once

#include "engine/run/sampled/numeric_watches.hpp"

#include <optional>

namespace deltaflow {

class NumericRoots {
public:
    NumericRoots(NumericState& state, const NumericRunning& at, const Pace& pace, NumericSolver& solver,
                 const NumericWatches& watches)
        : state_(state), at_(at), pace_(pace), solver_(solver), watches_(watches) {}

    // The first root in a step that has been solved, and which conditions are zero there. The sample is left
    // solved up to there.
    std::optional<double> first(double h);

private:
    std::optional<double> root_of(const NumericWatch& w, double h);
    bool begins_with_root(const NumericWatch& w, double at_first, double at_end) const;
    double look_back(const NumericWatch& root);

    NumericState& state_;
    const NumericRunning& at_;
    const Pace& pace_;
    NumericSolver& solver_;
    const NumericWatches& watches_;
};

}  // namespace deltaflow
