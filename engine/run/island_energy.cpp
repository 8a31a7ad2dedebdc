// The ledger: work while time flows, from the same series as the flow itself; at an instant, from the energy
// functions of the storages. The work of an impulse is never effort times flow: that product is not defined.
#include "engine/limits.hpp"
#include "engine/run/island.hpp"

#include <fmt/format.h>
#include <boost/math/quadrature/gauss.hpp>

#include <algorithm>
#include <cmath>

namespace deltaflow {

namespace {

// The integral over [0, h] of the product of two polynomials.
double integral_of_product(std::span<const double> a, std::span<const double> b, double h) {
    double sum = 0, power = h;
    for (std::size_t k = 0; k < a.size() + b.size() - 1; ++k, power *= h) {
        double c = 0;
        for (std::size_t i = k < b.size() ? 0 : k - b.size() + 1; i <= k && i < a.size(); ++i)
            c += a[i] * b[k - i];
        sum += c * power / static_cast<double>(k + 1);
    }
    return sum;
}

double energy_rounding(const bonds::Element& e, const OneSidedGerm& g) {
    if (e.law != no_node) return 0;
    const Bounded& x = g.rungs.at(e.type == bonds::Type::I ? e.momentum : e.displacement)[0];
    return (std::abs(x.value) + x.bound) * x.bound / std::abs(e.value);
}

}  // namespace

void Island::open_ledger() {
    const auto& elements = modes_->graph().elements;
    for (std::uint32_t i = 0; i < elements.size(); ++i) {
        if (elements[i].is_source()) ledger_.supplied.emplace_back(i, 0.0);
        if (modes_->dissipates(elements[i])) ledger_.dissipated.emplace_back(i, 0.0);
    }
}

// Work over a step of length h.
void Island::account(double h) {
    if (!modes_ || h <= 0 || s_->ports.empty()) return;
    const auto& elements = modes_->graph().elements;
    const auto work_of = [&](const bonds::Element& e) {
        const auto effort = m_->stepper->series(e.effort), flow = m_->stepper->series(e.flow);
        return effort.empty() || flow.empty() ? 0.0 : integral_of_product(effort, flow, h);
    };
    if (m_->stepper->has_series()) {
        for (auto* side : {&ledger_.supplied, &ledger_.dissipated})
            for (auto& [element, work] : *side) {
                const double more = work_of(elements[element]);
                work += more;
                turnover_ += std::abs(more);
            }
        return;
    }
    account_by_points(h);
}

// Without series: Gauss's rule on the method's own interpolation.
void Island::account_by_points(double h) {
    const auto& elements = modes_->graph().elements;
    using Rule = boost::math::quadrature::gauss<double, 7>;
    const auto take = [&](double u, double weight) {
        const double s = 0.5 * h * (1 + u);
        m_->stepper->states(s, scratch_);
        for (std::size_t i = 0; i < s_->states.size(); ++i) *m_->ledger.at(s_->states[i]) = scratch_[i];
        fill(m_->ledger, state_.t + s, static_cast<int>(m_->ledger.stride));
        const Frame<double> f{m_->ledger.a.data(), m_->ledger.stride, &s_->d, &state_.now, state_.t + s};
        execute(s_->ledger, m_->ledger_work, f, -s_->ledger.highest, 0);
        for (auto* side : {&ledger_.supplied, &ledger_.dissipated})
            for (auto& [element, work] : *side) {
                const double more = 0.5 * h * weight * *m_->ledger.at(elements[element].effort) *
                                    *m_->ledger.at(elements[element].flow);
                work += more;
                turnover_ += std::abs(more);
            }
    };
    for (std::size_t i = 0; i < Rule::abscissa().size(); ++i) {
        const double x = Rule::abscissa()[i], w = Rule::weights()[i];
        take(x, w);
        if (x != 0) take(-x, w);
    }
}

double IslandGerms::energy_of(const bonds::Element& e, const OneSidedGerm& g) const {
    if (e.law != no_node) return e.energy == no_node ? 0 : g.rungs.at(e.energy)[0].value;
    const double x = g.rungs.at(e.type == bonds::Type::I ? e.momentum : e.displacement)[0].value;
    return x * x / (2 * e.value);
}

double IslandGerms::stored_energy(const OneSidedGerm& g) const {
    double sum = 0;
    const auto& elements = modes_->graph().elements;
    for (const std::uint32_t x : modes_->storages()) sum += energy_of(elements[x], g);
    return sum;
}

// Impulse times the mean of the other variable before and after: exact for linear storages. `of_jump`: what
// it is more if the other variable jumps before the impulse flows.
double Island::impulsive_work(NodeId effort, NodeId flow, bool of_jump) const {
    if (change_ && !passed_ && !is_reached(effort) && !is_reached(flow)) return 0;
    const auto mean = [&](NodeId n) {
        const double left = told_left().rungs.at(n)[0].value, right = state_.right.rungs.at(n)[0].value;
        return 0.5 * (of_jump ? right - left : right + left);
    };
    const auto strength = [&](NodeId n) { return told_count(n) > 0 ? told_impulse(n, 0).value : 0.0; };
    return strength(effort) * mean(flow) + strength(flow) * mean(effort);
}

void Island::account_for_instant(std::uint32_t epsilon) {
    if (!modes_ || !s_->keeps_ledger) return;
    EnergyEvent event{
        state_.t, first_epsilon_ + epsilon, stored_energy(told_left()), stored_energy(state_.right), 0, {}};
    const auto& g = modes_->graph();
    bool impulsive = false;
    std::vector<std::uint8_t> inside(g.elements.size(),
                                     0);  // sources at a controlled junction are part of it
    for (const std::uint32_t x : change_ && !passed_ ? change_->elements : s_->controlled_elements) {
        double work = 0;
        for (const std::uint32_t b : modes_->ports().of(x)) {
            const auto& bond = g.bonds[b];
            const std::uint32_t far = bond.from == x ? bond.to : bond.from;
            inside[far] = inside[far] || g.elements[far].is_source();
            if (g.elements[far].is_source()) continue;
            const double w = impulsive_work(bond.effort, bond.flow);
            impulsive = impulsive || w != 0;
            work += bond.to == x ? w : -w;
        }
        if (work != 0) event.dissipated.emplace_back(x, work);
    }
    // A source that jumps has jumped before charge flows: what switches takes the difference, each as much as
    // flows through it.
    double jumps = 0, flown = 0;
    for (const auto& [x, total] : ledger_.supplied) {
        if (inside[x]) continue;
        event.supplied += impulsive_work(g.elements[x].effort, g.elements[x].flow);
        jumps += impulsive_work(g.elements[x].effort, g.elements[x].flow, true);
    }
    const auto struck = [&](std::uint32_t x) {
        double sum = 0;
        for (const std::uint32_t b : modes_->ports().of(x))
            for (const NodeId n : {g.bonds[b].effort, g.bonds[b].flow})
                if (told_count(n) > 0) sum += std::abs(told_impulse(n, 0).value);
        return sum;
    };
    if (!event.dissipated.empty()) {
        event.supplied += jumps;
        for (const auto& share : event.dissipated) flown += struck(share.first);
        for (auto& [x, work] : event.dissipated)
            work +=
                flown > 0 ? jumps * struck(x) / flown : jumps / static_cast<double>(event.dissipated.size());
    }
    turnover_ = std::max({turnover_, std::abs(event.stored_before), std::abs(event.stored_after)});
    const double scale = std::max(std::abs(event.stored_before) + std::abs(event.stored_after),
                                  limits::energy_audit * turnover_);
    const double lost = event.stored_before + event.supplied - event.stored_after;
    if (!impulsive && event.supplied == 0 && std::abs(lost) <= limits::energy_rounding * scale) return;
    // What is stored has the rounding of its states: of a body that comes to rest nothing else is left.
    double rounding = 0;
    for (const std::uint32_t x : modes_->storages())
        rounding +=
            energy_rounding(g.elements[x], told_left()) + energy_rounding(g.elements[x], state_.right);
    const bool rests = std::abs(event.stored_before) + std::abs(event.stored_after) <= rounding;
    if ((rests || !impulsive) && std::abs(lost) <= rounding && std::abs(event.supplied) <= rounding &&
        event.dissipated.empty())
        return;
    share_loss(event, lost);
    audit(event, lost, scale);
    ledger_.instants.push_back(std::move(event));
}

// With nonlinear storages the mean is no more than a guess of who took how much: the sum is known.
void Island::share_loss(EnergyEvent& event, double lost) const {
    const auto& elements = modes_->graph().elements;
    if (std::none_of(elements.begin(), elements.end(),
                     [](const bonds::Element& e) { return e.is_storage() && e.law != no_node; }))
        return;
    double sum = 0;
    for (const auto& share : event.dissipated) sum += share.second;
    if (sum == 0) return;
    for (auto& share : event.dissipated) share.second *= lost / sum;
}

// Dissipation is never negative (002), and what is lost was dissipated somewhere. (Of several junctions that
// act at once, one may take more than is lost and another give some back: only their sum has a sign.)
void Island::audit(const EnergyEvent& event, double lost, double scale) {
    const auto& g = modes_->graph();
    double sum = 0;
    std::string names;
    for (const auto& [x, work] : event.dissipated) {
        sum += work;
        names += (names.empty() ? "" : ", ") + g.elements[x].name;
    }
    if (sum < -limits::energy_audit * scale)
        warnings_.push_back(
            fmt::format("at t = {}: {} of energy comes out of {} at an instant; junctions that "
                        "switch can only dissipate",
                        state_.t, -sum, names));
    const bool at_start =
        event.t == settings_.start && event.dissipated.empty();  // what was given, contradicts
    if (std::abs(lost - sum) > limits::energy_audit * std::max(scale, std::abs(lost)) && !at_start)
        warnings_.push_back(
            fmt::format("at t = {}: {} of energy is lost at an instant, of which controlled junctions "
                        "account for {}",
                        state_.t, lost, sum));
}

// A run that failed may have ended in a mode that has no values: what was stored before it counts.
void Island::close_ledger() {
    if (!modes_ || state_.right.rungs.a.empty()) return;
    const OneSidedGerm* end = s_->mode == state_.mode ? &state_.right : &state_.left;
    try {
        if (end == &state_.right) evaluate(state_.right, state_.now, 0, true);
    } catch (const RunFailure&) {
        end = &state_.left;
    }
    ledger_.stored_at_end = stored_energy(*end);
}

}  // namespace deltaflow
