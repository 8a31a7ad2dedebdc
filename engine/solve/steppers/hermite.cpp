// Interpolation inside a step, and its length by the error.
#include "engine/solve/steppers/hermite.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

namespace {
// The first step is so many of the smallest ones at least.
constexpr double first_steps = 1e4;
}  // namespace

HermiteStepper::HermiteStepper(const FlowContext& c) : c_(c), right_(c) {
    const std::size_t n = c.system->states.size();
    for (Vector* v : {&x0_, &x1_, &f0_, &f1_}) v->assign(n, 0);
}

void HermiteStepper::states(double s, std::span<double> x) {
    if (s == h_) {
        std::copy(x1_.begin(), x1_.end(), x.begin());
        return;
    }
    if (!known_) know_end();
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = hermite(i, s);
}

double HermiteStepper::hermite(std::size_t i, double s) const {
    const double u = s / h_, d = x1_[i] - x0_[i];
    return x0_[i] + u * (h_ * f0_[i] +
                         u * ((3 * d - h_ * (2 * f0_[i] + f1_[i])) + u * (h_ * (f0_[i] + f1_[i]) - 2 * d)));
}

// The slope goes from the one at the beginning to twice the mean less that; what has hardly begun to move has
// hardly been rounded.
double HermiteStepper::rounding(std::size_t i, double s) const {
    const double mean = h_ > 0 ? (x1_[i] - x0_[i]) / h_ : 0;
    const double slope = std::abs(f0_[i]) + (h_ > 0 ? 2 * s / h_ : 0) * std::abs(mean - f0_[i]);
    return rounding::unit * 4 * (2 * std::abs(x0_[i]) + (s + std::abs(t_ + s)) * slope);
}

void HermiteStepper::begin(double t, std::span<const double> x) {
    std::copy(x.begin(), x.end(), x0_.begin());
    // The slope at the last step's end serves again unless something was cut short or jumped.
    if (known_ && t == t_ + h_ && std::equal(x.begin(), x.end(), x1_.begin()))
        std::swap(f0_, f1_);
    else
        right_(t, x0_, f0_);
    t_ = t;
    known_ = false;
}

void HermiteStepper::know_end() {
    right_(t_ + h_, x1_, f1_);
    known_ = true;
}

double HermiteStepper::finish(double h) {
    h_ = h;
    evaluations = right_.evaluations;
    for (std::size_t i = 0; i < x1_.size(); ++i)
        if (!std::isfinite(x1_[i])) fail_not_finite(i);
    return h;
}

void HermiteStepper::fail_not_finite(std::size_t i) const {
    throw RunFailure{.kind = ErrorKind::not_finite,
                     .node = c_.system->states[i],
                     .what = "a value is no longer finite",
                     .advice = "the solution blows up, or the step is too long for it"};
}

AdaptiveStepper::AdaptiveStepper(const FlowContext& c, int order, double share)
    : HermiteStepper(c),
      error_(x0_.size(), 0.0),
      gathered_(error_),
      scale_(*c.settings, *c.system, share),
      order_(order),
      longest_(longest_sampled_step(*c.settings)) {}

void AdaptiveStepper::restart() {
    HermiteStepper::restart();
    next_ = 0;
}

void AdaptiveStepper::forget_errors() {
    std::fill(error_.begin(), error_.end(), 0.0);
    std::fill(gathered_.begin(), gathered_.end(), 0.0);
}

double AdaptiveStepper::uncertainty(std::size_t i) const {
    return scale_.in_all(i, std::max(std::abs(x0_[i]), std::abs(x1_[i])));
}

double AdaptiveStepper::drift(std::size_t i) const {
    return std::min(uncertainty(i), limits::error_estimates * (gathered_[i] + std::abs(error_[i])));
}

OneStep AdaptiveStepper::step(double t, std::span<const double> x, double h_max) {
    begin(t, x);
    for (std::size_t i = 0; i < x.size(); ++i) gathered_[i] += std::abs(error_[i]);
    if (longest_ < h_max) h_max = told_by_times(t, longest_);
    if (x.empty()) return {finish(h_max)};
    scale_.show(x, t == c_.settings->start);
    const double wanted = next_ > 0 ? next_ : first_length(h_max);
    double h = std::min(wanted, h_max);
    const bool cut_short = h < wanted;
    if (h < h_max) h = told_by_times(t, h);
    const double next = controlled(t, x0_, h, x1_);
    next_ = cut_short ? std::max(next, wanted) : next;
    scale_.show(x1_);
    return {finish(h)};
}

// So far that no state moves by more than a part of its size; a state that is zero, or what rounding leaves
// of it, says nothing.
double AdaptiveStepper::first_length(double h_max) const {
    double h = h_max / 100;
    for (std::size_t i = 0; i < x0_.size(); ++i)
        if (const double size = scale_.shown(i); size > 0 && h * std::abs(f0_[i]) > limits::first_move * size)
            h = limits::first_move * size / std::abs(f0_[i]);
    return std::max(h, std::min(h_max, first_steps * smallest_step(*c_.settings, t_)));
}

double AdaptiveStepper::controlled(double t, const Vector& from, double& h, Vector& to, bool inside) {
    slope_rounding_.clear();
    right_.remember_loops();
    for (int tries = 0;; ++tries) {
        if (tries > 0) right_.recall_loops();
        const double ratio = ratio_of(t, from, h, to, tries);
        const double factor =
            ratio > 0 ? std::clamp(0.9 * std::pow(ratio, -1 / order_), 0.1, tries > 0 ? 1.0 : 5.0) : 5;
        if (ratio <= 1) return h * factor;
        h *= std::min(factor, 0.9);
        if (!inside) h = told_by_times(t, h);
        if (!(h > smallest_step(*c_.settings, t))) fail_too_small(ratio);
    }
}

// Where shorter steps do not help, the error may be the rounding of the slopes, and is that of the next
// steps, too.
double AdaptiveStepper::ratio_of(double t, const Vector& from, double h, Vector& to, int tries) {
    failure_ = nullptr;
    try {
        attempt(t, from, h, to);
    } catch (const RunFailure&) {
        failure_ = std::current_exception();
        return HUGE_VAL;
    }
    const double ratio = scale_.ratio(error_, from, to);
    if (ratio <= 1 && tries == 0) rounded_ = false;
    if (ratio <= 1 || !std::isfinite(ratio) || (tries < 2 && !rounded_)) return ratio;
    if (slope_rounding_.empty()) right_.rounding(t, from, slope_rounding_);
    for (std::size_t i = 0; i < error_.size(); ++i)
        error_[i] = std::max(0.0, std::abs(error_[i]) - 4 * moved_by_rounding(i, h));
    const double rest = scale_.ratio(error_, from, to);
    rounded_ = rest <= 1;
    return rest;
}

void AdaptiveStepper::fail_too_small(double ratio) const {
    if (failure_) std::rethrow_exception(failure_);
    for (std::size_t i = 0; i < x1_.size(); ++i)
        if (!std::isfinite(ratio) && !std::isfinite(x1_[i])) fail_not_finite(i);
    throw RunFailure{
        .kind = ErrorKind::not_finite,
        .node = c_.system->states.empty() ? no_node : c_.system->states.front(),
        .what = "the step has become too small to go on",
        .advice = "the solution has a pole or blows up here; a stiff model wants rosenbrock4 or cvode"};
}

}  // namespace deltaflow
