#include "engine/run/sampled/numeric_checks.hpp"

#include "engine/model/run_failure.hpp"
#include "engine/solve/finite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace deltaflow {

void check_finite(const NumericState& state, const NumericRunning& at, std::uint64_t steps) {
    if (all_finite(state.a)) return;
    for (const NodeId n : at.m->program.order) {
        if (std::isfinite(state.a[n]) || !at.m->needed[n] || !state.is_active(n)) continue;
        throw RunFailure{
            .kind = ErrorKind::not_finite,
            .node = n,
            .what = fmt::format("a sample is no longer finite (step {})", steps + 1),
            .advice = "a longer step keeps numeric impulses smaller; symbolic ones have no height",
            .show_inputs = true};
    }
}

namespace {

// What goes through zero between two samples, and does not jump over it, has no inverse there.
void check_poles(NumericState& state, const NumericRunning& at) {
    state.pole_side.resize(at.s->d.nodes.size(), 0);
    for (const NodeId n : at.s->singular) {
        const NodeId u = at.input(n);
        if (at.node(n).op != Primitive::inverse || at.s->regularity[u].r <= Regularity::jump) continue;
        const auto side =
            static_cast<std::int8_t>(state.is_active(n) ? (state.a[u] > 0) - (state.a[u] < 0) : 0);
        if (std::exchange(state.pole_side[n], side) * side >= 0) continue;
        throw RunFailure{.kind = ErrorKind::not_finite,
                         .node = n,
                         .what = "a pole: the input has passed zero since the last sample",
                         .advice = "keep the input away from zero, for example with max(...) or if(...)",
                         .show_inputs = true};
    }
}

}  // namespace

void check_sample(NumericState& state, const NumericRunning& at, std::uint64_t steps) {
    check_finite(state, at, steps);
    if (!at.s->singular.empty()) check_poles(state, at);
    for (const NodeId n : at.s->assertions) {
        const NodeId u = at.input(n);
        if (state.a[u] >= 0 || !state.is_active(n)) continue;
        double size = 0;
        for (const NodeId input : at.s->d.inputs_of(u)) size = std::max(size, std::abs(state.a[input]));
        if (state.a[u] >= -limits::sample_rounding * size) continue;
        if (at.node(n).ends_run()) {
            state.terminated = true;
            continue;
        }
        throw RunFailure{.kind = ErrorKind::assertion,
                         .node = n,
                         .what = at.s->d.messages[at.node(n).extra],
                         .show_inputs = true};
    }
}

}  // namespace deltaflow
