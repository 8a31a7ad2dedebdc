// Rosenbrock 4, whose states inside a step are reached by stepping again.
#include "engine/numerics/rosenbrock.hpp"
#include "engine/solve/steppers/hermite.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

namespace {

std::vector<std::uint32_t> columns_of(const Sparsity& pattern) {
    std::vector<std::uint32_t> columns;
    for (std::uint32_t c = 0; c < pattern.size(); ++c)
        columns.insert(columns.end(), pattern.first[c + 1] - pattern.first[c], c);
    return columns;
}

// In stiff flow no interpolation between the ends of a step is as good as the ends are. So it is compared in
// the middle of the step, and where it is not, each point is reached by steps from the beginning.
class Rosenbrock4Stepper final : public AdaptiveStepper {
public:
    explicit Rosenbrock4Stepper(const FlowContext& c)
        : AdaptiveStepper(c, 4, 3 * limits::local_share),  // stiff flow forgets the errors of its steps
          size_(c.system->states.size()),
          pattern_(*sparsity_of(*c.system, size_ * size_)),
          method_(
              size_, pattern_.rows, columns_of(pattern_),
              [this](double t, std::span<const double> x, std::span<double> dxdt) { right_(t, x, dxdt); },
              [this](double t, std::span<const double> x, std::span<double> entries,
                     std::span<double> by_time) { right_.jacobian(t, x, pattern_, entries, by_time); }) {
        from_.resize(size_);
        to_.resize(size_);
    }
    OneStep step(double t, std::span<const double> x, double h_max) override {
        compared_ = false;
        method_.forget();  // a branch may have changed
        return AdaptiveStepper::step(t, x, h_max);
    }
    void states(double s, std::span<double> x) override {
        if (s == h_ || x.empty()) return HermiteStepper::states(s, x);
        if (!compared_) compare();
        if (smooth_) return HermiteStepper::states(s, x);
        step_again(s);
        std::copy(from_.begin(), from_.end(), x.begin());
    }
    int points() const override { return 5; }  // each may cost a step
    void archive(Archive& a) override {
        AdaptiveStepper::archive(a);
        a(compared_, smooth_);
        method_.forget();
    }

private:
    void attempt(double t, const Vector& from, double h, Vector& to) override {
        method_.step(t, from, h, to, error_);
    }
    // What moves fast comes to rest: no further than its own rate allows. On the way to the error the stages
    // add what they have rounded up to so many times.
    double moved_by_rounding(std::size_t i, double h) const override {
        constexpr double stages = 12;
        return stages * slope_rounding_[i] * h / (1 + h * std::abs(method_.diagonal(i)));
    }

    void compare() {
        compared_ = true;
        if (!known_) know_end();
        step_again(h_ / 2);
        for (std::size_t i = 0; i < size_; ++i) error_[i] = hermite(i, h_ / 2) - from_[i];
        smooth_ = scale_.ratio(error_, x0_, x1_) <= 1;
    }
    // The states at s, into from_.
    void step_again(double s) {
        std::copy(x0_.begin(), x0_.end(), from_.begin());
        for (double at = 0, next = s; at < s;) {
            double h = std::min(next, s - at);
            const bool last = h == s - at;
            const double tried = h;
            next = controlled(t_ + at, from_, h, to_, true);
            at = last && h == tried ? s : at + h;
            std::swap(from_, to_);
        }
    }

    std::size_t size_;
    Sparsity pattern_;
    Rosenbrock method_;
    Vector from_, to_;
    bool compared_ = false, smooth_ = false;  // of this step: the interpolation is good enough
};

}  // namespace

std::unique_ptr<Stepper> make_rosenbrock4_stepper(const FlowContext& c) {
    return std::make_unique<Rosenbrock4Stepper>(c);
}

}  // namespace deltaflow
