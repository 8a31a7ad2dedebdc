// What an instant must refuse: products and functions that distribution theory does not define.
//
// `solved` tells of the instant: highest_impulse(n) (-1: none), agrees(n, k) of left and right rungs,
// flips(n) and ticking(n).
#pragma once

#include "blocks/kernels.hpp"
#include "engine/model/run_failure.hpp"
#include "signal/undefined.hpp"

namespace deltaflow {

// Left and right must agree on the rungs that the impulses meet.
template <class Solved>
void check_product(const Diagram& d, NodeId n, const Solved& solved) {
    const auto u = d.inputs_of(n);
    const int order[2] = {solved.highest_impulse(u[0]), solved.highest_impulse(u[1])};
    if (order[0] >= 0 && order[1] >= 0)
        throw RunFailure{
            .kind = ErrorKind::undefined,
            .node = n,
            .what = delta_name(order[0]) + " times " + delta_name(order[1]) +
                    " at the same instant is not defined",
            .advice = "let the two impulses come at different times, or multiply by a signal that has none",
            .show_inputs = true};
    for (int side = 0; side < 2; ++side)
        for (int k = 0; k <= order[side]; ++k) {
            if (solved.agrees(u[1 - side], k)) continue;
            const char* what = k == 0   ? "a signal that jumps"
                               : k == 1 ? "a signal whose slope jumps"
                                        : "a signal whose higher derivative jumps";
            throw RunFailure{
                .kind = ErrorKind::undefined,
                .node = n,
                .what = delta_name(order[side]) + " times " + what + " at the same instant is not defined",
                .advice = "use pre(...) for the value just before the instant",
                .show_inputs = true};
        }
}

template <class Solved>
void check_decision(const Diagram& d, NodeId n, const Solved& solved) {
    const auto u = d.inputs_of(n);
    if (solved.highest_impulse(u[0]) >= 0)
        throw RunFailure{.kind = ErrorKind::undefined,
                         .node = n,
                         .what = "an impulse in a condition is not defined",
                         .advice = "decide on a signal without impulses, such as its integral",
                         .show_inputs = true};
    if (solved.flips(n) && (solved.highest_impulse(u[1]) >= 0 || solved.highest_impulse(u[2]) >= 0))
        throw RunFailure{
            .kind = ErrorKind::undefined,
            .node = n,
            .what = "a decision that flips while one of its inputs carries an impulse is not defined",
            .advice = "let the impulse come before or after the switching, or decide on pre(...)",
            .show_inputs = true};
}

template <class Solved>
void check_refusing(const Diagram& d, NodeId n, const Solved& solved) {
    const auto u = d.inputs_of(n);
    const Primitive op = d.nodes[n].op;
    if (op == Primitive::decision) return check_decision(d, n, solved);
    if (d.nodes[n].is_trigger()) return;
    const bool sampled = op == Primitive::hold || op == Primitive::unit_delay;
    if (sampled && !solved.ticking(n)) return;
    const bool second = op == Primitive::atan2 && solved.highest_impulse(u[1]) >= 0;
    if (solved.highest_impulse(u[0]) < 0 && !second) return;
    const bool condition = traits_of(op).branches || op == Primitive::crossing || op == Primitive::assertion;
    throw RunFailure{.kind = ErrorKind::undefined,
                     .node = n,
                     .what = sampled     ? "an impulse at the tick of a clock cannot be sampled"
                             : condition ? "an impulse in a condition is not defined"
                             : op == Primitive::inverse ? "the inverse of an impulse is not defined"
                                                        : "a nonlinear function of an impulse is not defined",
                     .advice = sampled ? "sample its integral, or shift the clock"
                                       : "integrate the impulse first, or keep it out of this block",
                     .show_inputs = true};
}

}  // namespace deltaflow
