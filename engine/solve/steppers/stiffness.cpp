// The power method, one product at a time.
#include "engine/solve/steppers/stiffness.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

namespace {

// With fewer steps to go another method would not pay.
constexpr double steps_to_go = 100;
// A step so short beside 1/rho is one that accuracy limits under any method.
constexpr double far_below = 1;

// The states move at less than this part of the fastest rate.
constexpr double slow_beside = 0.02;

double norm(std::span<const double> v) {
    double largest = 0, sum = 0;
    for (const double x : v) largest = std::max(largest, std::abs(x));
    if (!(largest > 0) || !std::isfinite(largest)) return largest;
    for (const double x : v) sum += (x / largest) * (x / largest);
    return largest * std::sqrt(sum);
}

}  // namespace

Stiffness::Stiffness(const FlowContext& context, double reach, double slow_reach)
    : c_(context), reach_(reach), slow_reach_(slow_reach) {}

void Stiffness::note(double t, std::span<const double> x, double h) {
    if (++steps_ % every == 0 && !x.empty()) look(t, x, h);
}

void Stiffness::look(double t, std::span<const double> x, double h) {
    if (!right_) right_.emplace(c_);
    if (v_.empty()) {  // a direction that no model prefers
        v_.resize(x.size());
        w_.resize(x.size());
        f_.resize(x.size());
        for (std::size_t i = 0; i < v_.size(); ++i) v_[i] = 1 + 0.1 * std::sin(1.0 + static_cast<double>(i));
        const double size = norm(v_);
        for (double& v : v_) v /= size;
    }
    try {
        right_->along(t, x, v_, f_, w_);
    } catch (const RunFailure&) {
        return;
    }
    rho_ = norm(w_);
    if (!(rho_ > 0) || !std::isfinite(rho_)) {
        v_.clear();
        return clear();
    }
    double quotient = 0;
    for (std::size_t i = 0; i < v_.size(); ++i) {
        quotient += v_[i] * w_[i];
        v_[i] = w_[i] / rho_;
    }
    const bool slow = norm(f_) < slow_beside * rho_ * norm(x);
    const bool limited = h * rho_ >= (slow ? slow_reach_ : reach_) && quotient < -rho_ / 2;
    // A look that found nothing outweighs three that did: 15 of 20 are wanted.
    limited_ = limited ? std::min(limited_ + 1, window) : std::max(limited_ - 3, 0);
    far_ = h * rho_ < far_below ? far_ + 1 : 0;
    if (limits() && !since_ && c_.settings->stop - t > steps_to_go * h) since_ = t;
}

}  // namespace deltaflow
