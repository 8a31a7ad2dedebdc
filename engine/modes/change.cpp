// Cutting out what a change of mode reaches: nodes, diagrams, programs.
#include "engine/modes/change.hpp"

#include "engine/limits.hpp"
#include "engine/modes/modes.hpp"

#include <algorithm>

namespace deltaflow {

namespace {

// Blocks that an instant of the whole looks after.
bool needs_care(Primitive op) {
    switch (op) {
        case Primitive::crossing:
        case Primitive::assertion:
        case Primitive::delay:
        case Primitive::hold:
        case Primitive::unit_delay:
        case Primitive::schedule:
            return true;
        default:
            return traits_of(op).branches || is_singular(op);
    }
}

void sort_out(std::vector<std::uint32_t>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

Regularity at_most_in_modes(Primitive base, Primitive now) {
    if (base == Primitive::free && now == Primitive::derivative) return Regularity::delta();
    if (base == Primitive::free && now != Primitive::integrator) return Regularity::jump;
    // A block that is something else now follows from the states of automata.
    return base != now ? Regularity::jump : Regularity::smooth;
}

Changes::Changes(const bonds::Graph& g, const bonds::Ports& ports, const Diagram& base,
                 const std::vector<NodeId>& origin, const std::vector<System::Output>& outputs)
    : base_(base), origin_(origin), place_(base.nodes.size(), no_node) {
    watching_ = bonds::make_lists(base.nodes.size(), [&](const auto& add) {
        for (std::uint32_t a = 0; a < g.automata.size(); ++a)
            for (const auto& t : g.automata[a].transitions) {
                std::vector<NodeId> differences;
                collect_differences(t.when, differences);
                for (const NodeId n : differences) add(n, a);
            }
    });
    controlled_ = bonds::make_lists(base.nodes.size(), [&](const auto& add) {
        for (std::uint32_t x = 0; x < g.elements.size(); ++x)
            for (const std::uint32_t b : ports.of(x)) {
                if (g.elements[x].automaton < 0) continue;
                add(g.bonds[b].effort, x);
                add(g.bonds[b].flow, x);
            }
    });
    recorded_ = bonds::make_lists(base.nodes.size(), [&](const auto& add) {
        for (const auto& output : outputs) add(output.node, output.signal);
    });
}

void Changes::add(NodeId n) {
    if (place_[n] != no_node) return;
    place_[n] = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(n);
}

// Seeds, their readers, and so on; false if that is too much.
bool Changes::reach(bonds::Lowering& lowering, const std::vector<NodeId>& seeds) {
    const auto most = static_cast<std::size_t>(limits::part_of_graph * static_cast<double>(place_.size()));
    for (const NodeId n : seeds) add(n);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (nodes_.size() > most || needs_care(lowering.definitions().op(nodes_[i]))) return false;
        readers_.clear();
        lowering.add_readers(nodes_[i], readers_);
        for (const NodeId reader : readers_) add(reader);
    }
    std::sort(nodes_.begin(), nodes_.end());
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) place_[nodes_[i]] = i;
    return true;
}

// What is reached, as it is in the mode and as it is in every mode; what it reads beside is given.
void Changes::make_diagrams(Change& c, const bonds::Definitions& definitions,
                            const std::vector<std::int16_t>& degree) {
    const auto is_block = [&](std::uint32_t i) { return base_.nodes[nodes_[i]].op != Primitive::free; };
    for (std::uint32_t i = 0; i < c.reached; ++i) definitions.append(c.s.d, nodes_[i]);
    for (NodeId& input : c.s.d.inputs) {
        add(input);
        input = place_[input];
    }
    for (std::uint32_t i = 0; i < c.reached; ++i) {
        Node node{.op = Primitive::free};
        if (is_block(i)) {
            node = base_.nodes[nodes_[i]];
            node.first_input = static_cast<std::uint32_t>(c.base.inputs.size());
            node.first_parameter = static_cast<std::uint32_t>(c.base.parameters.size());
            for (const NodeId input : base_.inputs_of(nodes_[i])) {
                add(input);
                c.base.inputs.push_back(place_[input]);
            }
            for (const double x : base_.parameters_of(nodes_[i])) c.base.parameters.push_back(x);
        }
        c.base.nodes.push_back(node);
    }
    for (auto i = c.reached; i < nodes_.size(); ++i) {
        Node given{.op = Primitive::free};
        c.base.nodes.push_back(given);
        given.first_parameter = static_cast<std::uint32_t>(c.s.d.parameters.size());
        given.parameter_count = 1;
        c.s.d.parameters.push_back(degree[nodes_[i]]);
        c.s.d.nodes.push_back(given);
    }
}

void Changes::list(Change& c, const bonds::Definitions& definitions,
                   const std::vector<std::uint32_t>& switched) const {
    c.automata = switched;
    c.s.at_most.assign(nodes_.size(), Regularity::smooth);
    c.reads_pre.assign(nodes_.size(), 0);
    for (const NodeId n : nodes_) c.s.origin.push_back(origin_[n]);
    for (std::uint32_t i = 0; i < c.reached; ++i) {
        const NodeId n = nodes_[i];
        c.s.at_most[i] = at_most_in_modes(base_.nodes[n].op, c.s.d.nodes[i].op);
        if (base_.nodes[n].op == Primitive::free) c.s.free_nodes.push_back(i);
        c.elements.insert(c.elements.end(), controlled_.of(n).begin(), controlled_.of(n).end());
        for (const std::uint32_t signal : recorded_.of(n)) c.s.outputs.push_back({i, signal});
        if (watching_.of(n).empty()) continue;
        c.s.guards.push_back(i);
        c.automata.insert(c.automata.end(), watching_.of(n).begin(), watching_.of(n).end());
        c.reads_pre[i] = reads_pre(
            n, [&](NodeId m) { return definitions.op(m); }, [&](NodeId m) { return definitions.inputs(m); });
    }
    sort_out(c.automata);
    sort_out(c.elements);
}

// False if more would have to be known of what is given than its germ tells.
bool Changes::make_programs(Change& c) const {
    const auto n = static_cast<NodeId>(nodes_.size());
    std::vector<Root> blocks;
    for (std::uint32_t i = 0; i < c.reached; ++i)
        if (c.base.nodes[i].op != Primitive::free) blocks.push_back({i});
    try {
        compile_part(c.s);
        c.reading = deltaflow::compile(c.base, blocks, std::vector<std::int16_t>(n, endless), true);
    } catch (const EndlessDemand&) {
        return false;
    }
    for (auto i = c.reached; i < n; ++i) {
        if (c.s.germ.offset[i] > 0) return false;
        c.left_order = std::max<int>(c.left_order, c.reading.offset[i]);
    }
    c.solver = std::make_unique<InstantSolver>(c.s);
    c.left_order = std::max(c.left_order, c.solver->program().left_order);
    c.germ_work = Workspace(c.s.germ);
    c.reading_work = Workspace(c.reading);
    c.guess.resize(n);
    c.germ_work.guess = c.reading_work.guess = &c.guess;
    return true;
}

std::unique_ptr<Change> Changes::compile(bonds::Lowering& lowering, const std::vector<NodeId>& seeds,
                                         const std::vector<std::uint32_t>& switched,
                                         const std::vector<std::int16_t>& degree) {
    nodes_.clear();
    auto c = std::make_unique<Change>();
    bool good = reach(lowering, seeds);
    if (good) {
        c->reached = static_cast<std::uint32_t>(nodes_.size());
        make_diagrams(*c, lowering.definitions(), degree);
        list(*c, lowering.definitions(), switched);
        good = make_programs(*c);
    }
    for (const NodeId n : nodes_) place_[n] = no_node;
    c->nodes = nodes_;
    return good ? std::move(c) : nullptr;
}

}  // namespace deltaflow
