// Conditions of a flow within the step at hand: values and sides, by the step's series or by the equations.
#pragma once

#include "engine/run/germs/machinery.hpp"
#include "engine/run/state.hpp"

#include <limits>
#include <optional>
#include <span>

namespace deltaflow {

// So near to underflow nothing is known to its rounding.
inline constexpr double underflow =
    std::numeric_limits<double>::min() / std::numeric_limits<double>::epsilon();

// So near to each other, as a part of the step, two points may be one root.
inline constexpr double near_root = 1e-4;

// A root that a step leads to.
struct Reached {
    double at;  // seconds after the beginning of the step
    const Watch* watch;
};

// A step, up to its first root if it has one.
struct FlowStep {
    double h;
    std::optional<Reached> root = {};
};

class Conditions {
public:
    Conditions(State& state, const Running& at) : state_(state), at_(at) {}

    // A step of this length is looked at.
    void begin(double h) { step_ = h; }
    double step() const { return step_; }

    // All of them s after its beginning, or in a given point, into the rows of the machinery.
    void evaluate(double s);
    void evaluate(std::span<const double> x, double t);
    void evaluate_bounded(double s, double t, double errors, bool fresh);
    // Newton begins where the series of the step has the unknowns.
    void predict_loops(double s) {
        if (!at_.m->looped.empty() && at_.m->stepper->has_series()) follow_loops(s);
    }

    double value(const Watch& w, double s);
    std::optional<Bounded> by_equations(const Watch& w, double s, double t);
    int side_by_equations(const Watch& w, double s, double t);
    double doubt_of(const Watch& w, double s);
    bool may_be_wrong(const Watch& w, double s) const;
    // The side of a crossing's condition after a step.
    int side_at_end(const Watch& w, double h);

    // A condition at a point, the root at the beginning of the flow divided out, and what is left open of it.
    struct Reading {
        double value = 0, open = 0;
    };
    Reading reading(const Watch& w, double s) const;
    Reading read(const Watch& w, double s);

private:
    void follow_loops(double s);

    State& state_;
    const Running& at_;
    double step_ = 0;
};

}  // namespace deltaflow
