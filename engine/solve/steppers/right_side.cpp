// dx/dt of an island, and its exact Jacobian by dual numbers.
#include "engine/solve/steppers/stepper.hpp"

#include <algorithm>

namespace deltaflow {

RightSide::RightSide(const FlowContext& context)
    : c_(context),
      work_(context.system->derivative),
      dual_work_(context.system->derivative),
      bounded_work_(context.system->derivative),
      stride_(static_cast<std::uint32_t>(context.system->derivative.rungs(0))) {
    const System& s = *c_.system;
    a_.assign(s.d.nodes.size() * std::size_t{stride_}, 0);
    fill_constants(s.d, a_.data(), stride_);
    delayed_.resize(stride_ + 1);
    // States come first in the numbering (of a bond graph: in its first mode), so with single rungs they are
    // one block.
    in_front_ = stride_ == 1;
    for (std::size_t i = 0; i < s.states.size(); ++i) in_front_ = in_front_ && s.states[i] == i;
    for (std::size_t i = 0; i < s.states.size(); ++i) {
        const std::size_t from = std::size_t{s.d.inputs_of(s.states[i])[0]} * stride_;
        if (stride_ == 1 && !slopes_.empty() && slopes_.back().from + slopes_.back().count == from)
            ++slopes_.back().count;
        else
            slopes_.push_back({i, from, 1});
    }
    for (Workspace* w : {&work_, &dual_work_, &bounded_work_}) {
        w->guess = c_.guess;
        w->flow = c_.flow;
        w->active = c_.active;
    }
}

void RightSide::operator()(double t, std::span<const double> x, std::span<double> dxdt) {
    const System& s = *c_.system;
    if (in_front_)
        std::copy(x.begin(), x.end(), a_.begin());
    else
        for (std::size_t i = 0; i < s.states.size(); ++i) a_[std::size_t{s.states[i]} * stride_] = x[i];
    evaluate(t, a_, dxdt);
}

void RightSide::in_place(double t, std::vector<double>& a, std::span<double> dxdt) {
    if (!in_front_) return (*this)(t, std::span(a).first(dxdt.size()), dxdt);
    if (a.size() < a_.size())
        a.insert(a.end(), a_.begin() + static_cast<std::ptrdiff_t>(a.size()), a_.end());  // with constants
    evaluate(t, a, dxdt);
}

void RightSide::evaluate(double t, std::span<double> a, std::span<double> dxdt) {
    const System& s = *c_.system;
    for (std::size_t i = 0; i < s.delays.size(); ++i)
        c_.delayed(i, t, {a.data() + std::size_t{s.delays[i]} * stride_, stride_});
    const Frame<double> f{a.data(), stride_, &s.d, c_.discrete, t};
    execute(s.derivative, work_, f, -s.derivative.highest, 0);
    for (const Stretch& part : slopes_)
        std::copy_n(a.begin() + static_cast<std::ptrdiff_t>(part.from), part.count,
                    dxdt.begin() + static_cast<std::ptrdiff_t>(part.first));
    ++evaluations;
}

void RightSide::rounding(double t, std::span<const double> x, std::vector<double>& bounds) {
    const System& s = *c_.system;
    bounded_.assign(a_.size(), Bounded(0));
    fill_constants(s.d, bounded_.data(), stride_);
    for (std::size_t i = 0; i < x.size(); ++i)
        bounded_[std::size_t{s.states[i]} * stride_] = Bounded(x[i], rounding::unit * std::abs(x[i]));
    for (std::size_t i = 0; i < s.delays.size(); ++i) {
        c_.delayed(i, t, delayed_);
        for (std::uint32_t k = 0; k < stride_; ++k)
            bounded_[std::size_t{s.delays[i]} * stride_ + k] =
                Bounded(delayed_[k], 4 * rounding::unit * std::abs(delayed_[k]));
    }
    const Bounded now(t, rounding::unit * std::abs(t));
    execute(s.derivative, bounded_work_, Frame<Bounded>{bounded_.data(), stride_, &s.d, c_.discrete, now},
            -s.derivative.highest, 0);
    bounds.assign(x.size(), 0);
    if (has_lost_phase(t)) return;
    for (std::size_t i = 0; i < x.size(); ++i)
        bounds[i] = bounded_[std::size_t{s.d.inputs_of(s.states[i])[0]} * stride_].bound;
}

// A wave whose phase rounding moves by a radian is noise: that cannot excuse an error.
bool RightSide::has_lost_phase(double t) const {
    const Diagram& d = c_.system->d;
    const auto moved = [&](NodeId n) {
        const Primitive op = d.nodes[n].op;
        if (op == Primitive::sine) return rounding::unit * std::abs(d.parameters_of(n)[1] * t);
        const bool is_wave = op == Primitive::sin || op == Primitive::cos || op == Primitive::tan;
        return is_wave ? bounded_[std::size_t{d.inputs_of(n)[0]} * stride_].bound : 0;
    };
    for (NodeId n = 0; n < d.nodes.size(); ++n)
        if (!(moved(n) < 1)) return true;
    return false;
}

// States without slopes; what is delayed stands still.
void RightSide::clear_duals(double t, std::span<const double> x) {
    const System& s = *c_.system;
    dual_.assign(a_.size(), Dual(0));
    fill_constants(s.d, dual_.data(), stride_);
    for (std::size_t i = 0; i < x.size(); ++i) dual_[std::size_t{s.states[i]} * stride_] = Dual(x[i]);
    for (std::size_t i = 0; i < s.delays.size(); ++i) {
        c_.delayed(i, t, delayed_);
        for (std::uint32_t k = 0; k < stride_; ++k)
            dual_[std::size_t{s.delays[i]} * stride_ + k] = Dual(delayed_[k]);
    }
}

void RightSide::run_duals(const Dual& t) {
    const System& s = *c_.system;
    execute(s.derivative, dual_work_, Frame<Dual>{dual_.data(), stride_, &s.d, c_.discrete, t},
            -s.derivative.highest, 0);
}

double RightSide::slope_of(std::size_t state) const {
    const System& s = *c_.system;
    return dual_[std::size_t{s.d.inputs_of(s.states[state])[0]} * stride_].slope;
}

void RightSide::along(double t, std::span<const double> x, std::span<const double> v, std::span<double> f,
                      std::span<double> jv) {
    const System& s = *c_.system;
    clear_duals(t, x);
    for (std::size_t i = 0; i < x.size(); ++i) dual_[std::size_t{s.states[i]} * stride_].slope = v[i];
    run_duals(t);
    for (std::size_t i = 0; i < x.size(); ++i) {
        f[i] = dual_[std::size_t{s.d.inputs_of(s.states[i])[0]} * stride_].value;
        jv[i] = slope_of(i);
    }
}

void RightSide::jacobian(double t, std::span<const double> x, const Sparsity& pattern,
                         std::span<double> entries, std::span<double> by_time) {
    const System& s = *c_.system;
    clear_duals(t, x);
    const auto mark = [&](const std::vector<std::uint32_t>& group, double slope) {
        for (const std::uint32_t state : group) dual_[std::size_t{s.states[state]} * stride_].slope = slope;
    };
    for (const auto& group : pattern.groups) {
        mark(group, 1);
        run_duals(t);
        for (const std::uint32_t column : group)
            for (std::uint32_t e = pattern.first[column]; e < pattern.first[column + 1]; ++e)
                entries[e] = slope_of(pattern.rows[e]);
        mark(group, 0);
    }
    if (by_time.empty()) return;
    move_delays(t);
    run_duals(Dual(t, 1));
    for (std::size_t i = 0; i < by_time.size(); ++i) by_time[i] = slope_of(i);
}

void RightSide::remember_loops() {
    if (!c_.system->derivative.loops.empty()) guess_ = *c_.guess;
}
void RightSide::recall_loops() {
    if (!guess_.empty()) *c_.guess = guess_;
}

// What is delayed moves with t.
void RightSide::move_delays(double t) {
    const System& s = *c_.system;
    for (std::size_t i = 0; i < s.delays.size(); ++i) {
        c_.delayed(i, t, delayed_);
        for (std::uint32_t k = 0; k < stride_; ++k)
            dual_[std::size_t{s.delays[i]} * stride_ + k].slope = (k + 1) * delayed_[k + 1];
    }
}

}  // namespace deltaflow
