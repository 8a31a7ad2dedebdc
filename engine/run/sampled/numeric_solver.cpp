#include "engine/run/sampled/numeric_solver.hpp"

#include "blocks/lag.hpp"

#include <algorithm>

namespace deltaflow {

double magnitude(const NumericState& state, const NumericRunning& at, NodeId n, int depth) {
    const Diagram& d = at.m->sampled.d;
    if (at.node(n).op == Primitive::pre && depth > 0)
        return std::max(std::abs(state.a[n]), magnitude(state, at, at.input(n), depth - 1));
    if (d.nodes[n].op != Primitive::affine || depth == 0) return std::abs(state.a[n]);
    const auto p = d.parameters_of(n);
    double sum = std::abs(p[0]);
    for (std::size_t j = 0; j < d.nodes[n].input_count; ++j)
        sum += std::abs(p[j + 1]) * magnitude(state, at, d.inputs_of(n)[j], depth - 1);
    return sum;
}

bool is_rounding(const NumericState& state, const NumericRunning& at, NodeId n, double c) {
    return std::abs(c) <= limits::sample_rounding * magnitude(state, at, n, limits::magnitude_depth);
}

// What an integrator goes on from: its last sample, or what its trigger has set it to.
double NumericSolver::value_before(std::size_t i) const {
    const NodeId n = at_.m->sampled.blocks[i].node;
    if (!state_.any_fired || !at_.node(n).is_reset()) return state_.x[i];
    const auto in = at_.s->d.inputs_of(n);
    for (std::size_t c = 0; c < at_.crossings.size(); ++c)
        if (at_.crossings[c].node == in[1] && state_.fired[c]) return state_.last[in[2]];
    return state_.x[i];
}

void NumericSolver::solve(double t, double h) {
    if (state_.new_constants) fill_constants(at_.s->d, state_.a.data(), 1);
    state_.new_constants = false;
    SampledDiagram& sampled = at_.m->sampled;
    sampled.set_step(h);
    for (std::size_t i = 0; i < sampled.blocks.size(); ++i)
        sampled.set(sampled.blocks[i], h, value_before(i), state_.before[i]);
    for (const auto& source : state_.sources) {
        const Piece& piece = state_.now.pieces[at_.node(source.block.node).extra];
        at_.parameter(source.block) =
            piece.value + piece.slope * (t - piece.since) + source.impulses.sample(h);
    }
    for (const auto& delay : state_.delays) read_past(delay, t, h);
    for (const auto& delay : state_.delays)
        at_.parameter(delay.block) =
            at_.left ? delay.samples.sample(t, t + pace_.step_after(t)) : delay.samples.sample(t - h, t);
    if (state_.any_fired && !at_.left)
        for (std::size_t i = 0; i < at_.crossings.size(); ++i)
            at_.parameter(at_.crossings[i]) = state_.fired[i] ? 1 / h : 0;
    at_.m->work.same_matrices = h == state_.factored;
    state_.factored = h;
    execute_at(t);
}

void NumericSolver::execute_at(double t) {
    execute(at_.m->program, at_.m->work, Frame<double>{state_.a.data(), 1, &at_.m->sampled.d, &state_.now, t},
            0, 0);
}

// A delay that varies: the mean of its input over the step that was `by` ago, `by` as in the last sample.
void NumericSolver::read_past(const NumericState::Past& delay, double t, double h) {
    const NodeId n = delay.block.node;
    const Diagram& d = at_.s->d;
    if (!lag::varies(d, n)) return;
    const auto in = d.inputs_of(n);
    const double later = d.parameters_of(n)[0] - (pace_.time() - state_.a[in[lag::time]]);
    state_.now.pieces[d.nodes[in[lag::coefficients]].extra] = {delay.samples.sample(t - h + later, t + later),
                                                               0, t};
}

void NumericSolver::accept(double t, double h) {
    const auto& a = state_.a;
    for (std::size_t i = 0; i < at_.m->sampled.blocks.size(); ++i) {
        state_.x[i] = a[at_.m->sampled.blocks[i].node];
        state_.before[i] = a[at_.m->sampled.blocks[i].input];
    }
    for (const auto& pre : at_.pres) at_.parameter(pre) = a[pre.input];
    for (auto& delay : state_.delays) {
        const double u = a[delay.block.input];
        delay.given = a[delay.block.node];
        delay.until = t + pace_.step_after(t);
        if (at_.left)
            delay.samples.accept(t, HUGE_VAL, u);
        else
            delay.samples.accept(t - h, t, u);
    }
    for (auto& source : state_.sources) source.impulses.accept(h);
}

void NumericSolver::forget_fired() {
    state_.any_fired = false;
    std::fill(state_.fired.begin(), state_.fired.end(), 0);
}

void NumericSolver::give_held() {
    state_.factored = NAN;
    for (const auto& hold : at_.holds) {
        at_.m->sampled.d.parameters[hold.parameter] = state_.now.held[hold.node];
        at_.m->sampled.d.parameters[hold.parameter + 1] = 0;
    }
}

}  // namespace deltaflow
