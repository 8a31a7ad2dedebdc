// What ends a flow: the conditions that it watches.
#include "engine/run/flow/watches.hpp"

#include "engine/limits.hpp"
#include "engine/run/flow/roots.hpp"
#include "engine/solve/decide.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace deltaflow {

// A condition whose rungs are all zero, but which is no polynomial, may leave zero all the same: sin(t)^47 at
// 0.
bool Watches::rest_by_rungs_alone() const {
    return std::any_of(state_.resting_watches.begin(), state_.resting_watches.end(),
                       [&](const Watch& w) { return at_.s->degree[w.node] > at_.s->order; });
}

// Does the germ at the end of a step show a side where the one at its beginning showed none?
bool Watches::leave_rest() {
    germs_.evaluate(state_.left, state_.now, 1, true);
    return std::any_of(state_.resting_watches.begin(), state_.resting_watches.end(), [&](const Watch& w) {
        return at_.s->degree[w.node] > at_.s->order &&
               germs_.forward_sign(state_.left, state_.now, w.node, w.threshold) != 0;
    });
}

// Which states stand still from here on: their value, else nothing.
void Watches::note_resting() {
    state_.resting.resize(state_.x.size(), NAN);
    const bool known = state_.right.rungs.stride >= 2 && !state_.right.rungs.a.empty();
    for (const std::uint32_t i : at_.m->seen_states) {
        const bool rests = known && state_.right.rungs.at(at_.s->states[i])[1].value == 0;
        state_.resting[i] = rests ? state_.x[i] : NAN;
    }
}

// Where conditions that were zero not long ago stand at an instant, before anything happens.
void Watches::note_met() {
    for (Watch& w : state_.watches)
        if (w.fresh) w.met = state_.left.rungs.at(w.node)[0].value;
}

// What has not jumped at the instant is still known from its last zero on. `before`: what flowed up to it.
void Watches::keep_fresh(const Stepper* before) {
    bool any = false;
    for (const Watch& old : state_.last_watches) {
        if (!old.fresh || before != at_.m->stepper.get()) continue;
        for (Watch& w : state_.watches) {
            if (w.node != old.node || w.threshold != old.threshold || w.fresh) continue;
            w.fresh = is_zero(state_.right.rungs.at(w.node)[0] - Bounded(old.met));
            any = any || w.fresh;
        }
    }
    if (!any) at_.m->stepper->forget_errors();
}

// A condition that keeps its sign while the flow goes on; 0: the one that it has.
void Watches::add(NodeId owner, NodeId c, double threshold, Watching kind, int keep, int direction) {
    Watch w{c, owner, threshold, kind, keep, 0, direction};
    const int s = germs_.forward_sign(state_.right, state_.now, c, threshold, &w.zeros);
    // Zero for good, as far as its series shows; without one it is looked at all the same.
    const bool may_leave = !at_.m->stepper->has_series() && at_.s->degree[c] == endless;
    if (s == 0 && (!may_leave || kind == Watching::singular)) return state_.resting_watches.push_back(w);
    if (s == 0) w.zeros = 0;
    w.fresh = w.zeros > 0;
    if (kind == Watching::crossing || kind == Watching::singular) w.sign = s;
    state_.watches.push_back(w);
}

void Watches::add_branches() {
    const Diagram& d = at_.s->d;
    for (const NodeId n : at_.s->branchers) {
        if (!state_.is_active(n)) continue;
        const Primitive op = d.nodes[n].op;
        if (op == Primitive::sign && state_.now.branch[n] == 0)
            add(n, d.inputs_of(n)[0], 0, Watching::branch, 0);
        for_each_bound(op, d.parameters_of(n), state_.now.branch[n], [&](double threshold, int keep) {
            add(n, d.inputs_of(n)[0], threshold,
                op == Primitive::hysteresis ? Watching::reach : Watching::branch, keep);
        });
    }
    for (const HeldSurface& h : at_.s->held) {
        if (!h.leads) continue;
        add(h.block, h.weight, 0, Watching::branch, 1);
        add(h.block, h.weight, 1, Watching::branch, -1);
    }
}

// Comparisons in guards that lead out of the present mode: each keeps its sign.
void Watches::add_guards() {
    for (const NodeId n : watched_differences(modes_->graph(), state_.mode))
        if (!is_timer(at_.s->d, n))  // the calendar knows
            add(n, n, 0, Watching::branch, germs_.forward_sign(state_.right, state_.now, n, 0));
}

void Watches::add_singular(NodeId n) {
    constexpr double pi = 3.141592653589793;
    const auto in = at_.s->d.inputs_of(n);
    const double u = state_.right.rungs.at(in[0])[0].value;
    switch (at_.s->d.nodes[n].op) {
        case Primitive::asin:
            add(n, in[0], 1, Watching::singular, 0);
            add(n, in[0], -1, Watching::singular, 0);
            break;
        case Primitive::tan: {
            const double below = std::floor(u / pi - 0.5);
            add(n, in[0], (below + 0.5) * pi, Watching::singular, 0);
            add(n, in[0], (below + 1.5) * pi, Watching::singular, 0);
            break;
        }
        case Primitive::atan2:
            add(n, in[2], 0, Watching::singular, 0);
            break;
        default:
            add(n, in[0], 0, Watching::singular, 0);
    }
}

void Watches::collect() {
    state_.last_watches.swap(state_.watches);
    state_.watches.clear();
    state_.resting_watches.clear();
    add_branches();
    if (modes_) add_guards();
    const Diagram& d = at_.s->d;
    for (const NodeId n : at_.s->crossings)
        add(n, d.inputs_of(n)[0], 0, Watching::crossing, 0, static_cast<int>(d.parameters_of(n)[0]));
    for (const NodeId n : at_.s->assertions)
        if (state_.is_active(n)) add(n, d.inputs_of(n)[0], 0, Watching::assertion, 1);
    for (const NodeId n : at_.s->singular)
        if (state_.is_active(n)) add_singular(n);
    note_resting();
}

// A pole that is reached where a branch ends is reached all the same.
void Watches::check_poles() const {
    for (const Watch& w : state_.watches)
        if (w.kind == Watching::singular && state_.is_active(w.owner) && is_pole(at_.s->d, w.owner) &&
            germs_.value_sign(state_.left, w.node, w.threshold) == 0)
            throw singular_point(w);
}

bool Watches::locate_at_stop(const std::function<bool(const Watch&)>& is_just_ahead) {
    if (state_.watches.empty()) return false;
    germs_.evaluate(state_.left, state_.now, 1, true);
    for (const Watch& w : state_.watches)
        if (w.kind != Watching::assertion && w.kind != Watching::singular && w.sign != 0 &&
            (germs_.value_sign(state_.left, w.node, w.threshold) == 0 || is_just_ahead(w)))
            state_.located.push_back({w.node, w.threshold});
    return !state_.located.empty();
}

}  // namespace deltaflow
