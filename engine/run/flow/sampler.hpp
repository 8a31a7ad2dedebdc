// Samples of a flow, and looks into the step at hand.
#pragma once

#include "engine/limits.hpp"
#include "engine/run/flow/conditions.hpp"
#include "engine/run/samples.hpp"

namespace deltaflow {

class Sampler {
public:
    Sampler(State& state, const Running& at, Conditions& conditions, const SampleTimes& times,
            SampleColumns& samples)
        : state_(state), at_(at), conditions_(conditions), times_(times), samples_(samples) {}

    // Evaluates what is shown; gives the first block that is not finite.
    NodeId show(std::span<const double> x, double t);
    NodeId show_at(double s, double good);
    [[noreturn]] void fail_between(double good, double bad);
    // Samples before a time, within the step at hand; false if there are more than can be handed on at a
    // time.
    bool take_some_before(double t_end);
    void take_before(double t_end);
    void take_here() {
        if (state_.next_sample < times_.size() &&
            times_[state_.next_sample] <= state_.t + same_time(state_.t))
            take_all_here();
    }
    void take_again();
    // Are there more than can be handed on at a time, so that a step may have to wait?
    bool is_long() const { return times_.size() > limits::samples_in_a_part; }
    // Where the last one stands.
    double last() const { return state_.next_sample == 0 ? -HUGE_VAL : times_[state_.next_sample - 1]; }

private:
    void take_all_here();
    void write(NodeId not_finite, double t, double good);

    State& state_;
    const Running& at_;
    Conditions& conditions_;
    const SampleTimes& times_;
    SampleColumns& samples_;
};

}  // namespace deltaflow
