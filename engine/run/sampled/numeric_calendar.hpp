// What comes due on samples: schedules, clocks, what comes from outside, and impulses over their steps.
#pragma once

#include "engine/run/sampled/numeric_teller.hpp"

namespace deltaflow {

class NumericCalendar {
public:
    NumericCalendar(NumericState& state, const NumericRunning& at, Pace& pace, NumericTeller& teller)
        : state_(state), at_(at), pace_(pace), teller_(teller) {}

    // Where schedules and clocks stand when the run begins.
    void prepare();
    // All that is due in the sample at t, which closes a step h; one of them.
    void take(double t, double h);
    void take(NodeId node, double t, double h);
    // After a sample: impulses that had to wait for a whole step.
    void strike_late();
    // When a step has to begin that an impulse of order one or higher closes.
    double next_approach() const;
    // Delays out of which equal steps come again.
    std::vector<double> repeats() const;

private:
    void take_point(NodeId schedule, double t, double h);
    void take_fed(NodeId node, double t, double h);
    void strike(NodeId schedule, const std::vector<double>& impulses, double t, double h);
    NumericState::Source* source_of(NodeId schedule);

    NumericState& state_;
    const NumericRunning& at_;
    Pace& pace_;
    NumericTeller& teller_;
};

}  // namespace deltaflow
