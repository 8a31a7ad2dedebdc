// Dormand-Prince 5(4), Runge-Kutta 4 and Rosenbrock 4 from Boost.Odeint.
#include "engine/limits.hpp"
#include "engine/rosenbrock.hpp"
#include "engine/stepper.hpp"

#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
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
using Vector = std::vector<double>;

// The end of a step and cubic Hermite interpolation in between.
class HermiteStepper : public Stepper {
public:
    explicit HermiteStepper(const FlowContext& c) : c_(c), right_(c) {
        const std::size_t n = c.system->states.size();
        for (Vector* v : {&x0_, &x1_, &f0_, &f1_}) v->assign(n, 0);
    }
    void restart() override { known_ = false; }
    bool checks_states() const override { return true; }

    void states(double s, std::span<double> x) override {
        if (s == h_) {
            std::copy(x1_.begin(), x1_.end(), x.begin());
            return;
        }
        if (!known_) know_end();
        const double u = s / h_;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double d = x1_[i] - x0_[i];
            x[i] = x0_[i] + u * (h_ * f0_[i] + u * ((3 * d - h_ * (2 * f0_[i] + f1_[i])) +
                                                    u * (h_ * (f0_[i] + f1_[i]) - 2 * d)));
        }
    }
    double rounding(std::size_t i, double) const override {
        const double slope = h_ > 0 ? (x1_[i] - x0_[i]) / h_ : 0;
        return rounding::unit * 4 * (std::abs(x0_[i]) + std::abs(x1_[i]) + std::abs((t_ + h_) * slope));
    }

protected:
    void begin(double t, std::span<const double> x) {
        std::copy(x.begin(), x.end(), x0_.begin());
        // The slope at the last step's end serves again unless something was cut short or jumped.
        if (known_ && t == t_ + h_ && std::equal(x.begin(), x.end(), x1_.begin()))
            std::swap(f0_, f1_);
        else
            right_(t, x0_, f0_);
        t_ = t;
        known_ = false;
    }
    void know_end() {
        right_(t_ + h_, x1_, f1_);
        known_ = true;
    }
    double finish(double h) {
        h_ = h;
        evaluations = right_.evaluations;
        for (std::size_t i = 0; i < x1_.size(); ++i)
            if (!std::isfinite(x1_[i]))
                throw RunFailure{.code = 7,
                                 .node = c_.system->states[i],
                                 .what = "a value is no longer finite",
                                 .advice = "the solution blows up, or the step is too long for it"};
        return h;
    }
    [[noreturn]] void too_small() const {
        throw RunFailure{
            .code = 7,
            .node = c_.system->states.empty() ? no_node : c_.system->states.front(),
            .what = "the step has become too small to go on",
            .advice = "the solution has a pole or blows up here; a stiff model wants rosenbrock4 or cvode"};
    }
    auto system() {
        return [this](const Vector& x, Vector& dxdt, double t) { right_(t, x, dxdt); };
    }

    FlowContext c_;
    RightSide right_;
    Vector x0_, x1_, f0_, f1_;
    double t_ = 0, h_ = 0;
    bool known_ = false;
};

// Steps end on the grid start + k step, and at events in between.
double to_grid(const Settings& settings, double step, double t) {
    double k = std::floor((t - settings.start) / step + 1e-9) + 1;
    double next = settings.start + k * step;
    if (next <= t) next = settings.start + (k + 1) * step;
    return next - t;
}

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

private:
    double grid_ = to_double(*c_.settings->step);
    // The generic runge_kutta4 reads slopes whose weight is 0, too.
    odeint::runge_kutta4_classic<StatesInPlace, double, Vector, double, odeint::range_algebra> stepper_;
};

class Dopri5Stepper final : public HermiteStepper {
public:
    explicit Dopri5Stepper(const FlowContext& c)
        : HermiteStepper(c),
          stepper_(odeint::make_controlled<odeint::runge_kutta_dopri5<Vector>>(c.settings->tolerance,
                                                                               c.settings->tolerance)) {}
    OneStep step(double t, std::span<const double> x, double h_max) override {
        begin(t, x);
        double h = std::min(next_ > 0 ? next_ : h_max / 100, h_max);
        const bool whole = x0_.empty();
        if (whole) return {finish(h_max)};
        for (;;) {
            double at = t, tried = h;
            const auto result = stepper_.try_step(system(), x0_, f0_, at, x1_, f1_, h);
            if (result == odeint::success) {
                known_ = true;
                next_ = tried < h_max || h > tried ? h : next_;
                return {finish(tried)};
            }
            if (!(h > smallest_step(*c_.settings, t))) too_small();
        }
    }
    void restart() override {
        HermiteStepper::restart();
        next_ = 0;
    }
    // The continuous extension of the method, of fourth order.
    void states(double s, std::span<double> x) override {
        if (s == h_ || x.empty()) return HermiteStepper::states(s, x);
        middle_.resize(x.size());
        stepper_.stepper().calc_state(t_ + s, middle_, x0_, f0_, t_, x1_, f1_, t_ + h_);
        std::copy(middle_.begin(), middle_.end(), x.begin());
    }

private:
    decltype(odeint::make_controlled<odeint::runge_kutta_dopri5<Vector>>(1.0, 1.0)) stepper_;
    double next_ = 0;
    Vector middle_;
};

class Rosenbrock4Stepper final : public HermiteStepper {
public:
    explicit Rosenbrock4Stepper(const FlowContext& c)
        : HermiteStepper(c),
          size_(c.system->states.size()),
          method_(
              size_, c.settings->tolerance,
              [this](double t, const double* x, double* dxdt) {
                  right_(t, {x, size_}, {dxdt, size_});
              },
              [this](double t, const double* x, const Rosenbrock::SetEntry& set) {
                  right_.jacobian(t, {x, size_}, set);
              }) {}
    OneStep step(double t, std::span<const double> x, double h_max) override {
        begin(t, x);
        if (x.empty()) return {finish(h_max)};
        check_squares(x);
        double h = std::min(next_ > 0 ? next_ : h_max / 100, h_max);
        for (;;) {
            const double tried = h;
            if (method_.try_step(t, x0_.data(), x1_.data(), h)) {
                next_ = h;
                return {finish(tried)};
            }
            if (!(h > smallest_step(*c_.settings, t))) too_small();
        }
    }
    void restart() override {
        HermiteStepper::restart();
        next_ = 0;
    }

private:
    // The method squares its errors. Where those overflow it would take shorter and shorter steps.
    void check_squares(std::span<const double> x) const {
        for (std::size_t i = 0; i < x.size(); ++i)
            if (std::abs(x[i]) > 1e150)
                throw RunFailure{.code = 7,
                                 .node = c_.system->states[i],
                                 .what = "a value is about to leave the finite range",
                                 .advice = "the solution blows up"};
    }

    std::size_t size_;
    Rosenbrock method_;
    double next_ = 0;
};

}  // namespace

std::unique_ptr<Stepper> make_odeint_stepper(const FlowContext& c, const std::string& method) {
    if (method == "rk4") return std::make_unique<Rk4Stepper>(c);
    if (method == "rosenbrock4") return std::make_unique<Rosenbrock4Stepper>(c);
    return std::make_unique<Dopri5Stepper>(c);
}

}  // namespace deltaflow
