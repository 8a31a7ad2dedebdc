// What an instant must refuse: products and functions that distribution theory does not define.
#include "engine/instant_solver.hpp"

#include <algorithm>

namespace deltaflow {

void InstantSolver::check(const InstantInput& in, const std::vector<std::uint8_t>& active) const {
    for (const NodeId n : p_.products)
        if (active.empty() || active[n]) check_product(in, n);
    for (const NodeId n : p_.refusing)
        if (active.empty() || active[n]) check_refusing(in, n);
}

namespace {
std::string primes(int order) {
    if (order <= 3) return "delta" + std::string(static_cast<std::size_t>(order), '\'');
    return "delta^(" + std::to_string(order) + ")";
}
}  // namespace

// Left and right must agree on the rungs that the impulses meet.
void InstantSolver::check_product(const InstantInput& in, NodeId n) const {
    const auto u = s_.d.inputs_of(n);
    const int order[2] = {highest_impulse(u[0]), highest_impulse(u[1])};
    if (order[0] >= 0 && order[1] >= 0)
        throw RunFailure{
            .code = 4,
            .node = n,
            .what = primes(order[0]) + " times " + primes(order[1]) + " at the same instant is not defined",
            .advice = "let the two impulses come at different times, or multiply by a signal that has none",
            .show_inputs = true};
    for (int side = 0; side < 2; ++side)
        for (int k = 0; k <= order[side]; ++k) {
            const Bounded& left = in.left[std::size_t{u[1 - side]} * in.left_stride + k];
            if (is_zero(right(u[1 - side], k) - left)) continue;
            const char* what = k == 0   ? "a signal that jumps"
                               : k == 1 ? "a signal whose slope jumps"
                                        : "a signal whose higher derivative jumps";
            throw RunFailure{
                .code = 4,
                .node = n,
                .what = primes(order[side]) + " times " + what + " at the same instant is not defined",
                .advice = "use pre(...) for the value just before the instant",
                .show_inputs = true};
        }
}

void InstantSolver::check_refusing(const InstantInput& in, NodeId n) const {
    const auto u = s_.d.inputs_of(n);
    const Primitive op = s_.d.nodes[n].op;
    if (op == Primitive::decision) {
        if (carries_impulse(u[0]))
            throw RunFailure{.code = 4,
                             .node = n,
                             .what = "an impulse in a condition is not defined",
                             .advice = "decide on a signal without impulses, such as its integral",
                             .show_inputs = true};
        if (in.before->branch[n] != in.after->branch[n] && (carries_impulse(u[1]) || carries_impulse(u[2])))
            throw RunFailure{
                .code = 4,
                .node = n,
                .what = "a decision that flips while one of its inputs carries an impulse is not defined",
                .advice = "let the impulse come before or after the switching, or decide on pre(...)",
                .show_inputs = true};
        return;
    }
    const bool sampled = op == Primitive::hold || op == Primitive::unit_delay;
    if (sampled && !ticking_[n]) return;
    if (!carries_impulse(u[0]) && !(op == Primitive::atan2 && carries_impulse(u[1]))) return;
    const bool condition = traits_of(op).branches || op == Primitive::crossing || op == Primitive::assertion;
    throw RunFailure{.code = 4,
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
