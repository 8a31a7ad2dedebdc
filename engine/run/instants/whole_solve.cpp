// One solve of the system at hand.
#include "engine/run/instants/whole_solve.hpp"

#include "engine/solve/branch_walk.hpp"
#include "engine/solve/decide.hpp"
#include "engine/solve/instant_rules.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

// Do the branches before the start agree with the flow that would go on from here?
bool WholeSolve::try_branches_before() {
    germs_.mark_active(state_.now);
    germs_.evaluate(state_.left, state_.now, std::max(1, at_.m->solver->program().left_order), true);
    bool agree = true;
    for (std::size_t i = 0; i < slides_.branchers().size(); ++i) {
        const NodeId n = slides_.branchers()[i];
        const int from =
            branch_before_start(at_.s->d.nodes[n].op, at_.s->d.parameters_of(n), state_.now.branch[n]);
        slides_.wanted()[i] = germs_.decide_forward(state_.left, state_.now, n, from);
        agree = agree && slides_.wanted()[i] == state_.now.branch[n];
    }
    return agree;
}

void WholeSolve::settle_branches() {
    if (slides_.branchers().empty()) {
        try_branches_before();  // there is nothing to be looked for
        return;
    }
    SlideSearch::Trial before = slides_.trial(state_.left, state_.now);
    before.solves = [&] { return try_branches_before(); };
    if (slides_.find_situation(before)) return;
    throw RunFailure{.kind = ErrorKind::no_progress,
                     .node = slides_.first_brancher(),
                     .what = "no combination of branches agrees with its conditions at the start",
                     .advice = "look for decisions that contradict themselves, such as x = if(x, -1, 1)"};
}

InstantInput WholeSolve::input() const {
    return {state_.left.rungs.a.data(),
            state_.left.rungs.stride,
            Bounded(state_.t, rounding::unit * std::abs(state_.t)),
            &state_.now,
            &state_.after,
            &state_.stored};
}

namespace {

// A bound of a state that is this part of the state itself.
constexpr double absurd = 1e-6;

}  // namespace

// States after the solve: what an impulse can reach, and the others as they were. A mode has states of its
// own: they are all taken over.
void WholeSolve::take_states() {
    state_.x.resize(at_.s->states.size());
    state_.x_bound.resize(at_.s->states.size());
    const auto& jumping = at_.m->solver->program().jumping;
    auto next = jumping.begin();
    bool outgrown = false;
    for (const std::uint32_t i : at_.m->jumping_states) {
        const NodeId n = at_.s->states[i];
        const bool jumps = next != jumping.end() && *next == n;
        const Bounded& x = jumps ? at_.m->solver->right(n) : state_.left.rungs.at(n)[0];
        next += jumps;
        state_.x[i] = x.value;
        state_.x_bound[i] = x.bound;
        outgrown =
            outgrown || x.bound > absurd * (std::abs(x.value) + std::abs(state_.left.rungs.at(n)->value));
    }
    if (outgrown) bound_anew();
}

// Bounds of sums forget that errors are the same: along many commits at one time that of x - 2.5 pre(x)
// outgrows x itself. Where it has become absurd, errors have grown as the states have.
void WholeSolve::bound_anew() {
    double before = 0, after = 0, error = 0;
    for (const std::uint32_t i : at_.m->jumping_states) {
        const Bounded& left = state_.left.rungs.at(at_.s->states[i])[0];
        before = std::max(before, std::abs(left.value));
        after = std::max(after, std::abs(state_.x[i]));
        error = std::max(error, left.bound);
    }
    if (before == 0) return;
    const double grown = error * std::max(1.0, after / before) + 8 * rounding::unit * (before + after);
    for (const std::uint32_t i : at_.m->jumping_states)
        if (state_.x_bound[i] > absurd * (before + after))
            state_.x_bound[i] = std::min(state_.x_bound[i], grown);
}

// What its condition asks for, on what came out.
int WholeSolve::branch_wanted(NodeId n) {
    const NodeId c = at_.s->d.inputs_of(n)[0];
    const Bounded& value_now = at_.m->solver->right(c);
    const Primitive op = at_.s->d.nodes[n].op;
    return decide(op, at_.s->d.parameters_of(n), state_.now.branch[n], [&](double x) {
        int here = sign(value_now - Bounded(x));
        if (!state_.located.empty() && state_.is_located(c, x) &&
            is_zero(value_now - state_.left.rungs.at(c)[0]))
            here = 0;
        return here != 0 || op == Primitive::hysteresis
                   ? here
                   : germs_.forward_sign(state_.right, state_.after, c, x);
    });
}

// One solve under the branches of state_.after; true if every branch agrees with its condition.
bool WholeSolve::try_branches() {
    at_.m->solver->located.clear();
    for (const Located& l : state_.located) at_.m->solver->located.emplace_back(l.node, l.threshold);
    at_.m->solver->solve(input(), state_.guess);
    take_states();
    for (const NodeId n : at_.s->sampled)
        if (at_.m->solver->is_ticking(n)) state_.after.held[n] = at_.m->solver->right(n).value;
    germs_.mark_active(state_.after);
    germs_.evaluate(state_.right, state_.after, 1, true);
    if (modes_) graph_.adopt_solved();
    bool agree = true;
    for (std::size_t i = 0; i < slides_.branchers().size(); ++i) {
        const NodeId n = slides_.branchers()[i];
        std::int32_t& wanted = slides_.wanted()[i];
        wanted = state_.is_active(n) ? branch_wanted(n) : state_.after.branch[n];
        agree = agree && wanted == state_.after.branch[n];
    }
    return agree;
}

void WholeSolve::solve() {
    begin();
    if (slides_.branchers().empty() && state_.now.slides.empty() && state_.after.slides.empty()) {
        try_branches();  // there is nothing to be looked for
        return;
    }
    SlideSearch::Trial solved = slides_.trial(state_.right, state_.after);
    solved.solves = [&] { return try_branches(); };
    solved.begins = [&] { feed_solver(); };
    if (slides_.find_situation(solved)) return note_slides();
    throw RunFailure{
        .kind = ErrorKind::no_progress,
        .node = slides_.first_brancher(),
        .what = "no branch agrees with its condition here: the model slides along a switching surface",
        .advice = "use hysteresis instead of a sharp switch, or model the sliding motion itself",
        .show_inputs = true};
}

// Refuses what is not defined, and impulses that have overflowed.
void WholeSolve::check() const {
    at_.m->solver->check(input(), state_.active);
    if (at_.m->solver->has_finite_impulses()) return;
    for (const RungStep& step : at_.m->solver->program().steps) {
        if (step.kind != RungKind::impulse || !state_.is_active(step.node)) continue;
        if (std::isfinite(at_.m->solver->impulse(step.node, step.order).value)) continue;
        throw RunFailure{.kind = ErrorKind::not_finite,
                         .node = step.node,
                         .what = "an impulse is not finite",
                         .advice = "look for a division by zero or an overflow before it",
                         .show_inputs = true};
    }
}

// What comes from outside, for the solver of the system at hand.
void WholeSolve::feed_solver() {
    InstantSolver& solver = *at_.m->solver;
    solver.clear_sources();
    for (const auto& i : arrivals_.impulses) solver.set_source(i.node, arrivals_.of(i));
    for (const NodeId n : arrivals_.ticking) solver.set_ticking(n);
    if (at_.s->delays.empty()) return;
    std::vector<double> rungs(solver.program().right_rungs + 1);
    for (std::size_t i = 0; i < at_.s->delays.size(); ++i) {
        state_.histories[i].rungs(state_.t, false, rungs);
        solver.set_right(at_.s->delays[i], rungs, state_.t);
    }
}

// Branches as the left germ has them.
void WholeSolve::begin() {
    feed_solver();
    for (const NodeId n : at_.s->branchers) {
        state_.after.branch[n] = germs_.decide_forward(state_.left, state_.now, n);
        if (state_.after.branch[n] != state_.now.branch[n]) record_.note_cause(n);
    }
}

// Who begins to slide, or ceases to, causes an event.
void WholeSolve::note_slides() {
    const auto& before = state_.now.slides;
    const auto& after = state_.after.slides;
    if (before == after) return;
    const auto note = [&](const std::vector<Held>& list, const std::vector<Held>& other) {
        for (const Held& h : list)
            if (std::none_of(other.begin(), other.end(),
                             [&](const Held& x) { return x.surface == h.surface; }))
                record_.note_cause(slides_.surface(h).block);
    };
    note(before, after);
    note(after, before);
}

}  // namespace deltaflow
