// Samples of a flow, and looks into the step at hand.
#include "engine/run/flow/sampler.hpp"

#include "engine/limits.hpp"
#include "engine/solve/finite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace deltaflow {

// Evaluates what is shown; gives the first block that is not finite.
NodeId Sampler::show(std::span<const double> x, double t) {
    for (std::size_t i = 0; i < at_.s->states.size(); ++i) *at_.m->output.at(at_.s->states[i]) = x[i];
    fill_delayed(state_, at_.s->delays, at_.m->output, t, static_cast<int>(at_.m->output.stride));
    const Frame<double> f{at_.m->output.a.data(), at_.m->output.stride, &at_.s->d, &state_.now, t};
    try {
        execute(at_.s->output, at_.m->output_work, f, -at_.s->output.highest, 0);
    } catch (RunFailure& failure) {
        failure.t = t;
        throw;
    }
    return first_not_finite(at_.s->output, f, state_.active.empty() ? nullptr : &state_.active);
}

// The same at s of the step. `good` is where that is known already: what cannot be followed from there at
// once is followed in two halves.
NodeId Sampler::show_at(double s, double good) {
    at_.m->stepper->states(s, at_.m->scratch);
    conditions_.predict_loops(s);
    for (std::size_t i = 0; i < at_.m->scratch.size(); ++i)
        if (!std::isfinite(at_.m->scratch[i])) return at_.s->states[i];
    try {
        return show(at_.m->scratch, state_.t + s);
    } catch (const RunFailure& failure) {
        if (failure.loop.empty() || at_.m->stepper->has_series() || s - good <= same_time(state_.t + s))
            throw;
    }
    const double middle = 0.5 * (good + s);
    show_at(middle, good);
    return show_at(s, middle);
}

// Within a step: all is finite at `good` and not any more at `bad`. The run ends where that happens.
void Sampler::fail_between(double good, double bad) {
    while (bad - good > same_time(state_.t + bad)) {
        const double middle = 0.5 * (good + bad);
        if (middle <= good || middle >= bad) break;
        (show_at(middle, good) == no_node ? good : bad) = middle;
    }
    const NodeId node = show_at(bad, good);
    RunFailure failure =
        not_finite(Frame<double>{at_.m->output.a.data(), at_.m->output.stride, &at_.s->d, &state_.now}, node);
    failure.t = state_.t + bad;
    throw failure;
}

// `good`: how far into the step all is known to be finite; below 0 there is no step.
void Sampler::write(NodeId node, double t, double good) {
    if (node != no_node) {
        if (good >= 0) fail_between(good, t - state_.t);
        RunFailure failure = not_finite(
            Frame<double>{at_.m->output.a.data(), at_.m->output.stride, &at_.s->d, &state_.now}, node);
        failure.t = t;
        throw failure;
    }
    const Rungs<double>& output = at_.m->output;
    auto column = samples_.columns.begin();
    for (const auto& shown : at_.s->outputs) (column++)->push_back(*output.at(shown.node));
}

// False if there are more than can be handed on at a time: those go on where the last of them was.
bool Sampler::take_some_before(double t_end) {
    const double limit = t_end - same_time(t_end);
    const std::size_t first = state_.next_sample;
    double good = 0;
    for (double ts; state_.next_sample < times_.size() && (ts = times_[state_.next_sample]) < limit;) {
        if (state_.next_sample - first == limits::samples_in_a_part) return false;
        const double s = std::max(0.0, ts - state_.t);
        if (state_.next_sample == first && first > 0) good = std::max(0.0, times_[first - 1] - state_.t);
        write(show_at(s, good), ts, good);
        good = s;
        ++state_.next_sample;
    }
    return true;
}

void Sampler::take_before(double t_end) {
    while (!take_some_before(t_end)) {
    }
}

// A sample at the very time of an instant is the right limit.
void Sampler::take_all_here() {
    while (state_.next_sample < times_.size() &&
           times_[state_.next_sample] <= state_.t + same_time(state_.t)) {
        write(show(state_.x, state_.t), state_.t, -1);
        ++state_.next_sample;
    }
}

// Samples at this very time that nobody has yet are taken once more, behind what comes.
void Sampler::take_again() {
    std::size_t& next = state_.next_sample;
    while (next > samples_.first && times_[next - 1] >= state_.t - same_time(state_.t)) --next;
    samples_.rewind(next);
}

}  // namespace deltaflow
