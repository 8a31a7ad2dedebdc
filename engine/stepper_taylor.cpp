// Taylor series of adaptive step: the ladder gives x[k+1] = u[k] / (k+1) almost for free.
#include "engine/limits.hpp"
#include "engine/stepper.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

namespace {

class TaylorStepper final : public Stepper {
public:
    explicit TaylorStepper(const FlowContext& c)
        : c_(c),
          s_(*c.system),
          work_(s_.series),
          order_(s_.order),
          stride_(static_cast<std::uint32_t>(s_.series.rungs(s_.order))) {
        a_.assign(s_.d.nodes.size() * std::size_t{stride_}, 0);
        fill_constants(s_.d, a_.data(), stride_);
        work_.guess = c.guess;
        work_.active = c.active;
        tail_ = std::max(limits::smallest_tail, c.settings->tolerance * limits::taylor_tail);
    }

    OneStep step(double t, std::span<const double> x, double h_max) override {
        t_ = t;
        for (std::size_t i = 0; i < s_.states.size(); ++i) row(s_.states[i])[0] = x[i];
        for (std::size_t i = 0; i < s_.delays.size(); ++i) c_.delayed(i, t, {row(s_.delays[i]), stride_});
        const Frame<double> f{a_.data(), stride_, &s_.d, c_.discrete, t};
        execute(s_.series, work_, f, -s_.series.highest, order_);
        ++evaluations;
        OneStep result{h_max};
        if (!s_.polynomial) control(result);
        if (!(result.h > smallest_step(*c_.settings, t)) && result.h < h_max)
            throw RunFailure{.code = 7,
                             .node = result.limited_by,
                             .what = "the step has become too small to go on",
                             .advice = "the solution has a pole or blows up here"};
        return result;
    }

    void states(double s, std::span<double> x) override {
        for (std::size_t i = 0; i < s_.states.size(); ++i) {
            const double* c = row(s_.states[i]);
            double sum = c[order_];
            for (int k = order_ - 1; k >= 0; --k) sum = sum * s + c[k];
            x[i] = sum;
        }
    }

    bool has_series() const override { return true; }
    std::span<const double> series(NodeId n) const override {
        return {a_.data() + std::size_t{n} * stride_, static_cast<std::size_t>(order_) + 1};
    }

    double rounding(std::size_t i, double s) const override {
        const double* c = a_.data() + std::size_t{s_.states[i]} * stride_;
        double size = 0, slope = 0, power = 1;
        for (int k = 0; k <= order_; ++k) {
            size += std::abs(c[k] * power);
            if (k < order_) slope += (k + 1) * c[k + 1] * power;
            power *= s;
        }
        return rounding::unit * 2 * (size + std::abs((t_ + s) * slope));
    }

private:
    double* row(NodeId n) { return a_.data() + std::size_t{n} * stride_; }

    // The last two terms must be small beside the largest of the first half.
    void control(OneStep& result) {
        double largest = 0;
        for (const NodeId n : s_.controlled)
            if (live(n)) largest = std::max(largest, std::abs(row(n)[0]));
        const double least = 1e-20 * largest;  // what is only rounding need not be resolved
        for (const NodeId n : s_.controlled)
            if (live(n)) limit(n, least, result);
    }
    bool live(NodeId n) const { return !c_.active || (*c_.active)[n]; }

    double scale(const double* c, double h) const {
        double power = 1, size = 0;
        for (int k = 0; k <= order_ / 2; ++k) {
            size = std::max(size, std::abs(c[k]) * power);
            power *= h;
        }
        return size;
    }

    void limit(NodeId n, double least, OneStep& result) {
        const double* c = row(n);
        for (int k = 0; k <= order_; ++k)
            if (!std::isfinite(c[k])) fail_at(n);
        for (int pass = 0; pass < 60; ++pass) {
            const double h = result.h;
            const double allowed = tail_ * std::max(scale(c, h), least);
            const double last = std::abs(c[order_]) * std::pow(h, order_),
                         before = std::abs(c[order_ - 1]) * std::pow(h, order_ - 1);
            if (!(last > allowed) && !(before > allowed)) return;
            double factor = 1;
            if (last > allowed) factor = std::min(factor, std::pow(allowed / last, 1.0 / order_));
            if (before > allowed) factor = std::min(factor, std::pow(allowed / before, 1.0 / (order_ - 1)));
            if (!(factor > 0)) factor = 0.5;
            result.h = h * std::min(factor, 0.999);
            result.limited_by = n;
        }
    }

    [[noreturn]] void fail_at(NodeId n) {
        for (const NodeId m : s_.series.order)
            for (int k = 0; k < static_cast<int>(stride_); ++k)
                if (!std::isfinite(row(m)[k]) && live(m)) {
                    n = m;
                    goto found;
                }
    found:
        throw RunFailure{.code = 7,
                         .node = n,
                         .what = "a value is not finite",
                         .advice = "look for a pole, a branch point (sqrt, log) or an overflow"};
    }

    FlowContext c_;
    const System& s_;
    Workspace work_;
    int order_;
    std::uint32_t stride_;
    std::vector<double> a_;
    double tail_, t_ = 0;
};

}  // namespace

std::unique_ptr<Stepper> make_taylor_stepper(const FlowContext& c) {
    return std::make_unique<TaylorStepper>(c);
}

}  // namespace deltaflow
