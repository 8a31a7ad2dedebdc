// Over a point where the series of a loop's solution end, and the solution itself goes on.
//
// u = sin(c(t) - u) has one solution for every c; where c = pi its slope is infinite, u ~ (t - t*)^(1/3). And
// a loop may say nothing at all in one point, u = u / (1 + t^2) at t = 0. Series of ever shorter steps end
// there. A leap goes on behind that point if the loop has a solution there that is on the same sheet and near
// to the last one, if the last one does not grow as before a pole, and if the states are known well enough
// all the same: x(t + h) = x + h/2 (x'(t) + x'(t + h)), wrong by less than h |x'(t + h) - x'(t)| / 2.
#pragma once

#include "engine/solve/steppers/stepper.hpp"

namespace deltaflow {

namespace limits {

// Steps that are shorter than so many of the smallest ones try to leap, and not further than this part of the
// run.
inline constexpr double leap_step = 1e3, longest_leap = 1e-6;
// Unknowns of a loop may change by this share meanwhile; if they grow, by this part over the radius of
// convergence (before a pole of order p: by p).
inline constexpr double leap_share = 0.02, leap_growth = 0.05;

}  // namespace limits

// The rungs of all nodes at the beginning of a step.
struct LeapFrom {
    double t;
    const double* rungs;
    std::uint32_t stride;
    int order;
    const Workspace& work;

    const double* of(NodeId n) const { return rungs + std::size_t{n} * stride; }
};

class Leap {
public:
    explicit Leap(const FlowContext& context);

    // How far to go, from `least` to `most`; 0 if there is nothing to go on with.
    double length(const LeapFrom& from, double least, double most);
    // Signals are straight lines over a leap.
    double end(NodeId n) const { return a_[n]; }
    std::uint64_t evaluations() const { return work_.evaluations; }

private:
    // Of a state, where it was evaluated last.
    double rate(NodeId n) const { return rungs_[std::size_t{s_.d.inputs_of(n)[0]} * stride_]; }
    bool lands(const LeapFrom& from, double h);
    bool evaluate(double t);
    bool grows(const LeapFrom& from, const Loop& loop) const;
    bool is_near(const LeapFrom& from, const Loop& loop) const;
    bool is_same_sheet(const LeapFrom& from) const;
    bool is_accurate(const LeapFrom& from, double h) const;

    FlowContext c_;
    const System& s_;
    Workspace work_;
    std::uint32_t stride_;
    std::vector<double> rungs_, guess_;
    std::vector<double> a_;  // values at the end, per node
};

}  // namespace deltaflow
