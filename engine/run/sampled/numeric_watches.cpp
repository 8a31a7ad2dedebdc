#include "engine/run/sampled/numeric_watches.hpp"

#include "engine/solve/decide.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

bool NumericWatches::is_zero(const Watch& w) const {
    const double c = value_of(w);
    return c != w.last && std::abs(c) <= limits::same_sample * std::abs(c - w.last);
}

int NumericWatches::side_of(const Watch& w) const {
    const double c = value_of(w);
    return c > 0 ? 1 : c < 0 ? -1 : is_trigger(w) ? 1 : 0;
}

bool NumericWatches::is_over(const Watch& w) const {
    const int side = side_of(w);
    return w.side != 0 && side == -w.side && (w.direction == 0 || w.direction == side);
}

// As steps become shorter the area of an impulse stays, and that of a jump vanishes.
bool NumericWatches::strikes(const Watch& w, double h) const {
    if (!is_trigger(w) || !is_impulsive(at_.s->regularity[w.node].r)) return false;
    const double c = value_of(w);
    return std::abs(c) > std::abs(w.last) && std::abs(c - w.last) * std::sqrt(h) > 1;
}

void NumericWatches::accept(double h) {
    for (Watch& w : state_.watches) {
        w.struck = strikes(w, h);
        w.zero = 0;
        w.last = value_of(w);
    }
}

bool NumericWatches::flip(NodeId n) {
    const Node& node = at_.node(n);
    const NodeId c = at_.input(n);
    const auto sign = [&](double threshold) {
        for (const Watch& w : state_.watches)
            if (!w.guard && w.owner == n && w.threshold == threshold && w.located)
                return node.op == Primitive::hysteresis ? 0 : side_of(w);
        const double x = state_.a[c] - threshold;
        return x > 0 ? 1 : x < 0 ? -1 : 0;
    };
    const int wanted = decide(node.op, at_.s->d.parameters_of(n), state_.now.branch[n], sign);
    if (wanted == state_.now.branch[n]) return false;
    state_.now.branch[n] = wanted;
    state_.factored = NAN;
    teller_.note_cause(n);
    return true;
}

// Has the condition of a block jumped over to another side, or onto zero? `sign` has one of its own at zero,
// which a signal may leave smoothly.
bool NumericWatches::is_off(NodeId n) const {
    bool over = false, located = false;
    for (const Watch& w : state_.watches) {
        if (w.guard || w.owner != n) continue;
        located = located || w.located;
        over = over || (!w.located && (is_over(w) || value_of(w) == 0));
    }
    if (over || located || at_.node(n).op != Primitive::sign) return over;
    const NodeId c = at_.input(n);
    const double x = state_.a[c];
    return state_.now.branch[n] == 0 ? x != 0 && !is_rounding(state_, at_, c, x) : x == 0;
}

void NumericWatches::settle(double t, double h) {
    std::vector<NodeId> flipped;
    while (flip([&](NodeId n) { return is_off(n); }, flipped)) {
        sheets_.mark_active();
        collect();
        solver_.solve(t, h);
    }
}

void NumericWatches::add(const std::vector<Watch>& old, NodeId owner, double threshold, int side,
                         int direction) {
    Watch w{at_.input(owner), owner, threshold, side, direction};
    for (const Watch& o : old)
        if (!o.guard && o.owner == owner && o.threshold == threshold) {
            const int keep = w.side;
            w = o;
            if (keep != 0) w.side = keep;
        }
    state_.watches.push_back(w);
}

void NumericWatches::collect() {
    const System& s = *at_.s;
    std::vector<Watch> old;
    old.swap(state_.watches);
    for (const NodeId n : s.crossings) add(old, n, 0, 0, static_cast<int>(s.d.parameters_of(n)[0]));
    if (state_.has_automata())
        std::copy_if(old.begin(), old.end(), std::back_inserter(state_.watches),
                     [](const Watch& w) { return w.guard; });
    for (const NodeId n : s.branchers)
        if (state_.is_active(n))
            for_each_bound(s.d.nodes[n].op, s.d.parameters_of(n), state_.now.branch[n],
                           [&](double threshold, int keep) { add(old, n, threshold, keep, 0); });
}

bool NumericWatches::something_happens() const {
    return std::any_of(state_.watches.begin(), state_.watches.end(), [&](const Watch& w) {
        return !w.guard && (w.located || w.struck || (is_crossing(w) && is_over(w)));
    });
}

bool NumericWatches::something_strikes() const {
    return std::any_of(state_.watches.begin(), state_.watches.end(), [](const Watch& w) { return w.struck; });
}

}  // namespace deltaflow
