// A solve of an instant, and its commit.
#include "engine/run/instants/solves.hpp"

#include "engine/run/ideal.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace deltaflow {

// From here on the mode's own system runs; the left germ stays that of the mode before.
void Solves::enter(const bonds::Mode& mode) {
    const System& s = modes_->of(mode, plain_pre_);
    state_.after.slides = slides_.held_in_mode(s, state_.after.slides, state_.after.branch);
    slides_.use_system(slides_.system_with(s, state_.after.slides));
    const int order = std::max(1, at_.m->solver->program().left_order);
    if (state_.left.order < order) germs_.evaluate(state_.left, state_.now, order, false);
}

void Solves::solve_whole() {
    outcome_.be_of(nullptr);
    if (modes_->has_charts()) graph_.choose_chart();
    enter(state_.after_mode);
    whole_.solve();
}

// Nothing may come from outside.
bool Solves::solve_part() {
    outcome_.be_of(nullptr);
    return !plain_pre_ && calendar_.arrivals().empty() && part_.solve();
}

// Each mode is solved from what has arrived.
void Solves::solve(bool first, bool all) {
    if (!modes_) {
        do {
            whole_.solve();
        } while (calendar_.delays().correct());
        return;
    }
    if (first)
        state_.arrived = state_.after;
    else
        state_.after = state_.arrived;
    if (all || !solve_part()) solve_whole();
    while (!outcome_.part() && calendar_.delays().correct()) {
        state_.after = state_.arrived;
        solve_whole();
    }
}

void Solves::commit() {
    if (outcome_.part() && !part_.is_defined()) solve_whole();
    if (!outcome_.part()) commit_whole();
    std::swap(state_.now, state_.after);
    state_.mode = state_.after_mode;
    landed_ = !outcome_.part();
    if (landed_) check_values();
}

void Solves::commit_whole() {
    whole_.check();
    calendar_.delays().store();
    for (const NodeId n : at_.s->sampled)
        if (at_.s->d.nodes[n].op == Primitive::unit_delay && at_.m->solver->is_ticking(n))
            state_.stored[n] = at_.m->solver->right(at_.s->d.inputs_of(n)[0]).value;
    part_.forget_left();
    if (!at_.s->contradicting.empty())
        refuse_contradiction(modes_->graph(), at_.s->contradicting, state_.after_mode, state_.starting,
                             [&](NodeId n) { return solved_sign(outcome_, germs_, state_, n); });
}

void Solves::go_on() {
    std::swap(state_.left, state_.right);
    const int order = std::max(1, at_.m->solver->program().left_order);
    if (landed_ && state_.left.order < order) germs_.evaluate(state_.left, state_.now, order, false);
}

void Solves::settle() {
    outcome_.be_of(nullptr);
    if (!landed_) land();
    graph_.check_kept();
}

void Solves::land() {
    at_.s = &modes_->of(state_.mode);
    at_.m = &machineries_.of(*at_.s);
    const std::size_t n = at_.s->states.size();
    state_.x.resize(n);
    state_.x_bound.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        const Bounded& x = *state_.right.rungs.at(at_.s->states[i]);
        state_.x[i] = x.value;
        state_.x_bound[i] = x.bound;
    }
    landed_ = true;
}

void Solves::be_at(const System& system) {
    at_.s = &system;
    at_.m = &machineries_.of(system);
    slides_.list_branchers(system, system.branchers);
    outcome_.be_of(nullptr);
    landed_ = true;
    state_.in_step = false;
    part_.forget_left();
}

// What an instant must not leave behind.
void Solves::check_values() {
    for (const std::uint32_t i : at_.m->jumping_states)
        if (!std::isfinite(state_.x[i]))
            throw RunFailure{.kind = ErrorKind::not_finite,
                             .node = at_.s->states[i],
                             .what = "a value is no longer finite",
                             .advice = "look for a division by zero or an overflow"};
    germs_.check_finite(state_.right);
    for (const NodeId n : at_.s->assertions) {
        if (!state_.is_active(n) ||
            germs_.forward_sign(state_.right, state_.now, at_.s->d.inputs_of(n)[0], 0) >= 0)
            continue;
        if (at_.s->d.nodes[n].ends_run()) {
            state_.terminated = true;
            continue;
        }
        throw RunFailure{.kind = ErrorKind::assertion,
                         .node = n,
                         .what = at_.s->d.messages[at_.s->d.nodes[n].extra],
                         .show_inputs = true};
    }
    for (const NodeId n : at_.s->singular)
        if (state_.is_active(n) && at_.s->germ.offset[n] != not_needed && leaves_origin(n))
            throw RunFailure{.kind = ErrorKind::not_finite,
                             .node = n,
                             .what = "atan2 has no value at the origin: both inputs are zero",
                             .advice = "keep the input away from the singular point",
                             .show_inputs = true};
}

// An angle that the point (0, 0) does not have; only one that stays there has none for good, and reads 0.
bool Solves::leaves_origin(NodeId n) {
    if (at_.s->d.nodes[n].op != Primitive::atan2) return false;
    int zeros = 0;
    return germs_.forward_sign(state_.right, state_.now, at_.s->d.inputs_of(n)[2], 0, &zeros) != 0 &&
           zeros > 0;
}

}  // namespace deltaflow
