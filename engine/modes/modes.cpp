// Modes of a bond graph: numbering once, then causality, lowering and compiling for each mode.
#include "engine/modes/modes.hpp"

#include "engine/compile/families.hpp"
#include "engine/limits.hpp"
#include "engine/modes/excess.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow {

void collect_differences(const bonds::Guard& guard, std::vector<NodeId>& nodes) {
    if (guard.kind == bonds::Guard::Kind::compare) nodes.push_back(guard.difference);
    if (guard.excess != no_node) nodes.push_back(guard.excess);
    for (const auto& part : guard.parts) collect_differences(part, nodes);
}

namespace {

void collect_watched(const bonds::Guard& guard, std::vector<NodeId>& nodes) {
    if (guard.by_value) return;  // it counts where something else happens
    if (guard.kind == bonds::Guard::Kind::compare) nodes.push_back(guard.difference);
    if (guard.excess != no_node) nodes.push_back(guard.excess);
    for (const auto& part : guard.parts) collect_watched(part, nodes);
}

std::vector<NodeId> sorted_and_thinned(std::vector<NodeId> nodes) {
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
}

}  // namespace

std::vector<NodeId> watched_differences(const bonds::Graph& g, const bonds::Mode& mode) {
    std::vector<NodeId> nodes;
    for (std::size_t a = 0; a < g.automata.size(); ++a)
        for (const auto& t : g.automata[a].transitions)
            if (t.from == mode[a]) collect_watched(t.when, nodes);
    return sorted_and_thinned(std::move(nodes));
}

namespace {

// Nodes of all systems that are kept, each some 500 bytes with all that runs them.
constexpr std::size_t most_nodes = 250000;
// Where none is forgotten: numeric impulses.
constexpr std::size_t most_nodes_ever = 10000000;

// So many parts are kept for changes that come again, and nodes of them, some 200 bytes each; then all are
// forgotten.
constexpr std::size_t most_known_changes = 2000, most_changing_nodes = 250000;

template <class Changes>
bool take_much_room(const Changes& changes) {
    std::size_t nodes = 0;
    for (const auto& [modes, change] : changes) nodes += change ? change->nodes.size() : 0;
    return changes.size() >= most_known_changes || nodes > most_changing_nodes;
}

std::vector<NodeId> differences(const bonds::Graph& g) {
    std::vector<NodeId> nodes;
    for (const auto& a : g.automata)
        for (const auto& t : a.transitions) {
            collect_differences(t.when, nodes);
            for (const bonds::Setting& setting : t.set) nodes.push_back(setting.to);
        }
    return sorted_and_thinned(std::move(nodes));
}

// The same graph over renumbered nodes: old node -> new one.
void renumber(bonds::Graph& g, const std::vector<NodeId>& place) {
    const auto move = [&](NodeId& n) { n = place[n]; };
    for (auto& e : g.elements) for_each_node(e, move);
    for (auto& b : g.bonds) for_each_node(b, move);
    for (auto& a : g.automata) for_each_node(a, move);
    if (g.total_energy != no_node) move(g.total_energy);
}

// Nodes in the order in which the first mode visits them.
std::vector<NodeId> first_order(const Diagram& d) {
    const Readers readers = readers_of(d);
    std::vector<Root> roots;
    for (NodeId n = 0; n < d.nodes.size(); ++n)
        if (d.nodes[n].op == Primitive::integrator) roots.push_back({d.inputs_of(n)[0]});
    return locality_order(d, compile(d, roots, flow_degrees(d, readers), true));
}

void forget_pre(Diagram& d) {
    for (Node& node : d.nodes) {
        if (node.op != Primitive::pre) continue;
        node.op = Primitive::affine;
        node.first_parameter = static_cast<std::uint32_t>(d.parameters.size());
        node.parameter_count = 2;
        d.parameters.insert(d.parameters.end(), {0.0, 1.0});
    }
}

// Branching blocks that neither states nor records nor other actions depend on.
std::vector<NodeId> read_by_guards_alone(const System& s) {
    std::vector<bool> needed(s.d.nodes.size(), false);
    std::vector<NodeId> work = s.states;
    for (const auto& output : s.outputs) work.push_back(output.node);
    for (const auto* list : {&s.crossings, &s.assertions, &s.delays, &s.sampled})
        work.insert(work.end(), list->begin(), list->end());
    while (!work.empty()) {
        const NodeId n = work.back();
        work.pop_back();
        if (needed[n]) continue;
        needed[n] = true;
        for (const NodeId input : s.d.inputs_of(n)) work.push_back(input);
    }
    std::vector<NodeId> result;
    for (const NodeId n : s.branchers)
        if (!needed[n]) result.push_back(n);
    return result;
}

}  // namespace

ModeSystems::ModeSystems(const FlatModel& model, const Settings& settings, const CutIsland& island)
    : model_(model), settings_(settings), graph_(island.graph), may_jump_(!island.graph.automata.empty()) {
    read_excess(graph_, island.d);
    std::vector<NodeId> wanted = differences(graph_);
    for (const auto& output : island.outputs) wanted.push_back(output.node);
    base_ = island.d;
    lowering_ = std::make_unique<bonds::Lowering>(graph_, base_, wanted);
    charts_ = std::make_unique<bonds::Charts>(graph_, lowering_->ports());
    lower(*lowering_, bonds::initial_mode(graph_));
    number(island);
    list_nodes();
}

// As the first mode visits them.
void ModeSystems::number(const CutIsland& island) {
    System whole;  // only to name what goes wrong
    whole.d = lowering_->definitions().diagram();
    std::vector<NodeId> order;
    try {
        order = first_order(whole.d);
    } catch (const EndlessDemand& e) {
        whole.origin = island.origin;
        fail_endless(model_, whole, e);
    }
    base_ = deltaflow::renumber(island.d, order);
    std::vector<NodeId> place(order.size());
    for (NodeId n = 0; n < order.size(); ++n) {
        place[order[n]] = n;
        origin_.push_back(island.origin[order[n]]);
    }
    renumber(graph_, place);
    lowering_->renumber(place);
    for (const auto& output : island.outputs)
        outputs_.push_back({place[output.node], output.signal, output.shown});
    for (const NodeId n : island.named) named_.push_back(place[n]);
    std::sort(named_.begin(), named_.end());
}

void ModeSystems::list_nodes() {
    guards_ = differences(graph_);
    std::vector<Root> blocks;
    for (NodeId n = 0; n < base_.nodes.size(); ++n)
        if (base_.nodes[n].op == Primitive::free)
            free_.push_back(n);
        else
            blocks.push_back({n});
    for (NodeId n = 0; n < base_.nodes.size(); ++n)
        if (base_.nodes[n].op == Primitive::integrator) memory_.push_back(n);
    for (std::uint32_t x = 0; x < graph_.elements.size(); ++x) {
        const auto& e = graph_.elements[x];
        if (e.is_storage()) storages_.push_back(x);
        has_sides_ = has_sides_ || !e.sides.empty();
        for (const NodeId n : {e.momentum, e.displacement})
            if (n != no_node) memory_.push_back(n);
    }
    has_pairs_ = std::any_of(graph_.automata.begin(), graph_.automata.end(),
                             [](const bonds::Automaton& a) { return a.is_pair(); });
    try {
        reading_ = compile(base_, blocks, std::vector<std::int16_t>(base_.nodes.size(), endless), true);
    } catch (const EndlessDemand& e) {
        System whole;
        whole.d = base_;
        whole.origin = origin_;
        fail_endless(model_, whole, e);
    }
}

std::size_t ModeSystems::HashOfModes::operator()(const std::pair<bonds::Mode, bonds::Mode>& modes) const {
    std::size_t hash = 0;
    for (const auto* mode : {&modes.first, &modes.second})
        for (const std::uint32_t state : *mode) hash = (hash ^ state) * 1099511628211u;
    return hash;
}

std::string ModeSystems::describe(const bonds::Mode& mode) const {
    std::string text;
    for (std::size_t a = 0; a < graph_.automata.size(); ++a)
        text += fmt::format("{}{} = {}", a > 0 ? ", " : "", graph_.automata[a].name,
                            graph_.automata[a].states[mode[a]]);
    return text;
}

namespace {

// "u1 imposes the effort 5"
std::string imposed_text(const bonds::Element& e) {
    if (!e.is_source()) return {};
    const char* what = e.type == bonds::Type::Se ? "effort" : "flow";
    return fmt::format("{} imposes the {} {}", e.name, what,
                       e.parameter == no_node ? fmt::format("{:.6g}", e.value) : e.parameter_text);
}

}  // namespace

void ModeSystems::fail(const bonds::Mode& mode, const bonds::CausalConflict& conflict) const {
    std::string path;
    const auto& g = graph_;
    for (const std::uint32_t b : conflict.path)
        path += fmt::format("{}{} ({} -> {})", path.empty() ? "" : ", ", g.bonds[b].name,
                            g.elements[g.bonds[b].from].name, g.elements[g.bonds[b].to].name);
    std::vector<std::string> values;
    for (const std::uint32_t b : conflict.path)
        for (const std::uint32_t x : {g.bonds[b].from, g.bonds[b].to})
            if (const std::string text = imposed_text(g.elements[x]);
                !text.empty() && std::find(values.begin(), values.end(), text) == values.end())
                values.push_back(text);
    Diagnostic d{g.bonds[conflict.path.front()].place,
                 "sources or switched-off junctions contradict each other: " + std::string(conflict.what()),
                 {"causal path: " + path,
                  "what to do: put an element between them (across an open switch an R that leaks, in "
                  "series with a closed one an R that is small), or let another junction switch"}};
    for (auto& text : values) d.notes.insert(d.notes.end() - 1, std::move(text));
    if (!mode.empty()) d.notes.insert(d.notes.begin(), "mode: " + describe(mode));
    throw ModelError(ErrorKind::model, model_.sources, {d});
}

bonds::Causality ModeSystems::causality(const bonds::Mode& mode) const {
    try {
        return bonds::assign_causality(graph_, ports(), mode);
    } catch (const bonds::CausalConflict& conflict) {
        fail(mode, conflict);
    }
}

void ModeSystems::lower(bonds::Lowering& lowering, const bonds::Mode& mode) const {
    try {
        lowering.move_to(mode);
    } catch (const bonds::CausalConflict& conflict) {
        fail(mode, conflict);
    }
}

std::vector<Regularity> ModeSystems::at_most(const System& s) const {
    std::vector<Regularity> result(s.d.nodes.size(), Regularity::smooth);
    if (!may_jump_) return result;
    for (NodeId n = 0; n < s.d.nodes.size(); ++n)
        result[n] = at_most_in_modes(base_.nodes[n].op, s.d.nodes[n].op);
    return result;
}

// While time flows: resistors, dry friction, diodes with a drop.
bool ModeSystems::dissipates(const bonds::Element& e) const {
    if (e.type == bonds::Type::R || e.type == bonds::Type::friction) return true;
    if (e.type != bonds::Type::D) return false;
    return std::any_of(e.imposed.begin(), e.imposed.end(), [&](const bonds::Imposed& law) {
        if (law.signal == no_node) return false;
        const bool fixed = base_.nodes[law.signal].op == Primitive::constant;
        return !fixed || base_.parameters_of(law.signal)[0] != 0;
    });
}

// What the ledger of energy asks for, if the graph is not too large for it.
void ModeSystems::list_ports(System& s) const {
    std::vector<NodeId> ports;
    for (std::uint32_t x = 0; x < graph_.elements.size(); ++x) {
        const auto& e = graph_.elements[x];
        if (e.is_source() || dissipates(e)) ports.insert(ports.end(), {e.effort, e.flow});
        if (e.is_source()) s.impulsive_ports.insert(s.impulsive_ports.end(), {e.effort, e.flow});
        if (e.automaton < 0) continue;
        s.controlled_elements.push_back(x);
        for (const std::uint32_t b : lowering_->ports().of(x))
            s.impulsive_ports.insert(s.impulsive_ports.end(), {graph_.bonds[b].effort, graph_.bonds[b].flow});
    }
    s.keeps_ledger = model_.graph.elements.size() <= limits::ledger_elements;
    if (s.keeps_ledger) s.ports = std::move(ports);
    if (!s.keeps_ledger) s.impulsive_ports.clear();
}

bool ModeSystems::are_many() const {
    return systems_.size() > 2 && systems_.size() * base_.nodes.size() > most_nodes;
}

std::vector<const System*> ModeSystems::entered_last() const {
    std::vector<std::pair<std::uint64_t, const System*>> all;
    for (const auto& [mode, entered] : systems_) all.emplace_back(entered.last, entered.system.get());
    std::sort(all.rbegin(), all.rend());
    std::vector<const System*> last;
    for (std::size_t i = 0; i < all.size() && 2 * (i + 1) * base_.nodes.size() <= most_nodes; ++i)
        last.push_back(all[i].second);
    std::sort(last.begin(), last.end());
    return last;
}

void ModeSystems::allow_jumps() {
    may_jump_ = true;
    systems_.clear();
}

const System& ModeSystems::of(const bonds::Mode& mode, bool plain) {
    auto& [known, last] = systems_[{mode, plain}];
    last = ++entrances_;
    if (known) return *known;
    if (systems_.size() * base_.nodes.size() > most_nodes_ever && systems_.size() > 16)
        throw RunFailure{
            .kind = ErrorKind::model,
            .what = fmt::format("{} modes have been entered: there is no room for more", systems_.size()),
            .advice = "run it with symbolic impulses, which keep but a few of them"};
    auto s = std::make_unique<System>();
    lower(*lowering_, mode);
    s->d = lowering_->definitions().diagram();
    if (plain) forget_pre(s->d);
    s->mode = mode;
    s->plain = plain;
    s->origin = origin_;
    s->dependent = lowering_->causality().dependent;
    for (std::uint32_t x = 0; x < graph_.elements.size(); ++x)
        if (lowering_->causality().leads[x]) s->leading.push_back(graph_.elements[x].flow);
    for (const auto& excess : lowering_->causality().redundancy.excess)
        s->contradicting.push_back(excess.element);
    s->guards = guards_;
    s->free_nodes = free_;
    s->outputs = outputs_;
    s->named = named_;
    s->at_most = at_most(*s);
    list_ports(*s);
    try {
        compile_system(*s, settings_);
    } catch (const EndlessDemand& e) {
        fail_endless(model_, *s, e);
    }
    refuse_derivative_of_pre(model_, {s.get(), 1});
    find_families(*s, model_, settings_);
    s->guard_branchers = read_by_guards_alone(*s);
    return *(known = std::move(s));
}

RunFailure mode_cycle(const ModeSystems& modes, std::vector<bonds::Mode> cycle, const SwitchLog& log) {
    cycle.erase(cycle.begin(), std::find(cycle.begin(), cycle.end() - 1, cycle.back()));
    RunFailure failure{.kind = ErrorKind::no_progress,
                       .what = "time does not go on: the modes of this instant follow each other in a circle",
                       .advice = "let one of these guards look at pre(...), or change its threshold"};
    std::string path;
    for (const bonds::Mode& mode : cycle)
        path += fmt::format("{}[{}]", path.empty() ? "" : " -> ", modes.describe(mode));
    failure.notes.push_back("modes: " + path);
    for (std::string& line : log.back_to(modes.graph(), cycle.back()))
        failure.notes.push_back(std::move(line));
    return failure;
}

Change* ModeSystems::change(const bonds::Mode& from, const bonds::Mode& to, const std::vector<NodeId>& also,
                            const std::vector<std::int16_t>& degree) {
    if (has_pairs_) return nullptr;
    std::pair modes{from, to};
    const bool is_new = !known_changes_.contains(modes);
    if (is_new && take_much_room(known_changes_)) known_changes_.clear();
    auto& known = known_changes_[std::move(modes)];
    const auto reaches = [&](NodeId n) {
        return std::binary_search(known->nodes.begin(), known->nodes.begin() + known->reached, n);
    };
    if (!is_new && (!known || std::all_of(also.begin(), also.end(), reaches))) return known.get();
    // Where constraints are too many, signals are read across the graph.
    const auto is_plain = [&] { return lowering_->causality().redundancy.flips.empty(); };
    lower(*lowering_, from);
    const bool plain = is_plain();
    lower(*lowering_, to);
    if (!plain || !is_plain()) return nullptr;
    std::vector<NodeId> seeds = lowering_->changed();
    seeds.insert(seeds.end(), also.begin(), also.end());
    if (known) seeds.insert(seeds.end(), known->nodes.begin(), known->nodes.begin() + known->reached);
    std::vector<std::uint32_t> switched;
    for (std::uint32_t a = 0; a < to.size(); ++a)
        if (from[a] != to[a]) switched.push_back(a);
    if (!changes_) changes_ = std::make_unique<Changes>(graph_, ports(), base_, origin_, outputs_);
    known = changes_->compile(*lowering_, seeds, switched, degree);
    return known.get();
}

const bonds::Graph* ModeSystems::ideal_graph() const {
    const bool any = std::any_of(graph_.automata.begin(), graph_.automata.end(),
                                 [](const bonds::Automaton& a) { return a.ideal; });
    return any ? &graph_ : nullptr;
}

}  // namespace deltaflow
