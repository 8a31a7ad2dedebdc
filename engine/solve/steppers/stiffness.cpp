// The power method, one product at a time.
#include "engine/solve/steppers/stiffness.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

namespace {

// With fewer steps to go another method would not pay.
constexpr double steps_to_go = 100;
// An explicit step costs one to three times a step of a method for stiff flow: one that is shorter than this
// part of what stability allows is one that accuracy limits under any method.
constexpr double far_below = 1.0 / 3;
// A step within this part of the bound is near it.
constexpr double near_above = 1.0 / 4;

// The states move at less than this part of the fastest rate.
constexpr double slow_beside = 0.02;

double largest(std::span<const double> v) {
    double most = 0;
    for (const double x : v) most = std::max(most, std::abs(x));
    return most;
}

double norm(std::span<const double> v) {
    const double most = largest(v);
    if (!(most > 0) || !std::isfinite(most)) return most;
    double sum = 0;
    for (const double x : v) sum += (x / most) * (x / most);
    return most * std::sqrt(sum);
}

}  // namespace

Stiffness::Stiffness(const FlowContext& context, double reach, double slow_reach)
    : c_(context), their_guess_(*context.guess), reach_(reach), slow_reach_(slow_reach) {
    c_.guess = &guess_;
}

// A step that something else has ended, an event say, speaks against a method that begins anew there.
void Stiffness::note(double t, std::span<const double> x, double h, double h_max) {
    if (h >= h_max) {
        limited_ = std::max(limited_ - 1, 0);
        return;
    }
    if (--wait_ > 0 || x.empty()) return;
    look(t, x, h);
    wait_ = h * rho_ >= near_above * std::min(reach_, slow_reach_) ? near_every : far_every;
}

void Stiffness::archive(Archive& a) {
    bool has_right = right_.has_value();
    a(has_right, v_, rho_, wait_, limited_, far_, since_);
    if (has_right && !right_) right_.emplace(c_);
    if (has_right) a(*right_);
    w_.resize(v_.size());
    f_.resize(v_.size());
}

// One step of the power method: the slopes f, w = J v, and rho = |w|.
bool Stiffness::multiply(double t, std::span<const double> x) {
    if (!right_) right_.emplace(c_);
    if (!c_.system->derivative.loops.empty()) guess_ = their_guess_;
    if (v_.empty()) {  // a direction that the order of states has no part in
        v_.assign(x.begin(), x.end());
        w_.resize(x.size());
        f_.resize(x.size());
        const double most = largest(v_);
        for (double& v : v_) v = 1 + (most > 0 && std::isfinite(most) ? 0.5 * v / most : 0);
        const double size = norm(v_);
        for (double& v : v_) v /= size;
    }
    try {
        right_->along(t, x, v_, f_, w_);
    } catch (const RunFailure&) {
        return false;
    }
    rho_ = norm(w_);
    return rho_ > 0 && std::isfinite(rho_);
}

void Stiffness::look(double t, std::span<const double> x, double h) {
    if (!multiply(t, x)) {
        rho_ = 0;
        v_.clear();
        return clear();
    }
    double quotient = 0;
    for (std::size_t i = 0; i < v_.size(); ++i) {
        quotient += v_[i] * w_[i];
        v_[i] = w_[i] / rho_;
    }
    const bool slow = norm(f_) < slow_beside * rho_ * norm(x);
    const bool limited = h * rho_ >= (slow ? slow_reach_ : reach_) && quotient < -rho_ / 2 &&
                         c_.settings->stop - t > steps_to_go * h;
    // A look that found nothing outweighs three that did: 15 of 20 are wanted.
    limited_ = limited ? std::min(limited_ + 1, window) : std::max(limited_ - 3, 0);
    far_ = h * rho_ < far_below * reach_ ? far_ + 1 : 0;
    if (limits() && !since_) since_ = t;
}

}  // namespace deltaflow
