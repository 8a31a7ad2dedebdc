// Proof of Taylor steps.
#include "engine/solve/steppers/certify.hpp"

#include "engine/limits.hpp"
#include "engine/numerics/roots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace deltaflow {

namespace {

// Sums of some ten positive doubles are good to far more than this.
constexpr double safe = 1 + 1e-10;
constexpr int most_rejections = 200;

}  // namespace

StepProof::StepProof(const ProofContext& c)
    : c_(c),
      s_(*c.system),
      work_(s_.series),
      order_(s_.order),
      stride_(static_cast<std::uint32_t>(s_.series.rungs(s_.order + 1))),
      limit_(HUGE_VAL),
      progress_(c.settings->start) {
    const std::size_t n = s_.d.nodes.size();
    point_.assign(n * stride_, Interval(0));
    box_.assign(n * stride_, Interval(0));
    enclosure_.assign(n, Interval(0));
    fill_constants(s_.d, point_.data(), stride_);
    fill_constants(s_.d, box_.data(), stride_);
    is_state_.assign(n, 0);
    for (const NodeId x : s_.states) is_state_[x] = 1;
    work_.guess = c.guess;
    work_.active = c.active;
    work_.enclosure = enclosure_.data();
    list_saturating();
}

// In a loop the partner of tanh has to stay what the loop's equations say.
void StepProof::list_saturating() {
    saturating_.assign(s_.d.nodes.size(), no_node);
    for (NodeId y = 0; y < s_.d.nodes.size(); ++y) {
        if (s_.d.nodes[y].op != Primitive::tanh) continue;
        const auto in = s_.d.inputs_of(y);
        saturating_[in[1]] = in[0];
    }
    for (const Loop& loop : s_.series.loops)
        for (const auto& member : loop.members) saturating_[member.node] = no_node;
}

// Rungs 0 to N at the beginning of the step.
void StepProof::enclose_point(std::span<const double> x) {
    for (std::size_t i = 0; i < s_.states.size(); ++i) row(point_, s_.states[i])[0] = Interval(x[i]);
    for (std::size_t i = 0; i < s_.delays.size(); ++i)
        c_.delayed(i, Interval(t_), {row(point_, s_.delays[i]), stride_});
    for (const Loop& loop : s_.series.loops)
        for (const auto& member : loop.members)
            enclosure_[member.node] = Interval(stepper_->series(member.node)[0]);
    const Frame<Interval> f{point_.data(), stride_, &s_.d, c_.discrete, Interval(t_), saturating_.data()};
    execute(s_.series, work_, f, -s_.series.highest, order_);
    ++c_.proved->series;
}

// The polynomial of a node over [0, h], with the rounding of its Bernstein coefficients.
StepProof::Range StepProof::range_of(NodeId n, double h) const {
    const auto c = stepper_->series(n);
    const Bernstein p = bernstein_from_taylor(c, h);
    const auto [low, high] = std::minmax_element(p.b.begin(), p.b.begin() + p.degree + 1);
    double sum = 0, power = 1;
    for (const double x : c) {
        sum += std::abs(x) * power;
        power *= h;
    }
    const double noise = 16 * rounding::unit * static_cast<double>(c.size() + 1) * sum;
    return {*low - noise, *high + noise};
}

// The size of what a node adds up.
double StepProof::terms(NodeId n) const {
    const auto size = [&](NodeId m) {
        const double x = magnitude(row(point_, m)[0]);
        return std::isfinite(x) ? x : 0.0;
    };
    if (s_.d.nodes[n].op != Primitive::affine) return size(n);
    const auto p = s_.d.parameters_of(n);
    const auto in = s_.d.inputs_of(n);
    double sum = std::abs(p[0]);
    for (std::size_t j = 0; j < in.size(); ++j) sum += std::abs(p[j + 1]) * size(in[j]);
    return sum;
}

// What a node has shown so far, in this step, and of what was added up into it.
double StepProof::size_of(NodeId n, const Range& range, double h) const {
    const double here = std::max(std::abs(range.low), std::abs(range.high));
    const double added = is_state_[n] ? h * terms(s_.d.inputs_of(n)[0]) : terms(n);
    return std::max({(*c_.shown)[n], here, added, limits::smallest_size});
}

// |x - p| over [0, h], and Horner's own rounding.
StepProof::Bound StepProof::bound_of(NodeId n, double h) const {
    const auto c = stepper_->series(n);
    const Interval* exact = row(point_, n);
    Bound bound;
    double power = 1;
    for (int k = 0; k <= order_; ++k) {
        bound.rounding += (distance(exact[k], c[k]) + (2 * k + 2) * rounding::unit * std::abs(c[k])) * power;
        power *= h;
    }
    bound.rounding *= safe;
    bound.truncation = magnitude(row(box_, n)[order_ + 1]) * power * safe;
    return bound;
}

// The solution of a loop at the beginning lies where its solution over the whole step has no rival. (Loops
// that are affine have none anywhere.)
bool StepProof::loops_follow() const {
    for (const Loop& loop : s_.series.loops)
        for (const auto& member : loop.members) {
            if (loop.affine || !is_live(member.node)) continue;
            const Interval &a = row(point_, member.node)[0], &b = enclosure_[member.node];
            if (!(a.lo >= b.lo && a.hi <= b.hi)) return false;
        }
    return true;
}

// Everything over the whole step, with the states in their boxes.
void StepProof::enclose_step(double h) {
    const Interval time(t_, outward::up(t_ + h));
    for (const NodeId n : s_.controlled) {
        if (!is_live(n)) continue;
        const Range range = range_of(n, h);
        const double allowed = c_.settings->tolerance * size_of(n, range, h);
        enclosure_[n] = outward::widened(range.low - allowed, range.high + allowed);
        if (is_state_[n]) row(box_, n)[0] = enclosure_[n];
    }
    for (std::size_t i = 0; i < s_.delays.size(); ++i)
        c_.delayed(i, time, {row(box_, s_.delays[i]), stride_});
    const Frame<Interval> f{box_.data(), stride_, &s_.d, c_.discrete, time, saturating_.data()};
    execute(s_.series, work_, f, -s_.series.highest, order_ + 1);
    ++c_.proved->series;
}

// The largest bound of an error over [0, h], as a part of what is allowed.
double StepProof::judge(double h) {
    double worst = 0;
    worst_ = no_node;
    local_error_ = 0;
    for (const NodeId n : s_.controlled) {
        if (!is_live(n)) continue;
        const Bound bound = bound_of(n, h);
        const double size = size_of(n, range_of(n, h), h), allowed = c_.settings->tolerance * size;
        const double part = bound.sum() / allowed;
        if (is_state_[n]) local_error_ = std::max(local_error_, bound.sum() / size);
        if (part <= worst) continue;
        worst = std::isfinite(part) ? part : HUGE_VAL;
        worst_ = n;
        worst_is_rounding_ = bound.rounding > allowed;
    }
    return worst;
}

double StepProof::shorter(double h, double worst) const {
    if (worst == HUGE_VAL) return 0.25 * h;
    if (worst_is_rounding_) return 0.5 * h;
    return h * std::clamp(0.8 * std::pow(worst, -1.0 / (order_ + 1)), 1.0 / 16, 0.7);
}

double StepProof::prove(const Stepper& stepper, double t, std::span<const double> x, double h_max) {
    stepper_ = &stepper;
    t_ = t;
    enclose_point(x);
    double h = std::min(h_max, limit_);
    bool rejected = h < h_max;
    for (int pass = 0; pass < most_rejections; ++pass) {
        count_work(t);
        end_ = h * (1 + limits::proof_margin);
        enclose_step(end_);
        const double worst = loops_follow() ? judge(end_) : HUGE_VAL;
        if (worst <= 1) {
            const double growth = std::clamp(0.8 * std::pow(worst, -1.0 / (order_ + 1)), 1.2, 16.0);
            limit_ = rejected ? growth * h : HUGE_VAL;
            return h;
        }
        rejected = true;
        h = shorter(h, worst);
        if (!(h > smallest_step(*c_.settings, t))) break;
    }
    if (worst_is_rounding_)
        fail("the step cannot be proved: rounding alone is more than the tolerance allows");
    fail("the step cannot be proved, however short it is");
}

void StepProof::count_work(double t) {
    const double part = limits::proof_progress * (c_.settings->stop - c_.settings->start);
    if (t >= progress_ + part) {
        progress_ = t;
        attempts_ = 0;
    }
    if (++attempts_ > limits::proof_attempts)
        fail(fmt::format("the proof does not get on: {} tries for less than a thousandth of the run",
                         limits::proof_attempts));
}

void StepProof::fail(const std::string& what) const {
    throw RunFailure{
        .kind = ErrorKind::not_finite,
        .node = worst_,
        .what = what,
        .advice = "raise the tolerance, keep off poles and branch points, or run without certify"};
}

EnclosedSignal StepProof::enclosed(NodeId node, double threshold, int zeros, double end,
                                   std::vector<double>& c) const {
    const auto series = stepper_->series(node);
    c.assign(series.begin() + std::min<std::ptrdiff_t>(zeros, order_), series.end());
    double error = 0, slope_error = 0, power = 1, below = 0;
    if (zeros == 0) {
        c[0] -= threshold;
        error = 2 * rounding::unit * (std::abs(series[0]) + std::abs(threshold));
    }
    const Interval* exact = row(point_, node);
    for (int k = zeros; k <= order_ + 1; ++k) {
        const double off = k <= order_ ? distance(exact[k], series[k]) : magnitude(row(box_, node)[k]);
        error += off * power;
        slope_error += off * (k - zeros) * below;
        below = power;
        power *= end;
    }
    return {c, end, error * safe, slope_error * safe};
}

bool StepProof::rests(NodeId node, double threshold, double end) const {
    const Range range = range_of(node, end);
    const double off = std::max(std::abs(range.low - threshold), std::abs(range.high - threshold));
    const double size = std::max(size_of(node, range, end), std::abs(threshold));
    return off + bound_of(node, end).sum() <= c_.settings->tolerance * size;
}

bool StepProof::would_gain(NodeId node, int zeros, double end) const {
    double rounding = 0, power = 1;
    const auto series = stepper_->series(node);
    for (int k = zeros; k <= order_; ++k) {
        rounding +=
            (distance(row(point_, node)[k], series[k]) + rounding::unit * std::abs(series[k])) * power;
        power *= end;
    }
    return magnitude(row(box_, node)[order_ + 1]) * power > rounding;
}

void StepProof::accept(double h) {
    ++c_.proved->steps;
    c_.proved->local_error = std::max(c_.proved->local_error, local_error_);
    for (const NodeId n : s_.controlled) {
        if (!is_live(n)) continue;
        const Range range = range_of(n, h);
        double& shown = (*c_.shown)[n];
        shown = std::max({shown, std::abs(range.low), std::abs(range.high)});
    }
}

}  // namespace deltaflow
