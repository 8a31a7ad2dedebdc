// The ledger of energy at instants.
#include "engine/run/instants/ledger.hpp"

#include "engine/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace deltaflow {

namespace {

double energy_rounding(const bonds::Element& e, const OneSidedGerm& g) {
    if (e.law != no_node) return 0;
    const Bounded& x = g.rungs.at(e.type == bonds::Type::I ? e.momentum : e.displacement)[0];
    return (std::abs(x.value) + x.bound) * x.bound / std::abs(e.value);
}

}  // namespace

void Ledger::open() {
    const auto& elements = modes_->graph().elements;
    for (std::uint32_t i = 0; i < elements.size(); ++i) {
        if (elements[i].is_source()) book_.ledger.supplied.emplace_back(i, 0.0);
        if (modes_->dissipates(elements[i])) book_.ledger.dissipated.emplace_back(i, 0.0);
    }
}

// Impulse times the mean of the other variable before and after: exact for linear storages. `of_jump`: what
// it is more if the other variable jumps before the impulse flows.
double Ledger::impulsive_work(NodeId effort, NodeId flow, bool of_jump) const {
    if (outcome_.part() && !outcome_.has_passed() && !outcome_.reaches(effort) && !outcome_.reaches(flow))
        return 0;
    const auto mean = [&](NodeId n) {
        const double left = outcome_.told_left().rungs.at(n)[0].value,
                     right = state_.right.rungs.at(n)[0].value;
        return 0.5 * (of_jump ? right - left : right + left);
    };
    const auto strength = [&](NodeId n) {
        return outcome_.told_count(n) > 0 ? outcome_.told_impulse(n, 0).value : 0.0;
    };
    return strength(effort) * mean(flow) + strength(flow) * mean(effort);
}

// With nonlinear storages the mean is no more than a guess of who took how much: the sum is known.
void Ledger::share_loss(EnergyEvent& event, double lost) const {
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
void Ledger::audit(const EnergyEvent& event, double lost, double scale) {
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

// What controlled junctions take; sources at them are `inside`, a part of them. True if impulses flow.
bool Ledger::take_junctions(EnergyEvent& event, std::vector<std::uint8_t>& inside) const {
    const auto& g = modes_->graph();
    const bool on_part = outcome_.part() && !outcome_.has_passed();
    bool impulsive = false;
    for (const std::uint32_t x : on_part ? outcome_.part()->elements : at_.s->controlled_elements) {
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
    return impulsive;
}

// How much flows through an element.
double Ledger::struck(std::uint32_t x) const {
    const auto& g = modes_->graph();
    double sum = 0;
    for (const std::uint32_t b : modes_->ports().of(x))
        for (const NodeId n : {g.bonds[b].effort, g.bonds[b].flow})
            if (outcome_.told_count(n) > 0) sum += std::abs(outcome_.told_impulse(n, 0).value);
    return sum;
}

// A source that jumps has jumped before charge flows: what switches takes the difference, each as much as
// flows through it.
void Ledger::take_sources(EnergyEvent& event, const std::vector<std::uint8_t>& inside) const {
    const auto& elements = modes_->graph().elements;
    double jumps = 0, flown = 0;
    for (const auto& [x, total] : book_.ledger.supplied) {
        if (inside[x]) continue;
        event.supplied += impulsive_work(elements[x].effort, elements[x].flow);
        jumps += impulsive_work(elements[x].effort, elements[x].flow, true);
    }
    if (event.dissipated.empty()) return;
    event.supplied += jumps;
    for (const auto& share : event.dissipated) flown += struck(share.first);
    for (auto& [x, work] : event.dissipated)
        work += flown > 0 ? jumps * struck(x) / flown : jumps / static_cast<double>(event.dissipated.size());
}

// What is stored has the rounding of its states: of a body that comes to rest nothing else is left.
double Ledger::rounding() const {
    const auto& elements = modes_->graph().elements;
    double sum = 0;
    for (const std::uint32_t x : modes_->storages())
        sum +=
            energy_rounding(elements[x], outcome_.told_left()) + energy_rounding(elements[x], state_.right);
    return sum;
}

void Ledger::add(EnergyEvent event) {
    std::vector<std::uint8_t> inside(modes_->graph().elements.size(), 0);
    const bool impulsive = take_junctions(event, inside);
    take_sources(event, inside);
    const double size = std::abs(event.stored_before) + std::abs(event.stored_after);
    book_.turnover = std::max({book_.turnover, std::abs(event.stored_before), std::abs(event.stored_after)});
    const double scale = std::max(size, limits::energy_audit * book_.turnover);
    const double lost = event.stored_before + event.supplied - event.stored_after;
    if (!impulsive && event.supplied == 0 && std::abs(lost) <= limits::energy_rounding * scale) return;
    const double open = rounding();
    if ((size <= open || !impulsive) && std::abs(lost) <= open && std::abs(event.supplied) <= open &&
        event.dissipated.empty())
        return;
    share_loss(event, lost);
    audit(event, lost, scale);
    book_.ledger.instants.push_back(std::move(event));
}

void Ledger::account(std::uint32_t epsilon) {
    if (!at_.s->keeps_ledger) return;
    add({state_.t,
         epsilon,
         stored_energy(*modes_, outcome_.told_left()),
         stored_energy(*modes_, state_.right),
         0,
         {}});
}

// A run that failed may have ended in a mode that has no values: what was stored before it counts.
void Ledger::close(Germs& germs) {
    if (state_.right.rungs.a.empty()) return;
    const OneSidedGerm* end = at_.s->mode == state_.mode ? &state_.right : &state_.left;
    try {
        if (end == &state_.right) germs.evaluate(state_.right, state_.now, 0, true);
    } catch (const RunFailure&) {
        end = &state_.left;
    }
    book_.ledger.stored_at_end = stored_energy(*modes_, *end);
}

}  // namespace deltaflow
