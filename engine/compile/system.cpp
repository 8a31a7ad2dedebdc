// From a flat diagram to compiled islands.
#include "engine/compile/system.hpp"

#include "engine/compile/families.hpp"
#include "engine/compile/reach.hpp"
#include "engine/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace deltaflow {

void fail_model(const FlatModel& model, const std::vector<std::pair<NodeId, std::string>>& errors) {
    std::vector<Diagnostic> diagnostics;
    for (const auto& [node, message] : errors)
        diagnostics.push_back({model.naming->place(node), message, {}});
    throw ModelError(ErrorKind::model, model.sources, std::move(diagnostics));
}

bool is_singular(Primitive op) {
    switch (op) {
        case Primitive::inverse:
        case Primitive::sqrt:
        case Primitive::log:
        case Primitive::power:
        case Primitive::asin:
        case Primitive::tan:
        case Primitive::atan2:
            return true;
        default:
            return false;
    }
}

namespace {

void list_blocks(System& s) {
    for (NodeId n = 0; n < s.d.nodes.size(); ++n) {
        const Primitive op = s.d.nodes[n].op;
        if (op == Primitive::integrator) s.states.push_back(n);
        if (traits_of(op).branches) s.branchers.push_back(n);
        if (op == Primitive::crossing) s.crossings.push_back(n);
        if (op == Primitive::assertion) s.assertions.push_back(n);
        if (op == Primitive::delay) s.delays.push_back(n);
        if (op == Primitive::schedule) s.schedules.push_back(n);
        if (op == Primitive::hold || op == Primitive::unit_delay) s.sampled.push_back(n);
        if (is_singular(op) && s.degree[s.d.inputs_of(n)[0]] > 0) s.singular.push_back(n);
    }
    s.has_instants = !(s.branchers.empty() && s.crossings.empty() && s.delays.empty() &&
                       s.schedules.empty() && s.sampled.empty() && s.guards.empty() && s.held.empty());
}

void add_condition_roots(const System& s, std::vector<Root>& roots) {
    for (const auto* list : {&s.branchers, &s.crossings, &s.assertions})
        for (const NodeId n : *list) roots.push_back({s.d.inputs_of(n)[0]});
    for (const NodeId n : s.delays) roots.push_back({s.d.inputs_of(n)[0]});
    for (const NodeId n : s.guards) roots.push_back({n});
    for (const HeldSurface& h : s.held) roots.insert(roots.end(), {{h.condition}, {h.weight}});
}

std::vector<Root> integrand_roots(const System& s) {
    std::vector<Root> roots;
    for (const NodeId n : s.states) roots.push_back({s.d.inputs_of(n)[0]});
    return roots;
}

std::vector<Root> germ_roots(const System& s) {
    std::vector<Root> roots;
    add_condition_roots(s, roots);
    for (const auto& output : s.outputs) roots.push_back({output.node});
    if (s.has_modes())  // the next mode may read anything
        for (NodeId n = 0; n < s.d.nodes.size(); ++n) roots.push_back({n});
    for (NodeId n = 0; n < s.d.nodes.size(); ++n) {
        const Primitive op = s.d.nodes[n].op;
        const bool meets = op == Primitive::pre || op == Primitive::derivative || op == Primitive::hold ||
                           op == Primitive::unit_delay ||
                           (op == Primitive::product && is_impulsive(s.regularity[n]));
        if (meets)
            for (const NodeId input : s.d.inputs_of(n)) roots.push_back({input});
        if (s.d.nodes[n].is_reset()) roots.push_back({s.d.inputs_of(n)[2]});
    }
    return roots;
}

// What this mode itself needs; its germ has more.
std::vector<Root> needed_roots(const System& s) {
    std::vector<Root> roots = integrand_roots(s);
    add_condition_roots(s, roots);
    for (const auto& output : s.outputs) roots.push_back({output.node});
    return roots;
}

void choose_order(System& s, const Settings& settings) {
    int degree = 0;
    const auto look = [&](NodeId n) { degree = std::max<int>(degree, s.degree[n]); };
    for (const NodeId n : s.controlled) look(n);
    s.polynomial = degree != endless;
    const double tail = std::max(limits::smallest_tail, settings.tolerance * limits::taylor_tail);
    // Jorba and Zou's order for this accuracy, and a few more since steps are cheap to lengthen.
    const int wanted = static_cast<int>(std::ceil(-0.5 * std::log(tail))) + 5;
    s.order = s.polynomial ? std::max(1, degree) : std::clamp(wanted, 6, limits::taylor_order);
}

void list_controlled(System& s, const std::vector<Root>& roots) {
    std::vector<bool> in(s.d.nodes.size(), false);
    for (const Root& root : roots) {
        if (in[root.node] || s.whole.offset[root.node] == not_needed) continue;
        in[root.node] = true;
        s.controlled.push_back(root.node);
    }
}

// Of the signals that have a name only those that may jump are looked at.
void keep_jumping(System& s) {
    std::vector<bool> recorded(s.named.empty() ? 0 : s.d.nodes.size(), false);
    for (const auto& output : s.outputs)
        if (!recorded.empty()) recorded[output.node] = true;
    std::erase_if(s.named, [&](NodeId n) { return recorded[n] || s.regularity[n].r > Regularity::jump; });
    if (s.named.empty() || s.branchers.empty()) return;
    const std::vector<std::uint8_t> reached = reached_nodes(s, nullptr);
    std::copy_if(s.named.begin(), s.named.end(), std::back_inserter(s.unread),
                 [&](NodeId n) { return !reached[n]; });
}

void compile_programs(System& s, const Settings& settings) {
    keep_jumping(s);
    std::vector<Root> looked_at = germ_roots(s), all = looked_at;
    for (const NodeId n : s.states) all.push_back({n});
    s.whole = compile(s.d, all, s.degree, false);
    // What takes part in step control beside the states: conditions, loops, and inputs that must keep off
    // singular sets, wherever they are demanded.
    std::vector<Root> watched, roots, outputs;
    add_condition_roots(s, watched);
    if (s.has_modes() && !s.singular.empty()) {
        const Program needed = compile(s.d, needed_roots(s), s.degree, false);
        std::erase_if(s.singular, [&](NodeId n) { return needed.offset[n] == not_needed; });
    } else {
        std::erase_if(s.singular, [&](NodeId n) { return s.whole.offset[n] == not_needed; });
    }
    for (const NodeId n : s.singular)
        watched.push_back({s.d.inputs_of(n)[s.d.nodes[n].op == Primitive::atan2 ? 2 : 0]});
    for (const Loop& loop : s.whole.loops)
        for (const auto& member : loop.members) watched.push_back({member.node});
    looked_at.insert(looked_at.end(), watched.begin(), watched.end());
    for (const NodeId n : s.singular) looked_at.push_back({n});
    for (const NodeId n : s.named) looked_at.push_back({n});
    // Where modes change the germ has everything already.
    s.germ = s.has_modes() ? s.whole : compile(s.d, looked_at, s.degree, false);
    for (const NodeId n : s.states) roots.push_back({n});
    roots.insert(roots.end(), watched.begin(), watched.end());
    std::vector<Root> ports;
    for (const NodeId n : s.ports) ports.push_back({n});
    roots.insert(roots.end(), ports.begin(), ports.end());
    list_controlled(s, roots);
    choose_order(s, settings);
    // Each method has a program of its own. The past that delays keep is a series, and whether a model is
    // stiff shows in its slopes.
    const bool by_series = settings.method == Method::taylor || settings.method == Method::automatic;
    if (by_series || !s.delays.empty()) s.series = compile(s.d, roots, s.degree, false);
    if (!by_series || !s.polynomial) s.derivative = compile(s.d, integrand_roots(s), s.degree, true);
    if (!s.series.offset.empty() && !s.polynomial) {
        std::vector<Root> fulfilled = integrand_roots(s);
        fulfilled.insert(fulfilled.end(), watched.begin(), watched.end());
        s.confirmation = compile(s.d, fulfilled, s.degree, true);
    }
    for (const auto& output : s.outputs) outputs.push_back({output.node});
    s.output = compile(s.d, outputs, s.degree, true);
    s.conditions = compile(s.d, watched, s.degree, true);
    if (!ports.empty()) s.ledger = compile(s.d, ports, s.degree, true);
}

void analyse(System& s) {
    const Readers readers = readers_of(s.d);
    s.regularity = regularities(s.d, readers, s.at_most);
    s.degree = flow_degrees(s.d, readers);
}

}  // namespace

void fail_endless(const FlatModel& model, const System& s, const EndlessDemand& e) {
    const std::span<const NodeId> inputs = s.d.inputs_of(e.cycle.front());
    if (e.cycle.size() == 1 && std::count(inputs.begin(), inputs.end(), e.cycle.front()) == 0)
        fail_model(model,
                   {{s.origin[e.cycle.front()],
                     fmt::format("more than {} derivatives one behind the other", limits::deepest_rung)}});
    std::string path;
    std::vector<std::string> names;
    for (const NodeId n : e.cycle) {
        const std::string name = model.naming->name(s.origin[n]);
        if (names.empty() || names.back() != name) names.push_back(name);
    }
    if (names.size() > 1 && names.front() == names.back()) names.pop_back();
    for (const auto& name : names) path += name + " -> ";
    path += names.front();
    fail_model(model, {{s.origin[e.cycle.front()],
                        fmt::format("a loop takes derivatives and has no integrator to make up for them: {}; "
                                    "write it the other way round, with an integrator",
                                    path)}});
}

void compile_system(System& s, const Settings& settings) {
    analyse(s);
    list_blocks(s);
    compile_programs(s, settings);
}

void compile_part(System& s) {
    analyse(s);
    list_blocks(s);
    std::vector<Root> all;
    for (NodeId n = 0; n < s.d.nodes.size(); ++n) all.push_back({n});
    s.germ = compile(s.d, all, s.degree, false);
}

namespace {

using Errors = std::vector<std::pair<NodeId, std::string>>;

// Looks where pre is read through algebra alone. Signals of a bond graph take part in neither: in parameters
// of elements pre has a meaning of its own.
void find_derivatives_of_pre(const FlatModel& model, const System& s, Errors& errors) {
    std::vector<std::uint8_t> behind(s.d.nodes.size(), 0);
    const Readers readers = readers_of(s.d);
    std::vector<NodeId> work;
    for (NodeId n = 0; n < s.d.nodes.size(); ++n)
        if (s.d.nodes[n].op == Primitive::pre) work.push_back(n);
    while (!work.empty()) {
        const NodeId n = work.back();
        work.pop_back();
        if (behind[n]) continue;
        behind[n] = 1;
        for (auto r = readers.first[n]; r < readers.first[n + 1]; ++r) {
            const NodeId reader = readers.list[r];
            const Primitive op = s.d.nodes[reader].op;
            if (model.diagram.nodes[s.origin[reader]].op == Primitive::free) continue;
            if (op == Primitive::derivative)
                errors.emplace_back(
                    s.origin[reader],
                    "a derivative of pre is not defined: as a distribution pre(x) is x, and the jump "
                    "would be lost; take the derivative of x itself");
            const bool algebra = op == Primitive::affine || op == Primitive::product ||
                                 op == Primitive::decision || op == Primitive::pre ||
                                 op == Primitive::piecewise || traits_of(op).impulses == Impulses::refuse;
            const bool impulsive = is_impulsive(s.regularity[reader].s);  // beside an impulse it is at home
            if (algebra && !impulsive && !traits_of(op).sources) work.push_back(reader);
        }
    }
}

}  // namespace

void refuse_derivative_of_pre(const FlatModel& model, std::span<const System> systems) {
    Errors errors;
    for (const System& s : systems) find_derivatives_of_pre(model, s, errors);
    if (!errors.empty()) fail_model(model, errors);
}

System compile_island(const FlatModel& model, const Settings& settings, CutIsland island) {
    System s;
    s.d = std::move(island.d);
    s.origin = std::move(island.origin);
    try {
        // Number the nodes as the flow visits them, then compile for good.
        analyse(s);
        for (NodeId n = 0; n < s.d.nodes.size(); ++n)
            if (s.d.nodes[n].op == Primitive::integrator) s.states.push_back(n);
        const auto order = locality_order(s.d, compile(s.d, integrand_roots(s), s.degree, true));
        s.d = renumber(s.d, order);
        std::vector<NodeId> origin, place(order.size());
        for (const NodeId old : order) {
            place[old] = static_cast<NodeId>(origin.size());
            origin.push_back(s.origin[old]);
        }
        s.origin = std::move(origin);
        s.states.clear();
        for (const auto& output : island.outputs)
            s.outputs.push_back({place[output.node], output.signal, output.shown});
        for (const NodeId n : island.named) s.named.push_back(place[n]);
        std::sort(s.named.begin(), s.named.end());
        compile_system(s, settings);
    } catch (const EndlessDemand& e) {
        fail_endless(model, s, e);
    }
    find_families(s, model, settings);
    return s;
}

std::vector<System> compile_model(const FlatModel& model, const Settings& settings) {
    std::vector<System> systems;
    for_each_island(model, settings.simultaneous, [&](CutIsland island) {
        systems.push_back(compile_island(model, settings, std::move(island)));
    });
    refuse_derivative_of_pre(model, systems);
    return systems;
}

}  // namespace deltaflow
