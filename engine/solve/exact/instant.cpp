#include "engine/solve/exact/instant.hpp"

#include "engine/limits.hpp"
#include "engine/solve/decide.hpp"
#include "engine/solve/exact/bounds.hpp"
#include "engine/solve/exact/rules.hpp"
#include "engine/solve/instant_checks.hpp"
#include "engine/solve/instant_rules.hpp"

#include <algorithm>

namespace deltaflow::closed_form {

namespace {
const Quadratic zero;
}

// What the rules of an instant read (instant_rules.hpp).
struct ExactKnown {
    using Scalar = Quadratic;
    const ExactInstant& solver;
    const ExactInstantInput& in;
    const Quadratic& right(NodeId n, int k) const { return solver.right(n, k); }
    const Quadratic& impulse(NodeId n, int i) const { return solver.impulse(n, i); }
    const Quadratic& left(NodeId n, int k) const { return in.left->at(n, k); }
    const Quadratic& t() const { return in.t; }
    const Quadratic& parameter(NodeId n, int i) const { return solver.x_->parameters[n][i]; }
    int branch(NodeId n) const { return in.after->branch[n]; }
    const Quadratic& held(NodeId n) const { return in.after->held[n]; }
    const Line& piece(NodeId n) const { return in.after->pieces[solver.x_->s->d.nodes[n].extra]; }
    bool ticking(NodeId n) const { return solver.ticking[n] != 0; }
    bool strikes(NodeId n) const { return !is_zero(impulse(n, 0)); }
    const Quadratic& stored(NodeId n) const { return (*in.stored)[n]; }
    bool pre_flows() const { return solver.x_->s->has_modes(); }
};

struct InstantEquationsInFractions {
    ExactInstant& solver;
    const ExactInstantInput& in;
    std::vector<RungStep> steps;
    std::vector<std::vector<std::size_t>> readers_;

    std::size_t size() const { return steps.size(); }
    Quadratic& cell(std::size_t i) const { return solver.cell(steps[i]); }
    Quadratic evaluate(std::size_t i) const { return solver.evaluate(in, steps[i]); }
    const std::vector<std::size_t>& readers(std::size_t j) const { return readers_[j]; }
};

const Quadratic& ExactInstant::right(NodeId n, int k) const {
    if (unknown_[n]) throw RunFailure(*unknown_[n]);
    const auto& row = right_[n];
    return k < static_cast<int>(row.size()) ? row[k] : zero;
}

const Quadratic& ExactInstant::impulse(NodeId n, int i) const {
    if (unknown_[n]) throw RunFailure(*unknown_[n]);
    const auto& row = impulse_[n];
    return i < static_cast<int>(row.size()) ? row[i] : zero;
}

std::vector<Quadratic> ExactInstant::impulses(NodeId n) const {
    if (unknown_[n]) throw RunFailure(*unknown_[n]);
    return trimmed(impulse_[n]);
}

Quadratic& ExactInstant::cell(const RungStep& step) {
    auto& row = step.kind == RungKind::right ? right_[step.node] : impulse_[step.node];
    if (row.size() <= step.order) row.resize(step.order + std::size_t{1});
    return row[step.order];
}

void ExactInstant::prepare(const ExactInstantInput& in) {
    const System& s = *x_->s;
    const std::size_t n = s.d.nodes.size();
    right_.assign(n, {});
    impulse_.assign(n, {});
    unknown_ = x_->refused;
    for (NodeId i = 0; i < n; ++i)
        if (s.d.nodes[i].op == Primitive::constant && x_->wanted[i]) right_[i] = {x_->parameters[i][0]};
    for (const NodeId i : x_->instant.kept)
        if (x_->wanted[i]) right_[i] = {in.left->at(i, 0)};
    for (const auto& [i, impulses] : sources) impulse_[i] = impulses;
    for (const auto& [i, rungs] : delayed) right_[i] = rungs;
}

Quadratic ExactInstant::evaluate(const ExactInstantInput& in, const RungStep& step) const {
    check_interrupt();
    const ExactKnown known{*this, in};
    const Diagram& d = x_->s->d;
    const auto flow = [&](const InstantView<ExactKnown>& view, int k) {
        return exact_rung(d.nodes[step.node].op, view, k);
    };
    Quadratic value = step.kind == RungKind::impulse
                          ? impulse_rung(d, x_->s->regularity, known, step.node, step.order)
                          : right_rung(d, known, step.node, step.order, flow);
    check_length(value, limits::exact_work_bits, step.node);
    return value;
}

// In rung order: where the right value of the condition is not zero it decides at once.
void ExactInstant::decide_step(const ExactInstantInput& in, NodeId n) {
    const Primitive op = x_->s->d.nodes[n].op;
    const Quadratic& c = right(x_->s->d.inputs_of(n)[0]);
    bool tie = false;
    const std::span<const Quadratic> p(x_->parameters[n]);
    const int branch = decide(op, p, in.before->branch[n], [&](const Quadratic& threshold) {
        const int s = compare(c, threshold);
        if (s == 0 && op != Primitive::hysteresis) tie = true;
        return s;
    });
    if (!tie) in.after->branch[n] = branch;
}

// A trigger that has not fired by itself does so where its input has an impulse.
void ExactInstant::look_for_impulses(NodeId trigger) {
    const bool waits = x_->s->d.parameters_of(trigger)[1] == 2;
    if (waits || sources.count(trigger) > 0) return;
    const bool any = !impulses(x_->s->d.inputs_of(trigger)[0]).empty();
    impulse_[trigger] = {Quadratic(any ? 1 : 0)};
}

void ExactInstant::run_step(const ExactInstantInput& in, const RungStep& step) {
    if (!x_->wanted[step.node] || unknown_[step.node]) return;
    try {
        if (step.kind == RungKind::decide)
            decide_step(in, step.node);
        else if (step.kind == RungKind::impulse && x_->s->d.nodes[step.node].is_trigger())
            look_for_impulses(step.node);
        else if (step.kind == RungKind::right || !is_source_of_impulses(x_->s->d.nodes[step.node].op))
            cell(step) = evaluate(in, step);
    } catch (const RunFailure& failure) {
        unknown_[step.node] = std::make_shared<RunFailure>(failure);
    } catch (const MixedRoots& roots) {
        unknown_[step.node] = std::make_shared<RunFailure>(
            RunFailure{.kind = ErrorKind::model, .node = step.node, .what = roots.what()});
    }
}

void ExactInstant::run_loop(const ExactInstantInput& in, const InstantLoop& loop) {
    InstantEquationsInFractions e{*this, in, {}, {}};
    std::vector<std::size_t> place(loop.count, loop.count);
    RunFailure failure{.kind = ErrorKind::not_finite};
    for (std::uint32_t i = 0; i < loop.count; ++i) {
        const RungStep& step = x_->instant.steps[loop.first + i];
        if (step.kind == RungKind::decide || !x_->wanted[step.node]) continue;
        place[i] = e.steps.size();
        e.steps.push_back(step);
        failure.loop.push_back(step.node);
    }
    if (e.steps.empty()) return;
    failure.node = e.steps.front().node;
    e.readers_.resize(e.steps.size());
    for (std::size_t c = loop.count; c < loop.rows.size(); ++c)
        if (place[loop.rows[c]] < e.size() && place[loop.columns[c]] < e.size())
            e.readers_[place[loop.columns[c]]].push_back(place[loop.rows[c]]);
    try {
        const Outcome outcome = solve_affine(e);
        if (outcome == Outcome::solved) return;
        failure.what = "an algebraic loop is singular at this instant: it has no unique solution";
        failure.advice = "break the loop with an integrator or a delay, or change its gain";
        if (outcome == Outcome::nonlinear) {
            failure.kind = ErrorKind::model;
            failure.what =
                "an algebraic loop is not linear at this instant: its solution has no closed form here";
        }
    } catch (const RunFailure& inner) {
        failure = inner;
    } catch (const MixedRoots& roots) {
        failure.kind = ErrorKind::model;
        failure.what = roots.what();
    }
    const auto reason = std::make_shared<RunFailure>(failure);
    for (const RungStep& step : e.steps) unknown_[step.node] = reason;
}

void ExactInstant::solve(const ExactInstantInput& in) {
    prepare(in);
    const InstantProgram& p = x_->instant;
    for (std::uint32_t i = 0; i < p.steps.size(); ++i) {
        if (p.loop_at[i] < 0) {
            run_step(in, p.steps[i]);
            continue;
        }
        const InstantLoop& loop = p.loops[static_cast<std::size_t>(p.loop_at[i])];
        run_loop(in, loop);
        i += loop.count - 1;
    }
}

namespace {

// What the checks ask of a solve (instant_checks.hpp).
struct SolvedExactly {
    const ExactInstant& solver;
    const ExactInstantInput& in;
    int highest_impulse(NodeId n) const { return static_cast<int>(solver.impulses(n).size()) - 1; }
    bool agrees(NodeId n, int k) const { return solver.right(n, k) == in.left->at(n, k); }
    bool flips(NodeId n) const { return in.before->branch[n] != in.after->branch[n]; }
    bool ticking(NodeId n) const { return solver.ticking[n] != 0; }
};

}  // namespace

void ExactInstant::check(const ExactInstantInput& in, const std::vector<std::uint8_t>& active) const {
    const SolvedExactly solved{*this, in};
    const auto counts = [&](NodeId n) { return x_->wanted[n] && (active.empty() || active[n]); };
    for (const NodeId n : x_->instant.products)
        if (counts(n)) check_product(x_->s->d, n, solved);
    for (const NodeId n : x_->instant.refusing)
        if (counts(n)) check_refusing(x_->s->d, n, solved);
}

}  // namespace deltaflow::closed_form
