// Series against equations, in the points of a step where they are likely to part.
#include "engine/solve/steppers/confirmation.hpp"

#include "engine/numerics/roots.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace deltaflow {

namespace {

bool is_function(Primitive op) {
    const Traits& traits = traits_of(op);
    return traits.impulses == Impulses::refuse && !traits.branches && op != Primitive::crossing &&
           op != Primitive::held && op != Primitive::assertion;
}

double slope(std::span<const double> c, double s) {
    double sum = 0;
    for (std::size_t k = c.size(); k-- > 1;) sum = sum * s + static_cast<double>(k) * c[k];
    return sum;
}

// The largest term of the first half: the size that the signal shows over the step.
double size_of(std::span<const double> c, double h) {
    double power = 1, size = 0;
    for (std::size_t k = 0; k <= c.size() / 2; ++k) {
        size = std::max(size, std::abs(c[k]) * power);
        power *= h;
    }
    return size;
}

// Does the signal keep its direction by its first term alone, or not move at all?
bool is_monotone(std::span<const double> c, double h) {
    double power = 1, rest = 0;
    for (std::size_t k = 2; k < c.size(); ++k) {
        power *= h;
        rest += static_cast<double>(k) * std::abs(c[k]) * power;
    }
    return std::abs(c[1]) >= rest || (std::abs(c[1]) + rest) * h <= 4 * rounding::unit * std::abs(c[0]);
}

// Where the signal turns round, as well as the terms tell that matter.
void append_extremes(std::span<const double> c, double h, std::vector<double>& points) {
    std::array<double, highest_degree + 1> rate;
    double largest = 0, power = 1;
    std::size_t count = 1;
    for (std::size_t k = 1; k < c.size(); ++k, power *= h) {
        rate[k - 1] = static_cast<double>(k) * c[k];
        const double term = std::abs(rate[k - 1]) * power;
        largest = std::max(largest, term);
        if (term > limits::extreme_terms * largest) count = k;
    }
    append_roots({rate.data(), count}, h, points);
}

// A polynomial by structure that the series holds whole needs no confirmation.
bool is_approximate(const System& s, NodeId n) { return s.degree[n] == endless || s.degree[n] > s.order; }

}  // namespace

Confirmation::Confirmation(const FlowContext& context)
    : c_(context),
      s_(*context.system),
      p_(s_.confirmation),
      work_(p_),
      bounded_work_(p_),
      stride_(static_cast<std::uint32_t>(p_.rungs(0))),
      tolerance_(std::max(context.settings->tolerance, limits::least_confirmed)),
      least_(least_size(*context.settings)) {
    a_.assign(s_.d.nodes.size() * std::size_t{stride_}, 0);
    fill_constants(s_.d, a_.data(), stride_);
    guess_.assign(p_.loops.empty() ? 0 : s_.d.nodes.size(), 0);
    for (Workspace* w : {&work_, &bounded_work_}) {
        w->guess = &guess_;
        w->flow = c_.flow;
        w->active = c_.active;
    }
    delayed_.resize(stride_ + 1);
    list_checks(s_);
    list_inputs(s_);
}

void Confirmation::list_checks(const System& s) {
    std::vector<std::uint8_t> seen(s.d.nodes.size(), 0);
    for (const NodeId n : s.states) {
        const NodeId u = s.d.inputs_of(n)[0];
        if (p_.offset[u] != not_needed) checks_.push_back({n, u, Rule::rate});
        seen[n] = 1;
    }
    for (const NodeId n : s.controlled)
        if (!seen[n] && is_approximate(s, n) && p_.offset[n] >= 0) {
            checks_.push_back({n, n, Rule::value});
            seen[n] = 1;
        }
    for (const NodeId n : s.series.order) {
        const Primitive op = s.d.nodes[n].op;
        const bool curved = is_function(op) || op == Primitive::product || op == Primitive::sine;
        if (!curved || seen[n] || !is_approximate(s, n) || p_.offset[n] == not_needed) continue;
        checks_.push_back({n, n, Rule::shape});
        seen[n] = 1;
    }
}

void Confirmation::list_inputs(const System& s) {
    for (const NodeId n : s.series.order) {
        const Primitive op = s.d.nodes[n].op;
        if (!is_approximate(s, n) || p_.offset[n] == not_needed) continue;
        const auto in = s.d.inputs_of(n);
        if (op == Primitive::product && s.degree[in[0]] > 0 && s.degree[in[1]] > 0) {
            inputs_.push_back(in[0]);
            inputs_.push_back(in[1]);
        } else if (is_function(op)) {
            inputs_.push_back(in[0]);
            if (op == Primitive::atan2) inputs_.push_back(in[1]);
        }
    }
    std::sort(inputs_.begin(), inputs_.end());
    inputs_.erase(std::unique(inputs_.begin(), inputs_.end()), inputs_.end());
}

void Confirmation::list_points(const StepSeries& series, double h) {
    points_.assign(1, h);
    for (std::size_t i = witnesses_.size(); i-- > 0 && witnesses_[i] < series.t + h;)
        if (witnesses_[i] > series.t) points_.push_back(witnesses_[i] - series.t);
    for (const NodeId n : inputs_)
        if (const auto c = series.of(n); live(n) && !is_monotone(c, h)) append_extremes(c, h, points_);
}

bool Confirmation::evaluate(const StepSeries& series, double s) {
    for (const NodeId n : s_.states) a_[std::size_t{n} * stride_] = horner(series.of(n), s);
    for (std::size_t i = 0; i < s_.delays.size(); ++i)
        c_.delayed(i, series.t + s, {a_.data() + std::size_t{s_.delays[i]} * stride_, stride_});
    for (const Loop& loop : p_.loops)
        for (const auto& member : loop.members) guess_[member.node] = horner(series.of(member.node), s);
    try {
        execute(p_, work_, Frame<double>{a_.data(), stride_, &s_.d, c_.discrete, series.t + s}, -p_.highest,
                0);
    } catch (const RunFailure&) {
        return false;
    }
    return true;
}

// Delayed signals move with the rounding of the time.
void Confirmation::fill_delayed_rounding(double t) {
    for (std::size_t i = 0; i < s_.delays.size(); ++i) {
        c_.delayed(i, t, delayed_);
        for (std::uint32_t k = 0; k < stride_; ++k) {
            const double moved = (k + 1) * std::abs(delayed_[k + 1] * t);
            bounded_[std::size_t{s_.delays[i]} * stride_ + k] = {
                delayed_[k], 2 * rounding::unit * (std::abs(delayed_[k]) + moved)};
        }
    }
}

// The same with bounds: how far rounding alone may have carried the equations.
bool Confirmation::evaluate_rounding(const StepSeries& series, double s) {
    if (bounded_.empty()) bounded_.resize(a_.size());
    fill_constants(s_.d, bounded_.data(), stride_);
    for (const NodeId n : s_.states) {
        const auto c = series.of(n);
        bounded_[std::size_t{n} * stride_] = {horner(c, s), rounding_at(c, s)};
    }
    const double t = series.t + s;
    fill_delayed_rounding(t);
    const Frame<Bounded> f{bounded_.data(), stride_, &s_.d, c_.discrete, {t, rounding::unit * std::abs(t)}};
    try {
        execute(p_, bounded_work_, f, -p_.highest, 0);
    } catch (const RunFailure&) {
        return false;
    }
    return true;
}

// How far the series is off, in units of what is allowed. Most often the value alone allows it; only else the
// size that the signal shows over the step is looked up.
double Confirmation::excess(const StepSeries& series, const Check& check, double s, double h) const {
    const auto c = series.of(check.node);
    const std::size_t at = std::size_t{check.value} * stride_;
    const bool rate = check.rule == Rule::rate;
    double off = rate ? h * std::abs(slope(c, s) - a_[at]) : std::abs(horner(c, s) - a_[at]);
    if (with_rounding_) off -= 4 * (rate ? h : 1.0) * bounded_[at].bound;
    const double part = check.rule == Rule::shape ? limits::confirmed_shape : tolerance_;
    const double value = std::abs(a_[std::size_t{check.node} * stride_]);
    if (off <= part * value) return 0;
    const double least = check.rule == Rule::value ? std::min(least_, limits::least_absolute_size) : least_;
    return off / (part * std::max({size_of(c, h), value, least}));
}

std::optional<Confirmation::Doubt> Confirmation::doubt_at(const StepSeries& series, double s, double h) {
    Doubt worst{s, 1, no_node};
    if (!evaluate(series, s)) return Doubt{s, HUGE_VAL, no_node};
    with_rounding_ = false;
    for (const Check& check : checks_) {
        if (!live(check.node)) continue;
        if (excess(series, check, s, h) <= 1) continue;
        if (!with_rounding_) {
            if (!evaluate_rounding(series, s)) return Doubt{s, HUGE_VAL, check.node};
            with_rounding_ = true;
        }
        const double over = excess(series, check, s, h);
        if (over <= worst.excess) continue;
        worst = {s, std::isfinite(over) ? over : HUGE_VAL, check.node};
    }
    return worst.node == no_node ? std::nullopt : std::optional(worst);
}

std::optional<Confirmation::Doubt> Confirmation::doubt(const StepSeries& series, double h) {
    list_points(series, h);
    if (!p_.loops.empty() && std::exchange(flow_, *c_.flow) != *c_.flow) evaluate(series, 0);
    for (const double s : points_)
        if (auto found = doubt_at(series, s, h)) {
            const double time = series.t + s;
            witnesses_.insert(
                std::upper_bound(witnesses_.begin(), witnesses_.end(), time, std::greater<double>()), time);
            return found;
        }
    return std::nullopt;
}

void Confirmation::pass(double t) {
    while (!witnesses_.empty() && witnesses_.back() <= t) witnesses_.pop_back();
}

}  // namespace deltaflow
