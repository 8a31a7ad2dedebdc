// Modulated ratios that come to zero: another choice of the independent storages, and the state is carried
// over.
#include "bonds/ratios.hpp"
#include "bonds/redundancy.hpp"
#include "engine/run/island.hpp"

#include <algorithm>
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
std::vector<double> IslandGerms::ratio_weights(const OneSidedGerm& g) {
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
void IslandGerms::choose_chart() {
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

// Before the start: ratios by the initial values alone. Nothing is divided by that need not be.
void Island::begin_with_chart() {
    OneSidedGerm& g = state_.left;
    g.rungs.resize(s_->d, static_cast<std::uint32_t>(std::max(1, modes_->reading().rungs(0))));
    for (std::size_t i = 0; i < s_->states.size(); ++i) *g.rungs.at(s_->states[i]) = state_.x[i];
    read_graph(g, state_.now);
    const std::vector<double> weights = ratio_weights(g);
    g = OneSidedGerm();
    bonds::Charts& charts = modes_->charts();
    bonds::Mode mode = state_.mode;
    mode.push_back(0);
    bonds::Mode other = mode;
    other.back() = charts.best(other, weights);
    const double worth = charts.worth(mode, weights), better = charts.worth(other, weights);
    if (better > worth && (worth < small_ratio || better == HUGE_VAL)) mode = other;
    const bool turns = mode.back() != 0;
    state_.mode = state_.after_mode = state_.recorded_mode = state_.first_committed = mode;
    if (!turns) return;
    enter_at_start();
    scratch_.resize(s_->states.size());
}

// At the end of a step, from its series or from what was evaluated there.
bool IslandGerms::nears_zero_ratio(double h) {
    const auto& two_ports = modes_->charts().two_ports();
    const auto& elements = modes_->graph().elements;
    for (std::size_t i = 0; i < two_ports.size() && i < state_.ratios.size(); ++i) {
        const double taken = bonds::ratio_in(modes_->graph(), state_.mode, i);
        const auto series = m_->stepper->series(elements[two_ports[i]].parameter);
        if (std::isnan(taken) || series.empty()) continue;
        if (std::abs(horner(series, h) - taken) > drift * std::max(std::abs(taken), state_.ratios[i]))
            return true;
    }
    double least = HUGE_VAL;
    for (const Watch& w : state_.watches) {
        if (w.kind != Watching::singular || w.threshold != 0) continue;
        for (std::size_t i = 0; i < two_ports.size() && i < state_.ratios.size(); ++i) {
            if (elements[two_ports[i]].inverse != w.owner) continue;
            const auto series = m_->stepper->series(w.node);
            const double c = std::abs(series.empty() ? *m_->conditions.at(w.node) : horner(series, h));
            state_.ratios[i] = std::max(state_.ratios[i], c);
            if (state_.ratios[i] > 0) least = std::min(least, c / state_.ratios[i]);
        }
    }
    if (least >= small_ratio) state_.least_weight = HUGE_VAL;
    return least < small_ratio && least * again < state_.least_weight;
}

}  // namespace deltaflow
