// The rules of an instant, rung by rung, its loops, and its checks.
#include "engine/solve/instant_solver.hpp"

#include "engine/numerics/continuation.hpp"
#include "engine/solve/decide.hpp"
#include "engine/solve/instant_checks.hpp"
#include "engine/solve/instant_rules.hpp"

#include <algorithm>

namespace deltaflow {

// Rungs at an instant as plain numbers with bounds ...
struct PlainInstant {
    using Scalar = Bounded;
    const InstantSolver& solver;
    const InstantInput& in;
    const Node* nodes = solver.s_.d.nodes.data();
    const double* parameters = solver.s_.d.parameters.data();
    const Bounded* rights = solver.right_.data();
    const Bounded* impulses = solver.impulse_.data();
    std::size_t right_stride = solver.p_.right_rungs, impulse_stride = solver.p_.impulse_rungs;
    const Bounded& right(NodeId n, int k) const { return rights[n * right_stride + k]; }
    Bounded impulse(NodeId n, int i) const {
        return static_cast<std::size_t>(i) < impulse_stride ? impulses[n * impulse_stride + i] : Bounded(0);
    }
    const Bounded& left(NodeId n, int k) const { return in.left[std::size_t{n} * in.left_stride + k]; }
    const Bounded& t() const { return in.t; }
    double parameter(NodeId n, int i) const { return parameters[nodes[n].first_parameter + i]; }
    int branch(NodeId n) const { return in.after->branch[n]; }
    double held(NodeId n) const { return in.after->held[n]; }
    const Piece& piece(NodeId n) const { return in.after->pieces[nodes[n].extra]; }
    bool ticking(NodeId n) const { return solver.is_ticking(n); }
    bool strikes(NodeId n) const { return !is_zero(impulse(n, 0)); }
    double stored(NodeId n) const { return (*in.stored)[n]; }
    bool pre_flows() const { return solver.s_.has_modes(); }
};

// ... and with one of them marked: slopes are partial derivatives by it.
struct SeededInstant {
    using Scalar = Dual;
    const PlainInstant& plain;
    NodeId node;
    RungKind kind;
    int order;
    Dual mark(const Bounded& x, bool seed) const { return {x.value, seed ? 1.0 : 0.0}; }
    Dual right(NodeId n, int k) const {
        return mark(plain.right(n, k), kind == RungKind::right && n == node && k == order);
    }
    Dual impulse(NodeId n, int i) const {
        return mark(plain.impulse(n, i), kind == RungKind::impulse && n == node && i == order);
    }
    Dual left(NodeId n, int k) const { return {plain.left(n, k).value}; }
    Dual t() const { return {plain.in.t.value}; }
    double parameter(NodeId n, int i) const { return plain.parameter(n, i); }
    int branch(NodeId n) const { return plain.branch(n); }
    double held(NodeId n) const { return plain.held(n); }
    const Piece& piece(NodeId n) const { return plain.piece(n); }
    bool ticking(NodeId n) const { return plain.ticking(n); }
    bool strikes(NodeId n) const { return plain.strikes(n); }
    double stored(NodeId n) const { return plain.stored(n); }
    bool pre_flows() const { return plain.pre_flows(); }
};

namespace {

template <class G>
typename G::Scalar right_rung(const System& s, const G& get, NodeId n, int k) {
    return deltaflow::right_rung(s.d, get, n, k, [&](const InstantView<G>& view, int rung) {
        return rung_of(s.d.nodes[n].op, view, rung);
    });
}

}  // namespace

// A loop of rungs at an instant, for Newton.
struct InstantEquations {
    InstantSolver& solver;
    const PlainInstant& plain;
    const InstantLoop& loop;

    const RungStep& step(std::size_t i) const { return solver.p_.steps[loop.first + i]; }
    Bounded& cell(std::size_t i) const {
        const RungStep& s = step(i);
        if (s.kind == RungKind::right)
            return solver.right_[std::size_t{s.node} * solver.p_.right_rungs + s.order];
        return solver.impulse_[std::size_t{s.node} * solver.p_.impulse_rungs + s.order];
    }
    bool counts(std::size_t i) const { return step(i).kind != RungKind::decide; }
    const Tearing& tearing() const { return loop.tearing; }
    int size() const { return static_cast<int>(loop.count); }
    double get(int i) const { return counts(i) ? cell(i).value : 0; }
    void set(int i, double v) const {
        if (counts(i)) cell(i).value = v;
    }
    Bounded full(int i) const {
        const RungStep& s = step(i);
        return s.kind == RungKind::right
                   ? right_rung(solver.s_, plain, s.node, s.order)
                   : impulse_rung(solver.s_.d, solver.s_.regularity, plain, s.node, s.order);
    }
    double evaluate(int i) const { return counts(i) ? full(i).value : 0; }
    double added(int i) const {
        const auto [n, kind, order] = step(static_cast<std::size_t>(i));
        if (kind != RungKind::right || solver.s_.d.nodes[n].op != Primitive::affine) return 0;
        double sum = 0;
        for (std::size_t j = 0; j < solver.s_.d.inputs_of(n).size(); ++j)
            sum += std::abs(plain.parameter(n, static_cast<int>(j) + 1) *
                            plain.right(solver.s_.d.inputs_of(n)[j], order).value);
        return sum;
    }
    std::pair<std::uint32_t, std::uint32_t> place(std::size_t e) const {
        return {loop.rows[e], loop.columns[e]};
    }
    bool diagonal(std::size_t e) const { return e < loop.count; }
    double partial(std::size_t e) const {
        const auto i = loop.rows[e], j = loop.columns[e];
        if (e < loop.count || !counts(i) || !counts(j)) return 0;
        const RungStep& s = step(i);
        const RungStep& by = step(j);
        const SeededInstant seeded{plain, by.node, by.kind, by.order};
        return s.kind == RungKind::right
                   ? right_rung(solver.s_, seeded, s.node, s.order).slope
                   : impulse_rung(solver.s_.d, solver.s_.regularity, seeded, s.node, s.order).slope;
    }
};

namespace {

// What states, conditions and recorded signals depend on in flow.
std::vector<NodeId> flowing_nodes(const System& s) {
    std::vector<NodeId> nodes;
    for (NodeId n = 0; n < s.whole.offset.size(); ++n)
        if (s.whole.offset[n] != not_needed) nodes.push_back(n);
    return nodes;
}

}  // namespace

InstantSolver::InstantSolver(const System& s) : s_(s) {
    InstantDemand demand;
    for (const auto& output : s.outputs) demand.recorded.push_back(output.node);
    for (const auto* list : {&s.branchers, &s.crossings, &s.assertions, &s.delays, &s.sampled})
        for (const NodeId n : *list) demand.values.push_back(s.d.inputs_of(n)[0]);
    for (const HeldSurface& h : s.held) demand.values.insert(demand.values.end(), {h.condition, h.weight});
    demand.values.insert(demand.values.end(), s.guards.begin(), s.guards.end());
    demand.values.insert(demand.values.end(), s.free_nodes.begin(), s.free_nodes.end());
    demand.values.insert(demand.values.end(), s.impulsive_ports.begin(), s.impulsive_ports.end());
    demand.impulses = s.named;
    demand.defined = flowing_nodes(s);
    demand.pre_flows = s.has_modes();
    p_ = compile_instant(s.d, s.regularity, s.degree, demand);
    right_.assign(s.d.nodes.size() * std::size_t{p_.right_rungs}, Bounded(0));
    impulse_.assign(s.d.nodes.size() * std::size_t{p_.impulse_rungs}, Bounded(0));
    fill_constants(s.d, right_.data(), p_.right_rungs);
    ticking_.assign(s.d.nodes.size(), 0);
    for (const InstantLoop& loop : p_.loops) {
        solvers_.emplace_back(static_cast<int>(loop.count), loop.rows, loop.columns);
        rooms_.emplace_back().resize(loop.rows.size(), loop.count);
    }
}

void InstantSolver::clear_sources() {
    for (const NodeId n : sources_)
        std::fill_n(impulse_.begin() + static_cast<std::ptrdiff_t>(n) * p_.impulse_rungs, p_.impulse_rungs,
                    Bounded(0));
    for (const NodeId n : tick_list_) ticking_[n] = 0;
    sources_.clear();
    tick_list_.clear();
    finite_ = true;
}

void InstantSolver::set_source(NodeId n, std::span<const double> impulses) {
    sources_.push_back(n);
    for (std::size_t i = 0; i < impulses.size() && i < p_.impulse_rungs; ++i) {
        Bounded& cell = impulse_[std::size_t{n} * p_.impulse_rungs + i];
        cell = cell + Bounded(impulses[i]);
        finite_ = finite_ && std::isfinite(cell.value);
    }
}

void InstantSolver::set_right(NodeId n, std::span<const double> rungs, double t) {
    for (std::size_t k = 0; k < p_.right_rungs; ++k) {
        const double slope = k + 1 < rungs.size() ? rungs[k + 1] * static_cast<double>(k + 1) : 0;
        right_[std::size_t{n} * p_.right_rungs + k] =
            Bounded(rungs[k], 4 * rounding::unit * (std::abs(rungs[k]) + std::abs(t * slope)));
    }
}

int InstantSolver::highest_impulse(NodeId n) const {
    for (int i = std::min(static_cast<int>(p_.impulse_rungs), impulse_rungs(s_.regularity[n])) - 1; i >= 0;
         --i)
        if (!is_zero(impulse(n, i))) return i;
    return -1;
}

bool InstantSolver::carries_impulse(NodeId n) const { return highest_impulse(n) >= 0; }

// In rung order: where the right value of the condition is not zero it decides at once.
void InstantSolver::decide_step(const InstantInput& in, NodeId n) {
    const NodeId condition = s_.d.inputs_of(n)[0];
    const Bounded& c = right(condition);
    const bool stays = !located.empty() && is_zero(c - in.left[std::size_t{condition} * in.left_stride]);
    bool tie = false;
    const Primitive op = s_.d.nodes[n].op;
    const int branch = deltaflow::decide(op, s_.d.parameters_of(n), in.before->branch[n], [&](double x) {
        const bool on_it =
            stays && std::find(located.begin(), located.end(), std::pair{condition, x}) != located.end();
        const int sign_here = on_it ? 0 : sign(c - Bounded(x));
        if (sign_here == 0 && op != Primitive::hysteresis) tie = true;
        return sign_here;
    });
    if (!tie) in.after->branch[n] = branch;
}

// Rounding must not become a jump, and then an event; what has overflowed is none.
void InstantSolver::settle(Bounded& impulse) {
    const bool is_finite = std::isfinite(impulse.value);
    if (is_finite && is_zero(impulse)) impulse = Bounded(0);
    finite_ = finite_ && is_finite;
}

// A trigger that has not fired by itself does so where its input has an impulse.
void InstantSolver::look_for_impulses(NodeId trigger) {
    const bool waits = s_.d.parameters_of(trigger)[1] == 2;
    if (waits || std::find(sources_.begin(), sources_.end(), trigger) != sources_.end()) return;
    impulse_[std::size_t{trigger} * p_.impulse_rungs] =
        Bounded(carries_impulse(s_.d.inputs_of(trigger)[0]) ? 1 : 0);
}

void InstantSolver::run_step(const PlainInstant& plain, const RungStep& step) {
    switch (step.kind) {
        case RungKind::decide:
            decide_step(plain.in, step.node);
            return;
        case RungKind::right:
            right_[std::size_t{step.node} * p_.right_rungs + step.order] =
                right_rung(s_, plain, step.node, step.order);
            return;
        case RungKind::impulse:
            if (s_.d.nodes[step.node].is_trigger()) return look_for_impulses(step.node);
            if (is_source_of_impulses(s_.d.nodes[step.node].op)) return;
            Bounded& cell = impulse_[std::size_t{step.node} * p_.impulse_rungs + step.order];
            cell = impulse_rung(s_.d, s_.regularity, plain, step.node, step.order);
            settle(cell);
            return;
    }
}

void InstantSolver::run_loop(const PlainInstant& plain, std::size_t index, std::vector<double>& guess) {
    const InstantInput& in = plain.in;
    const InstantLoop& loop = p_.loops[index];
    InstantEquations e{*this, plain, loop};
    NewtonRoom& room = rooms_[index];
    for (std::uint32_t i = 0; i < loop.count; ++i)
        if (e.counts(i)) e.cell(i) = Bounded(0);
    NewtonResult result;
    if (loop.affine) {
        result = solve_linear(e, solvers_[index], room, true);
    } else {
        std::vector<double> start(loop.count, NAN);
        for (std::uint32_t i = 0; i < loop.count; ++i) {
            const RungStep& step = e.step(i);
            if (step.kind == RungKind::right && step.order == 0)
                start[i] = in.left[std::size_t{step.node} * in.left_stride].value;
            if (!std::isfinite(start[i])) start[i] = guess[step.node];
        }
        result = solve_from_guesses(e, solvers_[index], room, start);
    }
    if (!result.converged) {
        RunFailure failure{.kind = ErrorKind::not_finite, .node = e.step(0).node};
        failure.what = result.singular
                           ? "an algebraic loop is singular at this instant: it has no unique solution"
                           : "no solution of an algebraic loop was found at this instant";
        failure.advice = "break the loop with an integrator or a delay, or change its gain";
        for (std::uint32_t i = 0; i < loop.count; ++i) failure.loop.push_back(e.step(i).node);
        throw failure;
    }
    // What each equation rounds, spread by the inverse.
    std::vector<double>& bounds = room.residual;
    for (std::uint32_t i = 0; i < loop.count; ++i)
        bounds[i] = e.counts(i) ? e.full(i).bound + rounding::unit * std::abs(e.get(i)) : 0;
    solvers_[index].spread(bounds);
    for (std::uint32_t i = 0; i < loop.count; ++i)
        if (e.counts(i)) e.cell(i).bound = bounds[i];
    for (std::uint32_t i = 0; i < loop.count; ++i)
        if (e.step(i).kind == RungKind::impulse) settle(e.cell(i));
    for (std::uint32_t i = 0; i < loop.count; ++i)
        if (const RungStep& step = e.step(i); step.kind == RungKind::right && step.order == 0 &&
                                              s_.d.nodes[step.node].op == Primitive::integrator &&
                                              !s_.d.nodes[step.node].is_reset())
            if (const NodeId u = s_.d.inputs_of(step.node)[0]; is_zero(impulse(u, 0)))
                e.cell(i) = in.left[std::size_t{step.node} * in.left_stride];
}

void InstantSolver::solve(const InstantInput& in, std::vector<double>& guess) {
    for (const NodeId n : p_.kept)
        right_[std::size_t{n} * p_.right_rungs] = in.left[std::size_t{n} * in.left_stride];
    for (const NodeId n : p_.given)
        std::copy_n(in.left + std::size_t{n} * in.left_stride, std::min(p_.right_rungs, in.left_stride),
                    right_.begin() + static_cast<std::ptrdiff_t>(n) * p_.right_rungs);
    const PlainInstant plain{*this, in};
    for (std::uint32_t i = 0; i < p_.steps.size(); ++i) {
        if (p_.loop_at[i] < 0) {
            run_step(plain, p_.steps[i]);
            continue;
        }
        const auto loop = static_cast<std::size_t>(p_.loop_at[i]);
        run_loop(plain, loop, guess);
        i += p_.loops[loop].count - 1;
    }
}

// What the checks ask of a solve.
struct SolvedInstant {
    const InstantSolver& solver;
    const InstantInput& in;
    int highest_impulse(NodeId n) const { return solver.highest_impulse(n); }
    bool agrees(NodeId n, int k) const {
        return is_zero(solver.right(n, k) - in.left[std::size_t{n} * in.left_stride + k]);
    }
    bool flips(NodeId n) const { return in.before->branch[n] != in.after->branch[n]; }
    bool ticking(NodeId n) const { return solver.is_ticking(n); }
};

void InstantSolver::check(const InstantInput& in, const std::vector<std::uint8_t>& active) const {
    const SolvedInstant solved{*this, in};
    for (const NodeId n : p_.products)
        if (active.empty() || active[n]) check_product(s_.d, n, solved);
    for (const NodeId n : p_.refusing)
        if (active.empty() || active[n]) check_refusing(s_.d, n, solved);
}

}  // namespace deltaflow
