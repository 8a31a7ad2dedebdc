// What an instant must not leave behind.
#include "engine/run/instants/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace deltaflow {

void Checks::impulses() const {
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

void Checks::values() {
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
bool Checks::leaves_origin(NodeId n) {
    if (at_.s->d.nodes[n].op != Primitive::atan2) return false;
    int zeros = 0;
    return germs_.forward_sign(state_.right, state_.now, at_.s->d.inputs_of(n)[2], 0, &zeros) != 0 &&
           zeros > 0;
}

}  // namespace deltaflow
