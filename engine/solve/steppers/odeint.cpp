// Dormand-Prince 5(4) and Runge-Kutta 4 from Boost.Odeint.
#include "engine/solve/steppers/grid.hpp"
#include "engine/solve/steppers/hermite.hpp"

#include <boost/numeric/odeint/stepper/runge_kutta4_classic.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace deltaflow {

namespace {

// States that stand at the front of an array with room for all signals: they are evaluated where they are.
struct StatesInPlace {
    using value_type = double;
    using iterator = double*;
    using const_iterator = const double*;
    std::vector<double> a;
    std::size_t n = 0;

    double* begin() { return a.data(); }
    double* end() { return a.data() + n; }
    const double* begin() const { return a.data(); }
    const double* end() const { return a.data() + n; }
    void resize(std::size_t size) {
        n = size;
        a.resize(std::max(n, a.size()));
    }
};

}  // namespace

}  // namespace deltaflow

template <>
struct boost::numeric::odeint::is_resizeable<deltaflow::StatesInPlace> : boost::true_type {
    static constexpr bool value = true;
};

namespace deltaflow {

namespace {

namespace odeint = boost::numeric::odeint;

class Rk4Stepper final : public HermiteStepper {
public:
    using HermiteStepper::HermiteStepper;
    OneStep step(double t, std::span<const double> x, double h_max) override {
        begin(t, x);
        const double h = std::min(h_max, to_grid(*c_.settings, grid_, t));
        const auto slopes = [this](const StatesInPlace& x, Vector& dxdt, double at) {
            right_.in_place(at, const_cast<StatesInPlace&>(x).a, dxdt);  // the stepper's own scratch
        };
        stepper_.do_step(slopes, x0_, f0_, t, x1_, h);
        return {finish(h)};
    }
    // No more is known of its error than how far a step is from the trapezium under its slopes.
    double uncertainty(std::size_t i) const override {
        return known_ ? std::abs(x1_[i] - x0_[i] - h_ * (f0_[i] + f1_[i]) / 2) : 0;
    }

private:
    double grid_ = to_double(*c_.settings->step);
    // The generic runge_kutta4 reads slopes whose weight is 0, too.
    odeint::runge_kutta4_classic<StatesInPlace, double, Vector, double, odeint::range_algebra> stepper_;
};

class Dopri5Stepper final : public AdaptiveStepper {
public:
    explicit Dopri5Stepper(const FlowContext& c) : AdaptiveStepper(c, 5) {}
    // The continuous extension of the method, of fourth order.
    void states(double s, std::span<double> x) override {
        if (s == h_ || x.empty()) return HermiteStepper::states(s, x);
        middle_.resize(x.size());
        stepper_.calc_state(s, middle_, x0_, f0_, 0, x1_, f1_, h_);  // t + s would be rounded
        std::copy(middle_.begin(), middle_.end(), x.begin());
    }

private:
    void attempt(double t, const Vector& from, double h, Vector& to) override {
        const auto slopes = [this](const Vector& x, Vector& dxdt, double at) { right_(at, x, dxdt); };
        stepper_.do_step(slopes, from, f0_, t, to, f1_, h, error_);
        known_ = true;
    }

    odeint::runge_kutta_dopri5<Vector> stepper_;
    Vector middle_;
};

}  // namespace

std::unique_ptr<Stepper> make_rk4_stepper(const FlowContext& c) { return std::make_unique<Rk4Stepper>(c); }
std::unique_ptr<Stepper> make_dopri5_stepper(const FlowContext& c) {
    return std::make_unique<Dopri5Stepper>(c);
}

}  // namespace deltaflow
