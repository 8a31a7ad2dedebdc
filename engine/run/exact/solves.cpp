#include "engine/run/exact/solves.hpp"

#include "engine/solve/decide.hpp"

namespace deltaflow::closed_form {

// Do the branches before the start agree with the flow that would go on from here?
bool ExactSolves::try_branches_before() {
    germs_.mark_active(state_.now);
    at_.left = germs_.evaluate(state_.now, true);
    bool agree = true;
    for (std::size_t i = 0; i < slides_.branchers().size(); ++i) {
        const NodeId n = slides_.branchers()[i];
        int& wanted = slides_.wanted()[i];
        const int now = state_.now.branch[n];
        const std::span<const Quadratic> p(at_.x->parameters[n]);
        const int from = branch_before_start(at_.diagram().nodes[n].op, p, now);
        wanted = state_.is_active(n) ? germs_.decide_forward(at_.left, n, from) : now;
        agree = agree && wanted == now;
    }
    return agree;
}

void ExactSolves::settle_branches() {
    SlideSearch::Trial before = slides_.trial(at_.left, state_.now);
    before.solves = [&] { return try_branches_before(); };
    if (slides_.find_situation(before)) return;
    throw RunFailure{.kind = ErrorKind::no_progress,
                     .node = slides_.first_brancher(),
                     .what = "no combination of branches agrees with its conditions at the start",
                     .advice = "look for decisions that contradict themselves, such as x = if(x, -1, 1)"};
}

void ExactSolves::take_states() {
    for (const NodeId n : at_.x->states) state_.states[n] = at_.left.at(n, 0);
    for (const NodeId n : at_.x->instant.jumping)
        if (at_.x->wanted[n]) state_.states[n] = at_.solver->right(n);
    for (const NodeId n : at_.x->sampled)
        if (state_.ticking[n]) state_.after.held[n] = at_.solver->right(n);
}

// One solve under the branches being tried; true if every branch agrees with its condition.
bool ExactSolves::try_branches() {
    at_.solver->solve(input());
    take_states();
    germs_.mark_active(state_.after);
    at_.right = germs_.evaluate(state_.after, false);
    if (at_.modes) graph_.adopt_solved();
    bool agree = true;
    for (std::size_t i = 0; i < slides_.branchers().size(); ++i) {
        const NodeId n = slides_.branchers()[i];
        int& wanted = slides_.wanted()[i];
        wanted = state_.after.branch[n];
        if (!state_.is_active(n)) continue;
        const NodeId c = at_.input(n);
        const Primitive op = at_.diagram().nodes[n].op;
        const std::span<const Quadratic> p(at_.x->parameters[n]);
        wanted = decide(op, p, state_.now.branch[n], [&](const Quadratic& threshold) {
            const int here = compare(at_.solver->right(c), threshold);
            return here != 0 || op == Primitive::hysteresis
                       ? here
                       : ExactGerms::forward_sign(at_.right, c, threshold);
        });
        agree = agree && wanted == state_.after.branch[n];
    }
    return agree;
}

void ExactSolves::solve() {
    calendar_.feed(*at_.solver);
    for (const NodeId n : at_.x->branchers) {
        if (!state_.is_active(n)) continue;
        state_.after.branch[n] = germs_.decide_forward(at_.left, n);
        if (state_.after.branch[n] != state_.now.branch[n]) record_.note_cause(n);
    }
    SlideSearch::Trial solved = slides_.trial(at_.right, state_.after);
    solved.solves = [&] { return try_branches(); };
    solved.begins = [&] { calendar_.feed(*at_.solver); };
    while (slides_.find_situation(solved))
        if (!calendar_.correct_lags()) return slides_.note_slides();
    throw RunFailure{
        .kind = ErrorKind::no_progress,
        .node = slides_.first_brancher(),
        .what = "no branch agrees with its condition here: the model slides along a switching surface",
        .advice = "use hysteresis instead of a sharp switch, or model the sliding motion itself",
        .show_inputs = true};
}

}  // namespace deltaflow::closed_form
