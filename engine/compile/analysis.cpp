// Regularity and degree: fixed points over a flat diagram.
#include "engine/compile/analysis.hpp"

#include "blocks/kernels.hpp"
#include "engine/compile/alike.hpp"
#include "engine/limits.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace deltaflow {

Readers readers_of(const Diagram& d) {
    Readers result;
    const std::size_t n = d.nodes.size();
    result.first.assign(n + 1, 0);
    for (const NodeId input : d.inputs) ++result.first[input + 1];
    std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
    result.list.resize(d.inputs.size());
    std::vector<std::uint32_t> next(result.first.begin(), result.first.end() - 1);
    for (NodeId reader = 0; reader < n; ++reader)
        for (const NodeId input : d.inputs_of(reader)) result.list[next[input]++] = reader;
    return result;
}

namespace {

// Repeats value[n] = rule(n) for the readers of what changed, until nothing changes. Last come, first served:
// a loop in which values climb is done before its neighbours are looked at again.
template <class Value, class Rule>
void settle(const Diagram& d, const Readers& readers, std::vector<Value>& values, Rule rule) {
    const auto n = static_cast<NodeId>(d.nodes.size());
    std::vector<NodeId> work(n);
    std::iota(work.rbegin(), work.rend(), 0);
    std::vector<std::uint8_t> queued(n, 1);
    while (!work.empty()) {
        const NodeId node = work.back();
        work.pop_back();
        queued[node] = 0;
        const Value next = rule(node);
        if (next == values[node]) continue;
        values[node] = next;
        for (auto r = readers.first[node]; r < readers.first[node + 1]; ++r)
            if (const NodeId reader = readers.list[r]; !queued[reader]) {
                queued[reader] = 1;
                work.push_back(reader);
            }
    }
}

Regularity schedule_regularity(const Schedule& s) {
    Regularity r;
    if (s.fed > 0) r = meet(r, Regularity::delta(s.fed - 1));
    if (s.set || s.timer || s.noise) r = meet(r, Regularity::jump);
    double value = s.before, slope = 0, since = 0;
    const auto visit = [&](const Breakpoint& p, double at) {
        for (std::size_t i = 0; i < p.impulses.size(); ++i)
            if (p.impulses[i] != 0) r = meet(r, Regularity::delta(static_cast<int>(i)));
        if (p.value != value + slope * (at - since)) r = meet(r, Regularity::jump);
        if (p.slope != slope) r = meet(r, Regularity::C(0));
        value = p.value;
        slope = p.slope;
        since = at;
    };
    for (const Breakpoint& p : s.points) visit(p, to_double(p.t));
    if (s.period)
        for (const Breakpoint& p : s.points) visit(p, to_double(p.t + *s.period));
    return r;
}

// Does u -> y have no jumps at the thresholds?
bool is_continuous(std::span<const double> p) {
    const int m = static_cast<int>(p[0]);
    for (int i = 0; i < m; ++i) {
        const double x = p[1 + i];
        const double* a = &p[1 + m + 3 * i];
        const auto at = [&](const double* piece) { return piece[0] + piece[1] * (x - piece[2]); };
        if (std::abs(at(a) - at(a + 3)) > 1e-14 * (std::abs(at(a)) + std::abs(at(a + 3)))) return false;
    }
    return true;
}

// c0 + sum ci ui; c0 stands under a number that no node has.
using Form = std::map<NodeId, double>;
constexpr NodeId one = std::numeric_limits<NodeId>::max();

Form expanded(const Diagram& d, NodeId n) {
    const auto p = d.parameters_of(n);
    if (d.nodes[n].op == Primitive::constant) return {{one, p[0]}};
    if (d.nodes[n].op != Primitive::affine) return {{n, 1.0}};
    Form form{{one, p[0]}};
    for (std::size_t i = 0; i < d.inputs_of(n).size(); ++i) form[d.inputs_of(n)[i]] += p[i + 1];
    return form;
}

// decision(c, a, b) does not jump where it switches if a - b is a multiple of c: max(a, b) has c = a - b.
bool is_extremum(const Diagram& d, NodeId decision) {
    const auto in = d.inputs_of(decision);
    const Form c = in[0] == in[1] || in[0] == in[2] ? Form{{in[0], 1.0}} : expanded(d, in[0]);
    const auto form = [&](NodeId n) { return c.count(n) > 0 ? Form{{n, 1.0}} : expanded(d, n); };
    Form difference = form(in[1]);
    for (const auto& term : form(in[2])) difference[term.first] -= term.second;
    double ratio = 0;
    for (const auto& term : c)
        if (term.first != one && term.second != 0) ratio = difference[term.first] / term.second;
    for (const auto& term : c) difference[term.first] -= ratio * term.second;
    return std::all_of(difference.begin(), difference.end(),
                       [](const auto& term) { return term.second == 0; });
}

struct RegularityRule {
    const Diagram& d;
    const std::vector<Reading>& now;

    static Reading both(Regularity r) { return {r, r}; }
    static Reading at_most(const Reading& a, Regularity r) { return {meet(a.r, r), meet(a.s, r)}; }
    static Reading no_impulse(const Reading& a) {
        return {std::max(a.r, Regularity::jump), std::max(a.s, Regularity::jump)};
    }
    Reading in(NodeId n, int j) const { return now[d.inputs_of(n)[j]]; }
    Reading lowest(NodeId n, std::size_t from = 0) const {
        Reading result;
        for (const NodeId input : d.inputs_of(n).subspan(from))
            result = {meet(result.r, now[input].r), meet(result.s, now[input].s)};
        return result;
    }
    // A loop of derivatives would fall for ever; compile refuses it.
    static Regularity fallen(Regularity u) {
        return std::max(derivative(u), Regularity{-limits::deepest_rung});
    }

    Reading operator()(NodeId n) const {
        switch (d.nodes[n].op) {
            case Primitive::constant:
            case Primitive::time:
            case Primitive::sine:
            case Primitive::polynomial:
                return {};
            case Primitive::schedule:
                return both(schedule_regularity(d.schedules[d.nodes[n].extra]));
            case Primitive::affine:
            case Primitive::product:
                return lowest(n);
            case Primitive::integrator: {
                const Reading u =
                    d.nodes[n].input_count == 1 ? in(n, 0) : at_most(in(n, 0), Regularity::delta());
                return {integral(u.r), integral(u.s)};
            }
            case Primitive::derivative:
                return {fallen(in(n, 0).r), fallen(in(n, 0).s)};
            case Primitive::piecewise:
                return no_impulse(at_most(
                    in(n, 0), is_continuous(d.parameters_of(n)) ? Regularity::C(0) : Regularity::jump));
            case Primitive::decision:
                return at_most(lowest(n, 1), is_extremum(d, n) ? Regularity::C(0) : Regularity::jump);
            case Primitive::sign:
            case Primitive::floor:
            case Primitive::hysteresis:
            case Primitive::hold:
            case Primitive::unit_delay:
            case Primitive::held:
            case Primitive::strength:
                return both(Regularity::jump);
            case Primitive::free:
                return {};
            case Primitive::crossing:
                return both(Regularity::delta());
            case Primitive::pre:
                return {std::max(in(n, 0).r, Regularity::jump), Regularity::smooth};
            case Primitive::delay:  // it may jump from its initial value to the past of its input
                return both(meet(in(n, 0).r, Regularity::jump));
            default:
                return no_impulse(in(n, 0));  // functions; a partner is as regular as u
        }
    }
};

struct DegreeRule {
    const Diagram& d;
    const std::vector<std::int16_t>& now;
    int highest = limits::polynomial_degree;

    int in(NodeId n, int j) const { return now[d.inputs_of(n)[j]]; }
    int cap(int degree) const { return degree > highest ? endless : degree; }

    int affine(NodeId n) const {
        const auto p = d.parameters_of(n);
        int degree = p[0] != 0 ? 0 : -1;
        for (int j = 0; j < static_cast<int>(d.nodes[n].input_count); ++j)
            if (p[j + 1] != 0) degree = std::max(degree, in(n, j));
        return degree;
    }
    static int schedule(const Schedule& s) {
        if (s.timer) return 1;
        int degree = s.before != 0 || s.fed > 0 || s.set || s.noise ? 0 : -1;
        for (const Breakpoint& p : s.points)
            degree = std::max(degree, p.slope != 0 ? 1 : p.value != 0 ? 0 : -1);
        return degree;
    }
    int polynomial(NodeId n) const {
        const auto p = d.parameters_of(n);
        int degree = static_cast<int>(p.size()) - 1;
        while (degree >= 0 && p[degree] == 0) --degree;
        return degree;
    }
    std::int16_t operator()(NodeId n) const { return static_cast<std::int16_t>(cap(degree(n))); }

    int degree(NodeId n) const {
        switch (d.nodes[n].op) {
            case Primitive::constant:
                return d.parameters_of(n)[0] != 0 ? 0 : -1;
            case Primitive::time:
                return 1;
            case Primitive::sine:
                return d.parameters_of(n)[0] != 0 ? endless : -1;
            case Primitive::polynomial:
                return polynomial(n);
            case Primitive::schedule:
                return schedule(d.schedules[d.nodes[n].extra]);
            case Primitive::affine:
                return affine(n);
            case Primitive::product:
                return std::min(in(n, 0), in(n, 1)) < 0 ? -1 : in(n, 0) + in(n, 1);
            case Primitive::integrator:
                return std::max(0, in(n, 0) + 1);
            case Primitive::derivative:
                return in(n, 0) <= 0 ? -1 : in(n, 0) == endless ? endless : in(n, 0) - 1;
            case Primitive::delay:
            case Primitive::piecewise:
                return std::max(0, in(n, 0));
            case Primitive::decision:
                return std::max(in(n, 1), in(n, 2));
            case Primitive::sign:
            case Primitive::floor:
            case Primitive::hysteresis:
            case Primitive::hold:
            case Primitive::unit_delay:
            case Primitive::strength:
                return 0;
            case Primitive::free:
                return d.nodes[n].parameter_count > 0 ? static_cast<int>(d.parameters_of(n)[0]) : 0;
            case Primitive::held:
                return endless;
            case Primitive::crossing:
                return -1;
            case Primitive::pre:
            case Primitive::assertion:
                return in(n, 0);
            case Primitive::atan2:
                return std::max(in(n, 0), in(n, 1)) <= 0 ? 0 : endless;
            default:
                return in(n, 0) <= 0 ? 0 : endless;  // functions
        }
    }
};

// Degrees above the first limit, for nodes that no loop leads back to: there the least fixed point would
// climb to any limit, one by one.
void raise_limit(const Diagram& d, const Readers& readers, std::vector<std::int16_t>& degree) {
    const DegreeRule rule{d, degree, limits::highest_polynomial};
    std::vector<std::uint32_t> endless_inputs(d.nodes.size(), 0);
    std::vector<NodeId> ready;
    for (NodeId n = 0; n < d.nodes.size(); ++n) {
        if (degree[n] != endless) continue;
        for (const NodeId input : d.inputs_of(n)) endless_inputs[n] += degree[input] == endless;
        if (endless_inputs[n] == 0) ready.push_back(n);
    }
    while (!ready.empty()) {
        const NodeId n = ready.back();
        ready.pop_back();
        degree[n] = rule(n);
        if (degree[n] == endless) continue;
        for (auto r = readers.first[n]; r < readers.first[n + 1]; ++r)
            if (degree[readers.list[r]] == endless && --endless_inputs[readers.list[r]] == 0)
                ready.push_back(readers.list[r]);
    }
}

}  // namespace

std::vector<Reading> regularities(const Diagram& d, const Readers& readers,
                                  const std::vector<Regularity>& at_most) {
    std::vector<Reading> values(d.nodes.size());
    const RegularityRule rule{d, values};
    if (at_most.empty())
        settle(d, readers, values, rule);
    else
        settle(d, readers, values, [&](NodeId n) { return RegularityRule::at_most(rule(n), at_most[n]); });
    return values;
}

// The least fixed point; but zero for good only by a proof that passes through no loop: y = y is singular,
// not 0.
std::vector<std::int16_t> flow_degrees(const Diagram& d, const Readers& readers) {
    std::vector<std::int16_t> least(d.nodes.size(), -1), most(d.nodes.size(), endless);
    settle(d, readers, least, DegreeRule{d, least});
    settle(d, readers, most, DegreeRule{d, most});
    bool doubtful = false;
    for (NodeId n = 0; n < d.nodes.size(); ++n) {
        if (least[n] >= 0 || most[n] < 0) continue;
        least[n] = 0;
        doubtful = true;
    }
    const DegreeRule rule{d, least};
    if (doubtful) settle(d, readers, least, [&](NodeId n) { return std::max(least[n], rule(n)); });
    raise_limit(d, readers, least);
    return least;
}

std::optional<std::uint32_t> fact_of(const Diagram& d, NodeId n) {
    const Node& node = d.nodes[n];
    if (node.op == Primitive::piecewise) return is_continuous(d.parameters_of(n)) ? 1 : 0;
    if (node.op == Primitive::decision) return is_extremum(d, n) ? 1 : 0;
    if (node.op != Primitive::schedule) return std::nullopt;
    const Schedule& s = d.schedules[node.extra];
    const int regularity = std::min(schedule_regularity(s).r, limits::deepest_rung);
    const int degree = DegreeRule::schedule(s);
    return static_cast<std::uint32_t>(8 * regularity + 2 * (degree + 1) + (s.fed > 0 ? 1 : 0));
}

}  // namespace deltaflow
