// The numbers of a system as fractions, and which of its blocks have no closed form.
#include "engine/solve/exact/system.hpp"

#include "blocks/kernels.hpp"
#include "blocks/lag.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::closed_form {

namespace {

// The binomials of a polynomial source are whole numbers up to here.
constexpr std::uint32_t most_coefficients = 64;

void keep(std::vector<NodeId>& to, const std::vector<NodeId>& from, const std::vector<std::uint8_t>& wanted) {
    std::copy_if(from.begin(), from.end(), std::back_inserter(to), [&](NodeId n) { return wanted[n] != 0; });
}

InstantDemand demand_of(const ExactSystem& x) {
    InstantDemand demand;
    for (const auto& output : x.s->outputs) demand.recorded.push_back(output.node);
    for (const auto* list : {&x.branchers, &x.crossings, &x.assertions, &x.delays, &x.sampled})
        for (const NodeId n : *list) demand.values.push_back(x.s->d.inputs_of(n)[0]);
    for (const NodeId n : x.delays)
        if (lag::varies(x.s->d, n)) demand.values.push_back(x.s->d.inputs_of(n)[lag::time]);
    for (const HeldSurface& h : x.s->held) demand.values.insert(demand.values.end(), {h.condition, h.weight});
    for (const auto* list : {&x.s->guards, &x.s->free_nodes})
        demand.values.insert(demand.values.end(), list->begin(), list->end());
    for (NodeId n = 0; n < x.wanted.size(); ++n)
        if (x.wanted[n]) demand.defined.push_back(n);
    demand.pre_flows = x.s->has_modes();
    return demand;
}

const Quadratic no_rung;

}  // namespace

ExactSystem::ExactSystem(const System& system, const FractionBook& book)
    : s(&system), refused(system.d.nodes.size()) {
    mark_wanted();
    take_parameters(book);
    take_schedules(book);
    keep(states, s->states, wanted);
    keep(branchers, s->branchers, wanted);
    keep(crossings, s->crossings, wanted);
    keep(assertions, s->assertions, wanted);
    keep(singular, s->singular, wanted);
    keep(delays, s->delays, wanted);
    keep(schedule_nodes, s->schedules, wanted);
    keep(sampled, s->sampled, wanted);
    instant = compile_instant(s->d, s->regularity, s->degree, demand_of(*this));
}

void ExactSystem::mark_wanted() {
    wanted.assign(s->d.nodes.size(), 0);
    std::vector<NodeId> work;
    for (const auto& output : s->outputs) work.push_back(output.node);
    for (const auto* list : {&s->assertions, &s->guards, &s->free_nodes})
        work.insert(work.end(), list->begin(), list->end());
    while (!work.empty()) {
        const NodeId n = work.back();
        work.pop_back();
        if (wanted[n]) continue;
        wanted[n] = 1;
        for (const NodeId input : s->d.inputs_of(n)) work.push_back(input);
    }
    // A delay that varies reads the next piece of its past where one of these fires.
    for (const NodeId delay : s->delays) {
        if (!wanted[delay] || !lag::varies(s->d, delay)) continue;
        const auto ends = s->d.inputs_of(delay).subspan(lag::over, 2);
        for (const NodeId n : s->crossings)
            if (std::find(ends.begin(), ends.end(), s->d.inputs_of(n)[0]) != ends.end()) wanted[n] = 1;
    }
}

void ExactSystem::refuse(NodeId n, std::string what, std::string advice) {
    if (!refused[n])
        refused[n] = std::make_shared<RunFailure>(RunFailure{
            .kind = ErrorKind::model, .node = n, .what = std::move(what), .advice = std::move(advice)});
}

void ExactSystem::take_parameters(const FractionBook& book) {
    parameters.resize(s->d.nodes.size());
    for (NodeId n = 0; n < s->d.nodes.size(); ++n) {
        if (!wanted[n]) continue;
        const Node& node = s->d.nodes[n];
        if (const char* name = traits_of(node.op).beyond_fractions)
            refuse(n, fmt::format("{} has no closed form in fractions", name),
                   "run it, or put a polynomial in its place");
        if (node.op == Primitive::polynomial && node.parameter_count > most_coefficients)
            refuse(n, "the degree of this polynomial is too high", "run it instead");
        for (const double x : s->d.parameters_of(n)) {
            const auto r = book.find(x);
            if (!r)
                refuse(n, fmt::format("{} is not the value of a fraction", x),
                       "write the parameter as a fraction, such as \"22/7\"; square roots come in by "
                       "themselves, as "
                       "times of events");
            parameters[n].push_back(r ? Quadratic(*r) : Quadratic(0));
        }
    }
}

void ExactSystem::take_schedules(const FractionBook& book) {
    schedules.resize(s->d.schedules.size());
    std::vector<std::uint8_t> is_set(s->d.nodes.size(), 0);  // piece by piece, for a delay that varies
    for (NodeId n = 0; n < s->d.nodes.size(); ++n)
        if (s->d.nodes[n].op == Primitive::delay && lag::varies(s->d, n))
            for (const NodeId input : s->d.inputs_of(n).subspan(lag::origin)) is_set[input] = 1;
    for (NodeId n = 0; n < s->d.nodes.size(); ++n) {
        if (!wanted[n]) continue;
        const Node& node = s->d.nodes[n];
        bool all = true;
        const auto number = [&](double x) {
            const auto r = book.find(x);
            all = all && r;
            return r ? Quadratic(*r) : Quadratic(0);
        };
        if (node.op == Primitive::schedule) {
            const Schedule& from = s->d.schedules[node.extra];
            ExactSchedule& to = schedules[node.extra];
            to = {from.noise || is_set[n] ? Quadratic(exact(from.before)) : number(from.before), {}};
            all = all && (!from.period || book.is_fraction(*from.period));
            for (const Breakpoint& p : from.points) {
                all = all && book.is_fraction(p.t);
                Point point{p.t, number(p.value), number(p.slope), {}};
                for (const double c : p.impulses) point.impulses.push_back(number(c));
                to.points.push_back(std::move(point));
            }
        } else if (node.op == Primitive::hold || node.op == Primitive::unit_delay) {
            const Clock& clock = s->d.clocks[node.extra];
            all = clock.period.numerator() == 0 ||
                  (book.is_fraction(clock.period) && book.is_fraction(clock.phase));
        }
        if (!all) refuse(n, "a number of this block is not a fraction", "write it as one, such as \"22/7\"");
    }
}

const Quadratic& Side::at(NodeId n, int k) const {
    if (unknown[n]) throw RunFailure(*unknown[n]);
    const auto& row = rungs[n];
    return k < static_cast<int>(row.size()) ? row[k] : no_rung;
}

}  // namespace deltaflow::closed_form
