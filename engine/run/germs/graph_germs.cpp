// What a bond graph adds to germs, and the choice of the ratios that it divides by.
#include "engine/run/germs/graph_germs.hpp"

#include "bonds/ratios.hpp"
#include "bonds/redundancy.hpp"
#include "engine/limits.hpp"
#include "engine/numerics/roots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace deltaflow {

namespace {

// A ratio that is divided by is given up below this part of the largest that it has been, if another choice
// does better by `enough`; else it is looked at again after it has fallen by `again`: seldom, for at a pole
// that stays there would be no end to it.
constexpr double small_ratio = 0.3, enough = 2, again = 100;
// So small beside all others a ratio is none, whatever it has been: cos(pi / 2).
constexpr double no_ratio = 1e-6;
// A mode that took the numbers of its ratios along takes them anew where one has changed by this part.
constexpr double drift = 1e-3;

// Where constraints are too many by the numbers of ratios, a mode takes these along.
void take_ratios(const ModeSystems& modes, const bonds::Charts& charts, const OneSidedGerm& g,
                 bonds::Mode& mode) {
    const auto& graph = modes.graph();
    bonds::Mode with = mode;
    for (const std::uint32_t x : charts.two_ports())
        bonds::append_ratio(with, g.rungs.at(graph.elements[x].parameter)[0].value);
    const auto redundancy = bonds::find_redundancy(graph, modes.ports(), with, modes.storages());
    if (redundancy && !redundancy->flips.empty()) mode = with;
}

}  // namespace

// How far each ratio is from zero, as a part of what it has been.
std::vector<double> GraphGerms::ratio_weights(const OneSidedGerm& g) {
    const auto& two_ports = modes_->charts().two_ports();
    std::vector<double>& sizes = state_.ratios;
    sizes.resize(two_ports.size(), 0);
    std::vector<double> weights;
    double largest = 0;
    for (std::size_t i = 0; i < two_ports.size(); ++i) {
        const double ratio = std::abs(g.rungs.at(modes_->graph().elements[two_ports[i]].parameter)[0].value);
        weights.push_back(std::isfinite(ratio) ? ratio : 0);
        sizes[i] = std::max(sizes[i], weights[i]);
        largest = std::max(largest, sizes[i]);
    }
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] = largest > 0 ? weights[i] / std::max(sizes[i], no_ratio * largest) : 0;
    return weights;
}

// For the mode that is tried; the present chart stays while it is good.
void GraphGerms::choose_chart() {
    const std::vector<double> weights = ratio_weights(state_.left);
    bonds::Charts& charts = modes_->charts();
    const std::size_t chart = modes_->graph().automata.size();
    state_.after_mode.resize(chart + 1);
    if (chart > 0) take_ratios(*modes_, charts, state_.left, state_.after_mode);
    const double worth = charts.worth(state_.after_mode, weights);
    state_.least_weight = HUGE_VAL;
    if (worth >= small_ratio) return;
    bonds::Mode other = state_.after_mode;
    other[chart] = charts.best(other, weights);
    if (charts.worth(other, weights) > enough * worth)
        state_.after_mode = other;
    else
        state_.least_weight = worth;
}

// A mode that took the numbers of its ratios along takes them anew where one has changed.
bool GraphGerms::has_drifted(double h) const {
    const auto& two_ports = modes_->charts().two_ports();
    const auto& elements = modes_->graph().elements;
    for (std::size_t i = 0; i < two_ports.size() && i < state_.ratios.size(); ++i) {
        const double taken = bonds::ratio_in(modes_->graph(), state_.mode, i);
        const auto series = at_.m->stepper->series(elements[two_ports[i]].parameter);
        if (std::isnan(taken) || series.empty()) continue;
        if (std::abs(horner(series, h) - taken) > drift * std::max(std::abs(taken), state_.ratios[i]))
            return true;
    }
    return false;
}

// At the end of a step, from its series or from what was evaluated there.
bool GraphGerms::nears_zero_ratio(double h) {
    if (has_drifted(h)) return true;
    const auto& two_ports = modes_->charts().two_ports();
    const auto& elements = modes_->graph().elements;
    double least = HUGE_VAL;
    for (const Watch& w : state_.watches) {
        if (w.kind != Watching::singular || w.threshold != 0) continue;
        for (std::size_t i = 0; i < two_ports.size() && i < state_.ratios.size(); ++i) {
            if (elements[two_ports[i]].inverse != w.owner) continue;
            const auto series = at_.m->stepper->series(w.node);
            const double c = std::abs(series.empty() ? *at_.m->conditions.at(w.node) : horner(series, h));
            state_.ratios[i] = std::max(state_.ratios[i], c);
            if (state_.ratios[i] > 0) least = std::min(least, c / state_.ratios[i]);
        }
    }
    if (least >= small_ratio) state_.least_weight = HUGE_VAL;
    return least < small_ratio && least * again < state_.least_weight;
}

bool GraphGerms::has_left_initial_values() const {
    const auto& elements = modes_->graph().elements;
    return std::any_of(modes_->storages().begin(), modes_->storages().end(), [&](std::uint32_t x) {
        const auto& e = elements[x];
        const bool inertia = e.type == bonds::Type::I;
        const Bounded& now = state_.right.rungs.at(inertia ? e.momentum : e.displacement)[0];
        return !is_zero(now - Bounded(inertia ? e.initial_momentum : e.initial_displacement));
    });
}

// Branches that only guards read follow the flow without an instant of their own.
void GraphGerms::settle_guard_branches() {
    bool changed = false;
    for (const NodeId n : at_.s->guard_branchers) {
        const auto branch = germs_.decide_forward(state_.right, state_.now, n);
        changed = changed || branch != state_.now.branch[n];
        state_.now.branch[n] = branch;
    }
    if (!changed) return;
    auto solved = std::move(state_.right.solved);
    germs_.evaluate(state_.right, state_.now, state_.right.order, true);
    state_.right.solved = std::move(solved);
    if (!state_.right.solved.empty()) germs_.reading().use_solved(state_.right, state_.now);
}

// What the solve says of the graph's signals counts, also where the mode's own flow would change it at once.
void GraphGerms::adopt_solved() {
    for (const NodeId n : modes_->free_nodes())
        if (const Bounded& value = at_.m->solver->right(n); !is_zero(value - state_.right.rungs.at(n)[0]))
            state_.right.solved.emplace_back(n, value);
    if (!state_.right.solved.empty()) germs_.reading().use_solved(state_.right, state_.after);
}

// A mode that time flows in must keep the values that it was entered with.
void GraphGerms::check_kept() {
    if (state_.right.solved.empty()) return;
    const auto solved = std::move(state_.right.solved);
    germs_.evaluate(state_.right, state_.now, state_.right.order, true);
    for (const auto& [node, value] : solved) {
        const double flow = state_.right.rungs.at(node)[0].value;
        const double size = std::max({std::abs(flow), std::abs(value.value), 1.0});
        if (std::abs(flow - value.value) <= limits::kept * size) continue;
        throw RunFailure{
            .kind = ErrorKind::undefined,
            .node = node,
            .what = fmt::format("this signal is {} after the jump, but the flow of the mode [{}] "
                                "would have it {} at once",
                                value.value, modes_->describe(state_.mode), flow),
            .advice =
                "a mode that is entered with pre(...) has to be left by a guard on "
                "pre(...), or else it has to keep what it sets"};
    }
}

// They must not stay where the flow is not computed: in signals that are constant.
void GraphGerms::forget_initial_values() {
    for (const auto& e : modes_->graph().elements) {
        if (!e.is_storage()) continue;
        const NodeId state = e.type == bonds::Type::I ? e.momentum : e.displacement;
        for (OneSidedGerm* g : {&state_.left, &state_.right}) {
            if (!g->system) continue;
            const bool constant = g->system->d.nodes[state].op == Primitive::constant;
            if (constant) *g->rungs.at(state) = Bounded(g->system->d.parameters_of(state)[0]);
            if (!constant && g->system->degree[state] < 0) *g->rungs.at(state) = Bounded(0);
        }
    }
}

// Nothing is divided by that need not be.
bonds::Mode GraphGerms::with_first_chart(const bonds::Mode& mode, const std::vector<double>& weights) const {
    bonds::Charts& charts = modes_->charts();
    bonds::Mode first = mode;
    first.push_back(0);
    bonds::Mode other = first;
    other.back() = charts.best(other, weights);
    const double worth = charts.worth(first, weights), better = charts.worth(other, weights);
    return better > worth && (worth < small_ratio || better == HUGE_VAL) ? other : first;
}

}  // namespace deltaflow
