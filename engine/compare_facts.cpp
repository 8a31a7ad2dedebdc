// Which signal to compare, and what reaches it.
#include "engine/compare_facts.hpp"

#include "engine/compare.hpp"
#include "engine/compile/reach.hpp"
#include "engine/compile/system.hpp"
#include "engine/modes/modes.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

namespace {

// The longest chain of derivatives that ends in each node; in a loop it ends somewhere.
int derivative_depth(const Diagram& d) {
    std::vector<int> depth(d.nodes.size(), 0);
    int deepest = 0;
    for (bool grows = true; grows && deepest < limits::deepest_rung;) {
        grows = false;
        for (NodeId n = 0; n < d.nodes.size(); ++n) {
            int here = 0;
            if (d.nodes[n].op != Primitive::integrator)
                for (const NodeId input : d.inputs_of(n)) here = std::max(here, depth[input]);
            if (d.nodes[n].op == Primitive::derivative) ++here;
            if (here <= depth[n]) continue;
            depth[n] = here;
            deepest = std::max(deepest, here);
            grows = true;
        }
    }
    return deepest;
}

// The fewest integrators on the way from a source of jumps to each derivative; the most of all derivatives.
int derivative_lag(const System& s) {
    constexpr int never = 1000;
    std::vector<int> away(s.d.nodes.size(), never);
    for (const auto* list : {&s.schedules, &s.crossings, &s.branchers, &s.sampled, &s.delays})
        for (const NodeId n : *list) away[n] = 0;
    for (bool changes = true; changes;) {
        changes = false;
        for (NodeId n = 0; n < s.d.nodes.size(); ++n)
            for (const NodeId input : s.d.inputs_of(n))
                if (const int here = away[input] + (s.d.nodes[n].op == Primitive::integrator);
                    here < away[n]) {
                    away[n] = here;
                    changes = true;
                }
    }
    int most = 0;
    for (NodeId n = 0; n < s.d.nodes.size(); ++n)
        if (s.d.nodes[n].op == Primitive::derivative && away[n] < never) most = std::max(most, away[n]);
    return most;
}

ComparedFacts facts_of(const System& s) {
    ComparedFacts facts;
    facts.depth = derivative_depth(s.d);
    facts.lag = derivative_lag(s);
    facts.located = !s.crossings.empty() || !s.branchers.empty();
    for (const NodeId n : s.delays) facts.delays.push_back(s.d.parameters_of(n)[0]);
    const auto reached = reached_nodes(s, nullptr);
    for (NodeId n = 0; n < s.d.nodes.size(); ++n) {
        if (impulse_rungs(s.regularity[n]) == 0 || !reached[n]) continue;
        facts.order = std::max(facts.order, impulse_rungs(s.regularity[n]) - 1);
        facts.impulsive.push_back(s.origin[n]);
    }
    return facts;
}

}  // namespace

ComparedFacts facts_of(const FlatModel& one) {
    if (has_modes(one.graph)) {
        ModeSystems modes(one, one.settings);
        ComparedFacts facts = facts_of(modes.of(bonds::initial_mode(one.graph)));
        facts.located = facts.located || !one.graph.automata.empty();
        return facts;
    }
    for (const System& s : compile_model(one))
        if (!s.outputs.empty()) return facts_of(s);
    return {};
}

Trace impulses_of(const FlatModel& one, const ComparedFacts& facts, const RunControl& control) {
    FlatModel model = one;
    model.settings.impulses = ImpulseKind::symbolic;
    if (one.graph.elements.empty())
        for (const NodeId n : facts.impulsive) model.record.push_back({"", n});
    for (const auto& bond : one.graph.bonds)
        for (const NodeId n : {bond.effort, bond.flow}) model.record.push_back({bond.name, n});
    return simulate(model, control);
}

namespace {

// Of a diagram: the first recorded signal that lies behind something impulsive, or is it.
std::optional<std::uint32_t> reached_signal(const FlatModel& all) {
    std::optional<std::uint32_t> first;
    for (const System& s : compile_model(all)) {
        const auto run_into = reached_nodes(s, nullptr);
        std::vector<bool> reached(s.d.nodes.size(), false);
        for (NodeId n = 0; n < reached.size(); ++n)
            reached[n] = impulse_rungs(s.regularity[n]) > 0 && run_into[n];
        for (bool grows = true; grows;) {
            grows = false;
            for (NodeId n = 0; n < reached.size(); ++n)
                for (const NodeId input : s.d.inputs_of(n))
                    if (reached[input] && !reached[n]) reached[n] = grows = true;
        }
        for (const auto& output : s.outputs)
            if (reached[output.node]) first = std::min(first.value_or(output.signal), output.signal);
    }
    return first;
}

// Of a bond graph: the first one that jumps where something carries an impulse.
std::optional<std::uint32_t> struck_signal(const FlatModel& all, const RunControl& control) {
    FlatModel model = all;
    model.settings.impulses = ImpulseKind::symbolic;
    for (const auto& bond : all.graph.bonds)
        for (const NodeId n : {bond.effort, bond.flow}) model.record.push_back({bond.name, n});
    const Trace trace = simulate(model, control);
    std::optional<std::uint32_t> first;
    for (const Event& e : trace.events) {
        const auto jumps = trace.jumps_of(e);
        if (std::none_of(jumps.begin(), jumps.end(), [](const Jump& j) { return j.impulse_count > 0; }))
            continue;
        for (const Jump& jump : jumps)
            if (jump.signal < all.record.size()) first = std::min(first.value_or(jump.signal), jump.signal);
    }
    return first;
}

}  // namespace

std::string signal_to_compare(const FlatModel& all, const RunControl& control) {
    if (all.record.empty()) return "";
    const auto found = has_modes(all.graph) || !all.graph.elements.empty() ? struck_signal(all, control)
                                                                           : reached_signal(all);
    return all.record[found.value_or(0)].name;
}

Highest highest_impulse(const Trace& trace) {
    Highest highest;
    for (const Jump& jump : trace.jumps) {
        const auto impulses = trace.impulses_of(jump);
        const int order = static_cast<int>(impulses.size()) - 1;
        if (order < 0 || order < highest.order) continue;
        const double size = std::abs(impulses.back());
        highest = {order, order > highest.order ? size : std::max(size, highest.coefficient)};
    }
    return highest;
}

}  // namespace deltaflow
