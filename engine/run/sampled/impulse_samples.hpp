// Impulses and delays on samples, with the actual steps.
#pragma once

#include "engine/model/archive.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace deltaflow {

// A source's impulses as difference quotients of its sampled steps: an impulse of order n is a step that is
// differenced n + 1 times, and occupies n + 1 samples.
//
// Right sum: D_i = (D_{i+1} - D_{i+1} of the sample before + what jumps now) / h, D_{n+1} = 0; D_0 is the
// sample. Left sum: forward differences over the steps that follow, so these must be known.
class ImpulseSamples {
public:
    explicit ImpulseSamples(std::size_t orders) : before_(orders + 1, 0), jump_(before_) {}

    // Right sum: the impulses act in the next sample.
    void strike(std::span<const double> impulses);
    // Left sum: the impulses act in this sample; these are the steps that follow, 2 n + 1 of them.
    void strike(std::span<const double> impulses, std::span<const double> steps);
    bool active() const { return active_; }
    // The sample at the end of a step h.
    double sample(double h) const;
    // That step has been taken.
    void accept(double h);
    void archive(Archive& a) { a(before_, jump_, coming_, active_); }

private:
    std::vector<double> before_, jump_;  // per order
    std::vector<double> coming_;         // left sum: samples, the present one first
    bool active_ = false;
};

// A delay of a whole number of steps. A sample stands for the step that integrates it, the one that ends in
// it (right sum) or the one that follows (left sum), and so does a delayed one: where steps are split it is
// the mean over its step, so that no impulse loses or gains.
class DelaySamples {
public:
    DelaySamples(double by, double initial, double step);
    double by() const { return by_; }

    // The delayed sample for the step from `from` to `to`.
    double sample(double from, double to) const;
    // The input's sample for the step from `from` to `to`, which may be open still.
    void accept(double from, double to, double u);
    void amend(double u) { pieces_.back().u = u; }
    // Left sum: the step from `from`, for which the delayed sample u was given, was planned up to `planned`
    // and ended in `to`. What it did not deliver is owed to the next one.
    void settle(double from, double planned, double to, double u);
    void archive(Archive& a) { a(by_, initial_, slack_, owed_, pieces_, first_); }

private:
    struct Piece {
        double from, to, u;
    };
    double area(double from, double to) const;

    double by_, initial_, slack_;
    double owed_ = 0;            // area
    std::vector<Piece> pieces_;  // one after the other; before them `initial`
    std::size_t first_ = 0;      // those before this one are behind
};

}  // namespace deltaflow
