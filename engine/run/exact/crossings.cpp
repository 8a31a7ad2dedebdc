#include "engine/run/exact/crossings.hpp"

#include "engine/run/exact/germs.hpp"
#include "engine/solve/instant_rules.hpp"

#include <algorithm>

namespace deltaflow::closed_form {

void ExactCrossings::fire(bool first) {
    if (first)
        fire_by_left_germ();
    else
        state_.fired = state_.pending;
    state_.pending.clear();
    for (const NodeId n : state_.fired) calendar_.strike(n);
}

// The left germ decides: zero now, and its first rung that is not zero is of odd order.
void ExactCrossings::fire_by_left_germ() {
    state_.fired.clear();
    for (const NodeId n : at_.x->crossings) {
        const Polynomial p = trimmed(at_.left.rungs[at_.input(n)]);
        const auto first = std::find_if(p.begin(), p.end(), [](const Quadratic& r) { return !is_zero(r); });
        const bool trigger = at_.diagram().nodes[n].is_trigger();
        int& side = state_.crossing_sign[n];
        if (trigger && first == p.end()) side = 1;
        if (first == p.end()) continue;
        const int s = sign(*first);
        const bool odd = (first - p.begin()) % 2 == 1;
        if (!trigger && first == p.begin()) {
            side = s;
            continue;
        }
        if (!trigger && side == 0) continue;
        if (!trigger && odd && s * at_.diagram().parameters_of(n)[0] >= 0) state_.fired.push_back(n);
        side = odd ? -s : s;
    }
}

bool ExactCrossings::stepped_over() {
    bool found = false;
    for (const NodeId n : at_.x->crossings)
        if (steps_over(n)) {
            state_.pending.push_back(n);
            record_.note_cause(n);
            found = true;
        }
    return found;
}

bool ExactCrossings::steps_over(NodeId n) {
    const NodeId c = at_.input(n);
    const auto p = at_.diagram().parameters_of(n);
    int& side = state_.crossing_sign[n];
    const int sign = ExactGerms::forward_sign(at_.right, c), before = side;
    const bool trigger = at_.diagram().nodes[n].is_trigger();
    const int s = trigger && sign == 0 ? 1 : sign;
    const bool fired = std::find(state_.fired.begin(), state_.fired.end(), n) != state_.fired.end();
    const bool passed = !trigger && fired && is_zero(at_.left.at(c, 0));
    const bool jumped = !passed && !state_.starting && before != 0 && s == -before;
    side = side_after(s, before, passed);
    const bool struck = trigger && p[1] > 1 && !at_.solver->impulses(c).empty();
    return struck || (jumped && s * p[0] >= 0);
}

}  // namespace deltaflow::closed_form
