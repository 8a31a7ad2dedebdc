// One-sided germs of an island, and what they decide.
#include "engine/limits.hpp"
#include "engine/run/island.hpp"
#include "engine/solve/decide.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

template <class S>
void Rungs<S>::resize(const Diagram& d, std::uint32_t stride_) {
    stride = stride_;
    a.assign(d.nodes.size() * std::size_t{stride}, S(0));
    fill_constants(d, a.data(), stride);
}
template struct Rungs<double>;
template struct Rungs<Bounded>;

void IslandGerms::fill(Rungs<double>& rungs, double t, int count) {
    for (std::size_t i = 0; i < s_->delays.size(); ++i)
        state_.histories[i].rungs_in_step(state_.t, t,
                                          {rungs.at(s_->delays[i]), static_cast<std::size_t>(count)});
}

void IslandGerms::fill(Rungs<Bounded>& rungs, double t, bool before, int count) {
    std::vector<double> row(static_cast<std::size_t>(count) + 1);
    for (std::size_t i = 0; i < s_->delays.size(); ++i) {
        state_.histories[i].rungs(t, before, row);
        for (int k = 0; k < count; ++k) {
            // The time at which the past is looked up is rounded, too.
            const double bound =
                4 * rounding::unit * (std::abs(row[k]) + std::abs(t) * (k + 1) * std::abs(row[k + 1]));
            rungs.at(s_->delays[i])[k] = Bounded(row[k], bound);
        }
    }
}

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
const System& IslandGerms::system_of(OneSidedGerm& g) {
    if (!g.system) g.system = &modes_->of(g.mode);
    return *g.system;
}

// The germ on the given branches at state_.t, its left limit if g is state_.left. `afresh`: of the present
// mode and states, else the germ that is there gets more rungs.
void IslandGerms::evaluate(OneSidedGerm& g, const Discrete& discrete, int order, bool afresh) {
    if (afresh) {
        if (g.system != s_ && !g.rungs.a.empty()) g.rungs.resize(s_->d, g.rungs.stride);
        g.system = s_;
        g.solved.clear();
    }
    const bool new_states = afresh;
    if (!g.system) afresh = true;
    const System& s = system_of(g);
    in_step_ = false;
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
    Machinery& m = &s == s_ ? *m_ : machinery(s);
    if (new_states)
        for (const std::uint32_t i : m.seen_states)
            *g.rungs.at(s.states[i]) = Bounded(state_.x[i], state_.x_bound[i]);
    if (afresh && !s_->delays.empty()) fill(g.rungs, state_.t, &g == &state_.left, p.rungs(order));
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
    if (const std::size_t rows = s_->d.nodes.size() * std::size_t{g.rungs.stride}; g.rungs.a.size() < rows)
        g.rungs.a.resize(rows);
    if (!g.solved.empty()) use_solved(g, discrete);
    if (starting_ && &g == &state_.left) use_initial_values();
}

// The states that a signal adds up carry no less than `rest` of rounding.
void IslandGerms::widen_bounds(NodeId node, double rest, int depth) {
    const auto inputs = s_->d.inputs_of(node);
    if (s_->d.nodes[node].op == Primitive::integrator) {
        const auto at = std::lower_bound(s_->states.begin(), s_->states.end(), node) - s_->states.begin();
        double& bound = state_.x_bound[static_cast<std::size_t>(at)];
        bound = std::max(bound, rest);
    } else if (s_->d.nodes[node].op == Primitive::affine && depth > 0) {
        const auto p = s_->d.parameters_of(node);
        for (std::size_t j = 0; j < inputs.size(); ++j)
            if (p[j + 1] != 0) widen_bounds(inputs[j], rest / std::abs(p[j + 1]), depth - 1);
    } else if (s_->d.nodes[node].op == Primitive::product && inputs.size() == 2 && depth > 0) {
        // Of a ratio and what moves behind it: the factor that the other one makes the most of.
        const auto size = [&](NodeId n) { return std::abs(state_.left.rungs.at(n)[0].value); };
        const std::size_t small = size(inputs[0]) < size(inputs[1]) ? 0 : 1;
        if (const double by = size(inputs[1 - small]); by > 0)
            widen_bounds(inputs[small], rest / by, depth - 1);
    }
}

// Which states stand still from here on: their value, else nothing.
void IslandGerms::note_resting() {
    state_.resting.resize(state_.x.size(), NAN);
    const bool known = state_.right.rungs.stride >= 2 && !state_.right.rungs.a.empty();
    for (const std::uint32_t i : m_->seen_states) {
        const bool rests = known && state_.right.rungs.at(s_->states[i])[1].value == 0;
        state_.resting[i] = rests ? state_.x[i] : NAN;
    }
}

// What a located condition is more than zero is the rounding of its states, from wherever they have come.
// (By series, that is: other methods locate roots less sharply.)
void IslandGerms::respect_located() {
    const bool by_series = m_->stepper && m_->stepper->has_series();
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

// The located condition is zero by definition, until its value jumps.
int IslandGerms::value_sign(const OneSidedGerm& g, NodeId node, double threshold,
                            const Located* located) const {
    const Bounded& c = g.rungs.at(node)[0];
    if (located)
        if (&g == &state_.left || is_zero(c - state_.left.rungs.at(node)[0])) return 0;
    return sign(c - Bounded(threshold));
}

// Are there no rungs of a signal above k that could be other than zero?
bool IslandGerms::ends_at(OneSidedGerm& g, NodeId node, int k) {
    const int degree = g.system ? g.system->degree[node] : g.degree[node];
    if (degree != endless) return k >= degree;
    return (g.system || k >= g.order) && k >= system_of(g).order;
}

// A root is where it is to the rounding of the value, and a slope that such a shift would turn round is none:
// what dips below zero by less than its rounding only touches it. A slope that has jumped meanwhile is
// another's.
bool IslandGerms::is_touch(OneSidedGerm& g, const Discrete& discrete, const Located& l) {
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
bool IslandGerms::stays_zero(const OneSidedGerm& g, const Located& l, int k) const {
    if (&g == &state_.left || (l.leaves && k == l.zeros - 1)) return true;
    return k <= state_.left.order && is_zero(g.rungs.at(l.node)[k] - state_.left.rungs.at(l.node)[k]);
}

// The first rung that is not zero decides; `zeros` counts those before it.
int IslandGerms::forward_sign(OneSidedGerm& g, const Discrete& discrete, NodeId node, double threshold,
                              int* zeros) {
    const Located* l = located(node, threshold);
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

int IslandGerms::decide_forward(OneSidedGerm& g, const Discrete& discrete, NodeId n, int branch) {
    const Primitive op = s_->d.nodes[n].op;
    const NodeId c = s_->d.inputs_of(n)[0];
    if (op == Primitive::hysteresis)
        return decide(op, s_->d.parameters_of(n), branch, [&](double x) { return value_sign(g, c, x); });
    return decide(op, s_->d.parameters_of(n), branch,
                  [&](double x) { return forward_sign(g, discrete, c, x); });
}

// Blocks that are demanded under these branches; without decisions, all of them.
void IslandGerms::mark_active(const Discrete& discrete) {
    const System& s = s_->released ? *s_->released : *s_;  // methods must not tell where decisions are held
    const bool any = std::any_of(s.branchers.begin(), s.branchers.end(),
                                 [&](NodeId n) { return s.d.nodes[n].op == Primitive::decision; });
    if (!any) return;
    state_.active.assign(s_->d.nodes.size(), 0);
    std::vector<NodeId> work(s_->states);
    for (const auto& output : s_->outputs) work.push_back(output.node);
    for (const auto* list : {&s_->crossings, &s_->assertions, &s_->delays, &s_->sampled})
        work.insert(work.end(), list->begin(), list->end());
    work.insert(work.end(), s_->guards.begin(), s_->guards.end());
    work.insert(work.end(), s_->unread.begin(), s_->unread.end());
    while (!work.empty()) {
        const NodeId n = work.back();
        work.pop_back();
        if (state_.active[n]) continue;
        state_.active[n] = 1;
        const auto in = s_->d.inputs_of(n);
        if (s_->d.nodes[n].op == Primitive::decision) {
            work.push_back(in[0]);
            work.push_back(in[discrete.branch[n] == 1 ? 1 : 2]);
        } else {
            work.insert(work.end(), in.begin(), in.end());
        }
    }
}

// Bounds of sums forget that errors are the same: along many commits at one time that of x - 2.5 pre(x)
// outgrows x itself. Where it has become absurd, errors have grown as the states have.
void IslandGerms::bound_anew() {
    constexpr double absurd = 1e-6;
    double before = 0, after = 0, error = 0;
    for (const std::uint32_t i : m_->jumping_states) {
        const Bounded& left = state_.left.rungs.at(s_->states[i])[0];
        before = std::max(before, std::abs(left.value));
        after = std::max(after, std::abs(state_.x[i]));
        error = std::max(error, left.bound);
    }
    if (before == 0) return;
    const double grown = error * std::max(1.0, after / before) + 8 * rounding::unit * (before + after);
    for (const std::uint32_t i : m_->jumping_states)
        if (state_.x_bound[i] > absurd * (before + after))
            state_.x_bound[i] = std::min(state_.x_bound[i], grown);
}

// A crossing that fired at its zero and by its germ goes through. Should it have turned back, by less than
// rounding can tell? Its slope was turned round; or rounding has hidden the slope that an impulse acts on.
// Where it has turned back, a method without a series must be able to see how far it goes. And if its value
// may have jumped back, it has if it came to zero ever sooner. `side`: where to.
void Island::note_hidden_turn(std::size_t crossing, int side) {
    const NodeId c = s_->d.inputs_of(s_->crossings[crossing])[0];
    const auto rung = [c](const OneSidedGerm& g, int k) { return g.rungs.at(c)[k].value; };
    const double before = rung(state_.left, 1), after = rung(state_.right, 1);
    const auto is_low = [&] {
        if (!m_->stepper || m_->stepper->has_series() || before * after >= 0 || ends_at(state_.right, c, 1))
            return false;
        if (state_.right.order < 2) evaluate(state_.right, state_.now, 2, false);
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
                            (state_.flat[crossing] && s_->regularity[c].r <= Regularity::C(0)));
    const bool jumps_back = (rung(state_.right, 0) - rung(state_.left, 0)) * side < 0;
    if (!turns && (unresolved_ != no_node || !jumps_back)) return;
    unresolved_ = c;
    if (!turns) hidden_ = Hidden::jump;
}

// On which side of "not less than zero" a signal was before this instant.
int IslandGerms::side_before(NodeId c) {
    const bool passes = std::any_of(state_.located.begin(), state_.located.end(),
                                    [&](const Located& l) { return l.passes && l.node == c; });
    int zeros = 0;
    const int s = forward_sign(state_.left, state_.now, c, 0, &zeros);
    const bool odd = passes || zeros % 2 == 1;
    return s == 0 ? 1 : odd ? -s : s;
}

}  // namespace deltaflow
