// Taylor series of adaptive step: the ladder gives x[k+1] = u[k] / (k+1) almost for free.
#include "engine/limits.hpp"
#include "engine/solve/steppers/confirmation.hpp"
#include "engine/solve/steppers/leap.hpp"
#include "engine/solve/steppers/stepper.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace deltaflow {

namespace {

// Shorter series than that are not worth a step: the block has a pole or a branch point.
constexpr int least_order = 6;
// Accuracy that is so many times finer than the rounding of a slope costs steps without end.
constexpr double far_below_rounding = 1e8;

class TaylorStepper final : public Stepper {
public:
    explicit TaylorStepper(const FlowContext& c)
        : c_(c),
          s_(*c.system),
          work_(s_.series),
          stride_(static_cast<std::uint32_t>(s_.series.rungs(s_.order))),
          a_(s_.d.nodes.size() * std::size_t{stride_}, 0),
          step_{a_.data(), stride_, s_.order, 0} {
        series_ = &step_;
        fill_constants(s_.d, a_.data(), stride_);
        work_.guess = c.guess;
        work_.flow = c.flow;
        work_.active = c.active;
        tail_ = std::max(limits::smallest_tail, c.settings->tolerance * limits::taylor_tail);
        least_ = least_size(*c.settings);
        if (!s_.polynomial && c.settings->confirm) confirmation_.emplace(c);
    }

    OneStep step(double t, std::span<const double> x, double h_max) override {
        step_.t = t;
        for (std::size_t i = 0; i < s_.states.size(); ++i) row(s_.states[i])[0] = x[i];
        for (std::size_t i = 0; i < s_.delays.size(); ++i) c_.delayed(i, t, {row(s_.delays[i]), stride_});
        const Frame<double> f{a_.data(), stride_, &s_.d, c_.discrete, t};
        execute(s_.series, work_, f, -s_.series.highest, s_.order);
        ++evaluations;
        step_.order = s_.order;
        OneStep result{h_max};
        if (s_.polynomial)
            avoid_cancellation(result);
        else
            control(result);
        h_max_ = h_max;
        leaps_ = !s_.polynomial && std::min(result.h, last_) < least_leap() && leap();
        if (leaps_) return {leapt_};
        limit_ = result.limited_by == no_node ? HUGE_VAL : result.h;
        require_progress(result.h, h_max, result.limited_by);
        return result;
    }

    double confirmed(double end) override {
        if (!confirmation_ || leaps_) return end;
        const auto before = confirmation_->evaluations();
        const auto doubt = confirmation_->doubt(step_, end);
        evaluations += confirmation_->evaluations() - before;
        if (!doubt) {
            confirmation_->pass(step_.t + end);
            last_ = end == limit_ ? end : std::max(last_, end);
            return end;
        }
        const double factor = 0.8 * std::pow(1 / doubt->excess, 1.0 / step_.order);
        const double h = end * std::clamp(factor, limits::least_shortening, limits::most_shortening);
        if (h < least_leap() && leap()) {  // begun now, and done by the next step
            leaps_ = true;
            return last_ = std::min(end, 2 * smallest_step(*c_.settings, step_.t));
        }
        require_progress(h, end, doubt->node);
        return limit_ = last_ = h;
    }

    void states(double s, std::span<double> x) override {
        for (std::size_t i = 0; i < s_.states.size(); ++i) {
            const double* c = row(s_.states[i]);
            double sum = c[step_.order];
            for (int k = step_.order - 1; k >= 0; --k) sum = sum * s + c[k];
            x[i] = sum;
        }
    }

    double rounding(std::size_t i, double s) const override {
        const double* c = a_.data() + std::size_t{s_.states[i]} * stride_;
        double size = 0, slope = 0, power = 1;
        for (int k = 0; k <= step_.order; ++k) {
            size += std::abs(c[k] * power);
            if (k < step_.order) slope += (k + 1) * c[k + 1] * power;
            power *= s;
        }
        return rounding::unit * 2 * (size + std::abs((step_.t + s) * slope));
    }

    void archive(Archive& a) override {
        a(evaluations, work_, limit_, last_);
        if (confirmation_) a(*confirmation_);
    }

private:
    double* row(NodeId n) { return a_.data() + std::size_t{n} * stride_; }

    void require_progress(double h, double wanted, NodeId limited_by) const {
        if (h > smallest_step(*c_.settings, step_.t) || h >= wanted) return;
        throw RunFailure{.kind = ErrorKind::not_finite,
                         .node = limited_by,
                         .what = "the step has become too small to go on",
                         .advice = "the solution has a pole or blows up here"};
    }

    double least_leap() const { return limits::leap_step * smallest_step(*c_.settings, step_.t); }

    // Steps that come to nothing before a point of a loop go on behind it, if they can.
    bool leap() {
        if (s_.series.loops.empty()) return false;
        const double run = c_.settings->stop - c_.settings->start;
        if (step_.t >= refused_ && step_.t <= refused_ + limits::longest_leap * run) return false;
        if (!leap_) leap_.emplace(c_);
        const double h = leap_->length({step_.t, a_.data(), stride_, step_.order, work_}, least_leap(),
                                       std::min(h_max_, limits::longest_leap * run));
        if (h == 0) refused_ = step_.t;
        if (h == 0) return false;
        for (NodeId n = 0; n < s_.d.nodes.size(); ++n) {
            row(n)[1] = (leap_->end(n) - row(n)[0]) / h;
            std::fill(row(n) + 2, row(n) + stride_, 0);
        }
        limit_ = HUGE_VAL;
        leapt_ = h;
        last_ = 4 * h;  // so the next step is none again
        if (confirmation_) confirmation_->pass(step_.t + h);
        return true;
    }

    // A polynomial of many terms is exact, but what its terms leave of each other must be more than rounding.
    void avoid_cancellation(OneStep& result) {
        if (step_.order <= limits::polynomial_degree) return;
        for (const NodeId n : s_.controlled)
            while (live(n) && cancels(row(n), result.h)) {
                result.h *= limits::most_shortening;
                result.limited_by = n;
            }
    }
    bool cancels(const double* c, double h) const {
        double sum = 0, half = 0, terms = 0;
        for (int k = step_.order; k >= 0; --k) {
            sum = sum * h + c[k];
            half = half * 0.5 * h + c[k];
            terms = terms * h + std::abs(c[k]);
        }
        return terms > limits::cancellation * std::max({std::abs(c[0]), std::abs(half), std::abs(sum)});
    }

    // The last two terms must be small beside the largest of the first half.
    void control(OneStep& result) {
        const double run = c_.settings->stop - c_.settings->start;
        result.h = std::min({result.h, limits::longest_step * run, limits::step_growth * last_});
        for (const NodeId n : s_.controlled)
            if (live(n) && !is_finite(n)) keep_range();
        for (const NodeId n : s_.controlled)
            if (live(n)) limit(n, result);
    }
    bool is_finite(NodeId n) const {
        const double* c = a_.data() + std::size_t{n} * stride_;
        return std::all_of(c, c + step_.order + 1, [](double x) { return std::isfinite(x); });
    }

    // Powers of a rate of 1e13 a second leave the range of doubles: then the series are shorter.
    void keep_range() {
        for (const NodeId n : s_.series.order)
            while (live(n) && !is_finite(n))
                if (--step_.order < least_order) fail_at(n);
    }
    bool live(NodeId n) const { return !c_.active || (*c_.active)[n]; }

    double scale(const double* c, double h) const {
        double power = 1, size = 0;
        for (int k = 0; k <= step_.order / 2; ++k) {
            size = std::max(size, std::abs(c[k]) * power);
            power *= h;
        }
        return size;
    }

    // A state whose slope is what large terms leave of each other moves by their rounding, whatever its
    // series says: of one that begins at zero between others that move alike, nothing more can be asked.
    double moved_by_rounding(NodeId n, double h) const {
        const bool is_state = s_.d.nodes[n].op == Primitive::integrator;
        return is_state ? h * rounding_of(s_.d.inputs_of(n)[0], 3) : rounding_of(n, 3);
    }
    double rounding_of(NodeId n, int depth) const {
        double bound = rounding::unit * std::abs(a_[std::size_t{n} * stride_]);
        if (depth == 0 || s_.d.nodes[n].op != Primitive::affine) return bound;
        const auto in = s_.d.inputs_of(n);
        const auto p = s_.d.parameters_of(n);
        for (std::size_t j = 0; j < in.size(); ++j)
            bound += std::abs(p[j + 1]) * rounding_of(in[j], depth - 1);
        return bound;
    }

    void limit(NodeId n, OneStep& result) {
        const double* c = row(n);
        for (int pass = 0; pass < 60; ++pass) {
            const double h = result.h;
            double allowed = tail_ * std::max(scale(c, h), least_);
            const double last = std::abs(c[step_.order]) * std::pow(h, step_.order),
                         before = std::abs(c[step_.order - 1]) * std::pow(h, step_.order - 1);
            if (!(last > allowed) && !(before > allowed)) return;
            if (const double hidden = moved_by_rounding(n, h); hidden > far_below_rounding * allowed) {
                allowed = hidden;
                if (!(last > allowed) && !(before > allowed)) return;
            }
            double factor = 1;
            if (last > allowed) factor = std::min(factor, std::pow(allowed / last, 1.0 / step_.order));
            if (before > allowed)
                factor = std::min(factor, std::pow(allowed / before, 1.0 / (step_.order - 1)));
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
        throw RunFailure{.kind = ErrorKind::not_finite,
                         .node = n,
                         .what = "a value is not finite",
                         .advice = "look for a pole, a branch point (sqrt, log) or an overflow"};
    }

    FlowContext c_;
    const System& s_;
    Workspace work_;
    std::uint32_t stride_;
    std::vector<double> a_;
    StepSeries step_;  // of the step at hand
    std::optional<Confirmation> confirmation_;
    std::optional<Leap> leap_;
    bool leaps_ = false;
    double tail_, least_;
    double limit_ = HUGE_VAL;              // of the last step, by its own series
    double last_ = HUGE_VAL;               // the longest of late
    double h_max_ = HUGE_VAL, leapt_ = 0;  // of the step at hand
    double refused_ = HUGE_VAL;            // when there was nothing to leap to
};

}  // namespace

std::unique_ptr<Stepper> make_taylor_stepper(const FlowContext& c) {
    return std::make_unique<TaylorStepper>(c);
}

}  // namespace deltaflow
