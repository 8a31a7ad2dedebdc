// One-sided germs of an island, and what they decide.
#include "engine/run/germs/germs.hpp"

#include "engine/limits.hpp"
#include "engine/modes/guards.hpp"
#include "engine/solve/decide.hpp"
#include "engine/solve/finite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace deltaflow {

namespace {

// Makes room for more rungs; the states, which nothing computes, stay.
void widen(OneSidedGerm& g, std::uint32_t stride) {
    std::vector<Bounded> states;
    if (!g.rungs.a.empty())
        for (const NodeId n : g.system->states) states.push_back(*g.rungs.at(n));
    g.rungs.resize(g.system->d, stride);
    for (std::size_t i = 0; i < states.size(); ++i) *g.rungs.at(g.system->states[i]) = states[i];
}

}  // namespace

// The system that a germ belongs to; it may be that so far its mode was solved on parts only.
const System& Germs::system_of(OneSidedGerm& g) {
    if (!g.system) g.system = &modes_->of(g.mode);
    return *g.system;
}

// The germ on the given branches at state_.t, its left limit if g is state_.left. `afresh`: of the present
// mode and states, else the germ that is there gets more rungs.
void Germs::evaluate(OneSidedGerm& g, const Discrete& discrete, int order, bool afresh) {
    if (afresh) {
        if (g.system != at_.s && !g.rungs.a.empty()) g.rungs.resize(at_.s->d, g.rungs.stride);
        g.system = at_.s;
        g.solved.clear();
    }
    const bool new_states = afresh;
    if (!g.system) afresh = true;
    const System& s = system_of(g);
    state_.in_step = false;
    const Program& p = s.germ;
    const int least = modes_ ? modes_->reading().rungs(0) : 1;
    const auto stride = static_cast<std::uint32_t>(std::max(p.rungs(order), least));
    if (g.rungs.stride < stride) {
        widen(g, stride);
        afresh = true;
    }
    if (!p.loops.empty()) afresh = true;  // loops keep no factors between two calls
    const Frame<Bounded> f{g.rungs.a.data(), g.rungs.stride, &s.d, &discrete,
                           Bounded(state_.t, rounding::unit * std::abs(state_.t))};
    Machinery& m = &s == at_.s ? *at_.m : machineries_.of(s);
    if (new_states)
        for (const std::uint32_t i : m.seen_states)
            *g.rungs.at(s.states[i]) = Bounded(state_.x[i], state_.x_bound[i]);
    if (afresh && !at_.s->delays.empty())
        fill_delayed(state_, at_.s->delays, g.rungs, state_.t, &g == &state_.left, p.rungs(order));
    const int first = afresh ? -p.highest : g.order + 1;
    Workspace& work = m.germ_work;
    // Branches that are not taken are evaluated too, for those who switch to them; where that fails they are
    // left out.
    try {
        work.active = nullptr;
        execute(p, work, f, first, order);
    } catch (const RunFailure&) {
        if (state_.active.empty()) throw;
        work.active = &state_.active;
        execute(p, work, f, first, order);
    }
    g.order = order;
    // Whoever slides next has a few nodes more.
    if (const std::size_t rows = at_.s->d.nodes.size() * std::size_t{g.rungs.stride}; g.rungs.a.size() < rows)
        g.rungs.a.resize(rows);
    if (!g.solved.empty()) reading_.use_solved(g, discrete);
    if (state_.starting && modes_ && &g == &state_.left) reading_.use_initial_values();
}

// The states that a signal adds up carry no less than `rest` of rounding.
void Germs::widen_bounds(NodeId node, double rest, int depth) {
    const auto inputs = at_.s->d.inputs_of(node);
    if (at_.s->d.nodes[node].op == Primitive::integrator) {
        const auto at =
            std::lower_bound(at_.s->states.begin(), at_.s->states.end(), node) - at_.s->states.begin();
        double& bound = state_.x_bound[static_cast<std::size_t>(at)];
        bound = std::max(bound, rest);
    } else if (at_.s->d.nodes[node].op == Primitive::affine && depth > 0) {
        const auto p = at_.s->d.parameters_of(node);
        for (std::size_t j = 0; j < inputs.size(); ++j)
            if (p[j + 1] != 0) widen_bounds(inputs[j], rest / std::abs(p[j + 1]), depth - 1);
    } else if (at_.s->d.nodes[node].op == Primitive::product && inputs.size() == 2 && depth > 0) {
        // Of a ratio and what moves behind it: the factor that the other one makes the most of.
        const auto size = [&](NodeId n) { return std::abs(state_.left.rungs.at(n)[0].value); };
        const std::size_t small = size(inputs[0]) < size(inputs[1]) ? 0 : 1;
        if (const double by = size(inputs[1 - small]); by > 0)
            widen_bounds(inputs[small], rest / by, depth - 1);
    }
}

// What a located condition is more than zero is the rounding of its states, from wherever they have come.
// (By series, that is: other methods locate roots less sharply.)
void Germs::respect_located() {
    const bool by_series = at_.m->stepper && at_.m->stepper->has_series();
    bool more = false;
    for (Located& l : state_.located) {
        const Bounded* c = state_.left.rungs.at(l.node);
        const Bounded rest = c[0] - Bounded(l.threshold);
        l.bound = c[0].bound;
        l.slope = c[1];
        if (!by_series || is_zero(rest) || !std::isfinite(rest.value)) continue;
        widen_bounds(l.node, std::abs(rest.value), limits::magnitude_depth);
        more = true;
    }
    if (more) evaluate(state_.left, state_.now, state_.left.order, true);
}

void Germs::begin_instant(int order) {
    evaluate(state_.left, state_.now, order, true);
    respect_located();
    if (!state_.starting) check_finite(state_.left);
}

// The located condition is zero by definition, until its value jumps.
int Germs::value_sign(const OneSidedGerm& g, NodeId node, double threshold, const Located* located) const {
    const Bounded& c = g.rungs.at(node)[0];
    if (located)
        if (&g == &state_.left || is_zero(c - state_.left.rungs.at(node)[0])) return 0;
    return sign(c - Bounded(threshold));
}

// Are there no rungs of a signal above k that could be other than zero?
bool Germs::ends_at(OneSidedGerm& g, NodeId node, int k) {
    const int degree = g.system ? g.system->degree[node] : g.degree[node];
    if (degree != endless) return k >= degree;
    return (g.system || k >= g.order) && k >= system_of(g).order;
}

// A root is where it is to the rounding of the value, and a slope that such a shift would turn round is none:
// what dips below zero by less than its rounding only touches it. A slope that has jumped meanwhile is
// another's.
bool Germs::is_touch(OneSidedGerm& g, const Discrete& discrete, const Located& l) {
    if (ends_at(g, l.node, 1)) return false;
    double curvature = l.curvature;
    if (std::isnan(curvature)) {
        if (g.order < 2) evaluate(g, discrete, 2, false);
        curvature = g.rungs.at(l.node)[2].value;
    }
    const Bounded* c = g.rungs.at(l.node);
    if (std::abs(c[1].value - l.slope.value) > 4 * (c[1].bound + l.slope.bound)) return false;
    return c[1].value * c[1].value <= 8 * std::abs(curvature) * std::min(c[0].bound, l.bound);
}

// A rung above the value that is zero by definition, as long as it does not jump.
bool Germs::stays_zero(const OneSidedGerm& g, const Located& l, int k) const {
    if (&g == &state_.left || (l.leaves && k == l.zeros - 1)) return true;
    return k <= state_.left.order && is_zero(g.rungs.at(l.node)[k] - state_.left.rungs.at(l.node)[k]);
}

// The first rung that is not zero decides; `zeros` counts those before it.
int Germs::forward_sign(OneSidedGerm& g, const Discrete& discrete, NodeId node, double threshold,
                        int* zeros) {
    const Located* l = state_.located_at(node, threshold);
    int s = value_sign(g, node, threshold, l);
    int k = 0;
    while (s == 0 && !ends_at(g, node, k)) {
        ++k;
        if (k > g.order) {
            const System& its = system_of(g);
            const int last = its.degree[node] == endless ? its.order : its.degree[node];
            evaluate(g, discrete, std::min(last, 2 * k + 1), false);
        }
        s = l && k < l->zeros && stays_zero(g, *l, k) ? 0 : sign(g.rungs.at(node)[k]);
        if (k == 1 && s != 0 && l && is_touch(g, discrete, *l)) s = 0;
    }
    if (zeros) *zeros = k;
    return s;
}

int Germs::decide_forward(OneSidedGerm& g, const Discrete& discrete, NodeId n, int branch) {
    const Primitive op = at_.s->d.nodes[n].op;
    const NodeId c = at_.s->d.inputs_of(n)[0];
    if (op == Primitive::hysteresis)
        return decide(op, at_.s->d.parameters_of(n), branch, [&](double x) { return value_sign(g, c, x); });
    return decide(op, at_.s->d.parameters_of(n), branch,
                  [&](double x) { return forward_sign(g, discrete, c, x); });
}

void Germs::mark_demanded(const Discrete& discrete) {
    const System& s =
        at_.s->released ? *at_.s->released : *at_.s;  // methods must not tell where decisions are held
    const bool any = std::any_of(s.branchers.begin(), s.branchers.end(),
                                 [&](NodeId n) { return s.d.nodes[n].op == Primitive::decision; });
    if (!any) return;
    state_.active.assign(at_.s->d.nodes.size(), 0);
    std::vector<NodeId> work(at_.s->states);
    for (const auto& output : at_.s->outputs) work.push_back(output.node);
    for (const auto* list : {&at_.s->crossings, &at_.s->assertions, &at_.s->delays, &at_.s->sampled})
        work.insert(work.end(), list->begin(), list->end());
    work.insert(work.end(), at_.s->guards.begin(), at_.s->guards.end());
    work.insert(work.end(), at_.s->unread.begin(), at_.s->unread.end());
    while (!work.empty()) {
        const NodeId n = work.back();
        work.pop_back();
        if (state_.active[n]) continue;
        state_.active[n] = 1;
        const auto in = at_.s->d.inputs_of(n);
        if (at_.s->d.nodes[n].op == Primitive::decision) {
            work.push_back(in[0]);
            work.push_back(in[discrete.branch[n] == 1 ? 1 : 2]);
        } else {
            work.insert(work.end(), in.begin(), in.end());
        }
    }
}

// On which side of "not less than zero" a signal was before this instant.
int Germs::side_before(NodeId c) {
    const bool passes = std::any_of(state_.located.begin(), state_.located.end(),
                                    [&](const Located& l) { return l.passes && l.node == c; });
    int zeros = 0;
    const int s = forward_sign(state_.left, state_.now, c, 0, &zeros);
    const bool odd = passes || zeros % 2 == 1;
    return s == 0 ? 1 : odd ? -s : s;
}

// Everything that counts must be finite: what a branch that is not taken makes of its inputs does not.
void Germs::check_finite(const OneSidedGerm& g) const {
    const bool all = std::all_of(at_.m->computed.begin(), at_.m->computed.end(),
                                 [&](NodeId n) { return std::isfinite(g.rungs.at(n)[0].value); });
    if (all) return;
    const auto is_bad = [&](NodeId n) {
        return !std::isfinite(g.rungs.at(n)[0].value) && state_.is_active(n);
    };
    require_finite(at_.s->d, at_.m->computed, is_bad);
}

// On a one-sided germ, read forwards: value, slope, ... as if the flow went on.
bool Germs::holds(const bonds::Guard& guard, OneSidedGerm& g, const Discrete& discrete) {
    return guard_holds(guard, [&](NodeId n, bool by_value) {
        return by_value ? value_sign(g, n, 0) : forward_sign(g, discrete, n, 0);
    });
}

}  // namespace deltaflow
