// Crossings at an instant.
#include "engine/run/instants/crossings.hpp"

#include "engine/limits.hpp"
#include "engine/solve/instant_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace deltaflow {

// A crossing that fired at its zero and by its germ goes through. Should it have turned back, by less than
// rounding can tell? Its slope was turned round; or rounding has hidden the slope that an impulse acts on.
// Where it has turned back, a method without a series must be able to see how far it goes. And if its value
// may have jumped back, it has if it came to zero ever sooner. `side`: where to.
void Crossings::note_hidden_turn(std::size_t crossing, int side) {
    const NodeId c = at_.s->d.inputs_of(at_.s->crossings[crossing])[0];
    const auto rung = [c](const OneSidedGerm& g, int k) { return g.rungs.at(c)[k].value; };
    const double before = rung(state_.left, 1), after = rung(state_.right, 1);
    const auto is_low = [&] {
        if (!at_.m->stepper || at_.m->stepper->has_series() || before * after >= 0 ||
            germs_.ends_at(state_.right, c, 1))
            return false;
        if (state_.right.order < 2) germs_.evaluate(state_.right, state_.now, 2, false);
        const Bounded* rungs = state_.right.rungs.at(c);
        return after * rungs[2].value < 0 &&
               after * after <= limits::hidden_hop * std::abs(rungs[2].value) * rungs[0].bound;
    };
    // What has jumped away from zero by more than rounding is where it is.
    const bool stays = is_zero(state_.right.rungs.at(c)[0] - state_.left.rungs.at(c)[0]);
    const bool turns =
        stays && (side == state_.crossing_sign[crossing]
                      ? is_low()
                      : (before * after < 0 && after * side < 0) ||
                            (state_.flat[crossing] && at_.s->regularity[c].r <= Regularity::C(0)));
    const bool jumps_back = (rung(state_.right, 0) - rung(state_.left, 0)) * side < 0;
    if (!turns && (unresolved_ != no_node || !jumps_back)) return;
    unresolved_ = c;
    if (!turns) state_.hidden = Hidden::jump;
}

// Zero only to its rounding, with a slope that turns round within that rounding: it touches zero as likely.
bool Crossings::may_only_touch(NodeId c) {
    if (germs_.ends_at(state_.left, c, 1)) return false;
    if (state_.left.order < 2) germs_.evaluate(state_.left, state_.now, 2, false);
    const Bounded* rungs = state_.left.rungs.at(c);
    return rungs[1].value * rungs[1].value <= 8 * std::abs(rungs[2].value) * rungs[0].bound;
}

// The left germ decides: zero now, and afterwards not on the side where it was. (In exact numbers that is
// an odd order of the first rung that is not zero; asking for the side is safe against rounding.)
void Crossings::fire_by_left_germ() {
    for (std::size_t i = 0; i < at_.s->crossings.size(); ++i) {
        const NodeId n = at_.s->crossings[i], c = at_.s->d.inputs_of(n)[0];
        state_.fired[i] = 0;
        if (at_.s->d.nodes[n].is_trigger()) {
            state_.crossing_sign[i] = germs_.side_before(c);
            continue;
        }
        int zeros = 0;
        const int s = germs_.forward_sign(state_.left, state_.now, c, 0, &zeros);
        if (s != 0 && zeros == 0) {
            state_.crossing_sign[i] = s;
            continue;
        }
        if (s == 0 || state_.crossing_sign[i] == 0) continue;
        // Roots against the direction make no instant: the side may have changed unseen.
        const double direction = at_.s->d.parameters_of(n)[0];
        const bool located = state_.located_at(c, 0) != nullptr;
        const bool passes = (zeros % 2 == 1 && (located || !may_only_touch(c))) ||
                            std::any_of(state_.located.begin(), state_.located.end(),
                                        [&](const Located& l) { return l.passes && l.node == c; });
        state_.fired[i] = direction * s >= 0 && (state_.crossing_sign[i] == -s || (direction != 0 && passes));
        state_.flat[i] = zeros % 2 == 0;
        if (!state_.fired[i]) state_.crossing_sign[i] = passes ? -s : s;
    }
}

bool Crossings::fires_again(std::size_t i) {
    const NodeId n = at_.s->crossings[i], c = at_.s->d.inputs_of(n)[0];
    const int sign = germs_.forward_sign(state_.right, state_.now, c, 0), before = state_.crossing_sign[i];
    const bool trigger = at_.s->d.nodes[n].is_trigger();
    const int s = trigger && sign == 0 ? 1 : sign;
    const double direction = at_.s->d.parameters_of(n)[0];
    // What fired at a zero was that passage. A jump over zero is another one, also where the block fires.
    const bool passed = !trigger && state_.fired[i] && germs_.value_sign(state_.left, c, 0) == 0;
    if (passed) note_hidden_turn(i, s);
    const bool jumped = !passed && state_.t > settings_.start && before != 0 && s == -before;
    state_.crossing_sign[i] = side_after(s, before, passed);
    const bool struck = trigger && at_.s->d.parameters_of(n)[1] > 1 && at_.m->solver->carries_impulse(c);
    state_.pending[i] = (jumped && direction * s >= 0) || struck;
    return state_.pending[i];
}

namespace {
constexpr double one_delta[] = {1.0};
}

void Crossings::fire(bool first, Arrivals& arrivals, Record& record) {
    if (first)
        fire_by_left_germ();
    else
        state_.fired = state_.pending;
    std::fill(state_.pending.begin(), state_.pending.end(), 0);
    for (std::size_t i = 0; i < at_.s->crossings.size(); ++i) {
        if (!state_.fired[i]) continue;
        arrivals.add(at_.s->crossings[i], one_delta);
        record.note_cause(at_.s->crossings[i]);
    }
}

}  // namespace deltaflow
