// Copies templates into one flat diagram.
#include "engine/front/flatten/expand_graph.hpp"
#include "engine/front/flatten/flatten.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace deltaflow::front {
namespace {

// The flat diagram may have this many primitives for each block that the user counts.
constexpr std::uint64_t primitives_per_block = 10;
constexpr std::uint64_t always_allowed = 1000000;
constexpr std::uint64_t most_nodes = std::numeric_limits<NodeId>::max() - 1;

// Where the shared data of a template begins in the diagram.
struct Shared {
    bool placed = false;
    std::uint32_t parameters = 0, schedules = 0, clocks = 0, messages = 0;
};

template <class T>
std::uint32_t append(std::vector<T>& to, const std::vector<T>& from) {
    const auto first = static_cast<std::uint32_t>(to.size());
    to.insert(to.end(), from.begin(), from.end());
    return first;
}

// What `extra` of a node is an index into decides how far it moves.
std::uint32_t moved_extra(const Node& node, const Shared& shared) {
    switch (node.op) {
        case Primitive::schedule:
            return node.extra + shared.schedules;
        case Primitive::hold:
        case Primitive::unit_delay:
            return node.extra + shared.clocks;
        case Primitive::assertion:
            return node.extra + shared.messages;
        default:
            return node.extra;
    }
}

// What automata set belongs to one instance: schedules of such nodes are not shared.
void part_schedules(Diagram& d) {
    for (Node& node : d.nodes) {
        if (node.op != Primitive::schedule) continue;
        const Schedule& s = d.schedules[node.extra];
        if (!s.set && !s.timer) continue;
        Schedule own = s;
        node.extra = static_cast<std::uint32_t>(d.schedules.size());
        d.schedules.push_back(std::move(own));
    }
}

class Expansion {
public:
    explicit Expansion(const Templates& templates) : templates_(templates), shared_(templates.list.size()) {}

    Flat run() {
        const Sizes& sizes = templates_.list[0].sizes;
        flat_.nodes.reserve(sizes.nodes);
        flat_.inputs.reserve(sizes.inputs);
        flat_.guesses.reserve(sizes.guesses);
        graph_.reserve(sizes);
        add_instance(0, {}, "");
        part_schedules(flat_);
        Flat all{std::move(flat_), graph_.take(), {}};
        mark_named(all);
        return all;
    }

private:
    // `prefix` begins the names of what is inside: "ball[0]."
    void add_instance(TemplateId id, const std::vector<NodeId>& ports, const std::string& prefix) {
        const Template& shape = templates_.list[id];
        const auto base = static_cast<NodeId>(flat_.nodes.size());
        const auto node_of = [&](Ref r) {
            assert(r.kind != Ref::Kind::slot);
            return r.kind == Ref::Kind::port ? ports[r.index] : base + r.index;
        };
        add_own(shape, place_shared(id), base, node_of);
        add_names(shape, node_of);
        graph_.add(shape, prefix, node_of);
        std::vector<NodeId> arguments;
        for (const auto& child : shape.children) {
            arguments.clear();
            for (const Ref argument : child.arguments) arguments.push_back(node_of(argument));
            add_array(child, arguments, prefix + std::string(shape.diagram->blocks[child.block].name));
        }
    }

    template <class NodeOf>
    void add_own(const Template& shape, const Shared& shared, NodeId base, const NodeOf& node_of) {
        const auto first_input = static_cast<std::uint32_t>(flat_.inputs.size());
        for (Node node : shape.own.nodes) {
            node.first_input += first_input;
            node.first_parameter += shared.parameters;
            node.extra = moved_extra(node, shared);
            flat_.nodes.push_back(node);
        }
        for (const Ref input : shape.own.inputs) flat_.inputs.push_back(node_of(input));
        for (const auto& [node, guess] : shape.own.guesses) flat_.guesses.emplace_back(base + node, guess);
    }

    // Blocks may be another name of a signal that stands outside, or of one inside an instance.
    template <class NodeOf>
    void add_names(const Template& shape, const NodeOf& node_of) {
        for (std::uint32_t b = 0; b < shape.diagram->blocks.size(); ++b)
            if (shape.diagram->blocks[b].role == Role::block)
                for (const Ref output : shape.outputs_of(b)) named_.push_back(node_of(output));
    }

    // Powers and energies jump only where these do.
    void mark_named(Flat& all) const {
        all.named.assign(all.diagram.nodes.size(), false);
        const auto mark = [&](NodeId n) {
            if (n != no_node) all.named[n] = true;
        };
        std::for_each(named_.begin(), named_.end(), mark);
        for (const auto& bond : all.graph.bonds)
            for (const NodeId n : {bond.effort, bond.flow}) mark(n);
        for (const auto& a : all.graph.automata) std::for_each(a.values.begin(), a.values.end(), mark);
        for (const auto& e : all.graph.elements)
            for (const NodeId n : {e.effort, e.flow, e.momentum, e.displacement}) mark(n);
    }

    const Shared& place_shared(TemplateId id) {
        Shared& shared = shared_[id];
        if (shared.placed) return shared;
        const Fragment& own = templates_.list[id].own;
        shared = {true, append(flat_.parameters, own.parameters), append(flat_.schedules, own.schedules),
                  append(flat_.clocks, own.clocks), append(flat_.messages, own.messages)};
        return shared;
    }

    // The first copy is built; the others are that one with its own nodes moved along.
    void add_array(const Child& child, const std::vector<NodeId>& arguments, const std::string& name) {
        const Copied first{flat_.nodes.size(), flat_.inputs.size(), flat_.guesses.size(), named_.size()};
        const GraphExpansion::Sizes first_of_graph = graph_.sizes();
        const std::string index = child.array_size > 0 ? fmt::format("[{}]", child.first_index) : "";
        add_instance(child.shape, arguments, name + index + ".");
        const Copied size{flat_.nodes.size() - first.nodes, flat_.inputs.size() - first.inputs,
                          flat_.guesses.size() - first.guesses, named_.size() - first.names};
        const GraphExpansion::Copies copies{first_of_graph, graph_.sizes(), static_cast<NodeId>(first.nodes),
                                            static_cast<NodeId>(size.nodes), name.size()};
        if (size.nodes == 0 && copies.is_empty()) return;
        for (std::uint64_t copy = 1; copy < child.count; ++copy) {
            add_copy(first, size, static_cast<std::uint32_t>(copy));
            graph_.add_copy(copies, static_cast<std::uint32_t>(copy));
        }
    }

    struct Copied {
        std::size_t nodes, inputs, guesses, names;
    };

    void add_copy(const Copied& first, const Copied& size, std::uint32_t copy) {
        const auto base = static_cast<NodeId>(first.nodes);
        const auto shift = static_cast<NodeId>(size.nodes) * copy;
        const auto input_shift = static_cast<std::uint32_t>(size.inputs) * copy;
        for (std::size_t i = 0; i < size.nodes; ++i) {
            flat_.nodes.push_back(flat_.nodes[first.nodes + i]);
            flat_.nodes.back().first_input += input_shift;
        }
        const auto moved = [&](NodeId n) {
            return n - base < size.nodes ? n + shift : n;  // unsigned: false for those before base, too
        };
        for (std::size_t i = 0; i < size.inputs; ++i)
            flat_.inputs.push_back(moved(flat_.inputs[first.inputs + i]));
        for (std::size_t i = 0; i < size.names; ++i) named_.push_back(moved(named_[first.names + i]));
        for (std::size_t i = 0; i < size.guesses; ++i) {
            const auto [node, value] = flat_.guesses[first.guesses + i];
            flat_.guesses.emplace_back(node + shift, value);
        }
    }

    const Templates& templates_;
    std::vector<Shared> shared_;
    Diagram flat_;
    GraphExpansion graph_;
    std::vector<NodeId> named_;
};

// 1234567 as 1,234,567; sizes stop counting at some point.
std::string with_thousands(std::uint64_t n) {
    if (n > 1000000000000000000u) return "more than 10^18";
    if (n < 1000) return std::to_string(n);
    return fmt::format("{},{:03}", with_thousands(n / 1000), n % 1000);
}

// Where the model grows most: the count of an array or the name of an instance.
const Place& largest_part(const Template& model, const Templates& templates) {
    const auto weight = [&](const Child& child) {
        return saturating_multiply(child.count, templates.list[child.shape].sizes.nodes);
    };
    const auto less = [&](const Child& a, const Child& b) { return weight(a) < weight(b); };
    const auto found = std::max_element(model.children.begin(), model.children.end(), less);
    const BlockDeclaration& block = model.diagram->blocks[found == model.children.end() ? 0 : found->block];
    return block.count ? block.count->place : block.place;
}

}  // namespace

bool check_size(const Templates& templates, std::uint64_t max_blocks, Report& report) {
    const Template& model = templates.list[0];
    if (model.diagram->blocks.empty()) return true;
    const std::uint64_t allowed = saturating_multiply(max_blocks, primitives_per_block);
    const std::uint64_t most = std::min(most_nodes, std::max(always_allowed, allowed));
    const auto refuse = [&](std::string_view what, std::uint64_t size, std::uint64_t limit) {
        report.add(largest_part(model, templates),
                   fmt::format("the model would have {} {}; at most {} are allowed", with_thousands(size),
                               what, with_thousands(limit)),
                   {"--max-blocks N allows more"});
        return false;
    };
    if (model.sizes.blocks > max_blocks) return refuse("blocks", model.sizes.blocks, max_blocks);
    if (model.sizes.nodes > most) return refuse("primitive blocks", model.sizes.nodes, most);
    if (model.sizes.inputs > most_nodes) return refuse("links", model.sizes.inputs, most_nodes);
    return true;
}

Flat expand(const Templates& templates) { return Expansion(templates).run(); }

}  // namespace deltaflow::front
