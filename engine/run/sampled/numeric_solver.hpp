// One sample: solved, and taken.
#pragma once

#include "engine/run/sampled/numeric_state.hpp"
#include "engine/run/sampled/pace.hpp"

namespace deltaflow {

class NumericSolver {
public:
    NumericSolver(NumericState& state, const NumericRunning& at, const Pace& pace)
        : state_(state), at_(at), pace_(pace) {}

    // The sample at t that closes a step h.
    void solve(double t, double h);
    // The sampled diagram as it is, at t.
    void execute_at(double t);
    // What integrators, delays and sources remember of a sample at t that has been taken.
    void accept(double t, double h);
    // Crossings that have fired are over; holds give what they have taken, until they tick again.
    void forget_fired();
    void give_held();

private:
    double value_before(std::size_t integrator) const;
    void read_past(const NumericState::Past& delay, double t, double h);

    NumericState& state_;
    const NumericRunning& at_;
    const Pace& pace_;
};

// The size of what a signal was added up from, for a bound of its rounding; is c no more than that?
double magnitude(const NumericState& state, const NumericRunning& at, NodeId n, int depth);
bool is_rounding(const NumericState& state, const NumericRunning& at, NodeId n, double c);

}  // namespace deltaflow
