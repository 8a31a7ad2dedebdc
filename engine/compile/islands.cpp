// Joins what shares something, then copies part by part.
#include "engine/compile/islands.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

namespace deltaflow {

namespace {

constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

// Sources without state of their own.
bool is_shared(Primitive op) {
    return op == Primitive::constant || op == Primitive::time || op == Primitive::sine ||
           op == Primitive::polynomial;
}

// Nodes, elements and automata, in this order, and which of them belong together.
class Joining {
public:
    Joining(const FlatModel& model, Simultaneous simultaneous)
        : d_(model.diagram),
          elements_(d_.nodes.size()),
          automata_(elements_ + model.graph.elements.size()),
          parent_(automata_ + model.graph.automata.size()) {
        std::iota(parent_.begin(), parent_.end(), 0);
        for (NodeId x = 0; x < d_.nodes.size(); ++x)
            for (const NodeId input : d_.inputs_of(x)) join_node(x, input);
        join(model.graph);
        if (simultaneous != Simultaneous::all)
            for (std::size_t a = automata_ + 1; a < parent_.size(); ++a) join(automata_, a);
        join_total(model);
        number();
    }

    std::uint32_t count() const { return count_; }
    std::uint32_t of_node(NodeId n) const { return of_[n]; }
    std::uint32_t of_element(std::size_t x) const { return of_[elements_ + x]; }
    std::uint32_t of_automaton(std::size_t a) const { return of_[automata_ + a]; }

private:
    bool joins(std::size_t x) const { return x >= d_.nodes.size() || !is_shared(d_.nodes[x].op); }
    std::size_t root(std::size_t x) {
        while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
        return x;
    }
    void join(std::size_t x, std::size_t y) {
        const std::size_t a = root(x), b = root(y);
        parent_[std::max(a, b)] = static_cast<std::uint32_t>(std::min(a, b));
    }
    void join_node(std::size_t x, NodeId n) {
        if (joins(x) && joins(n)) join(x, n);
    }

    void join(bonds::Graph graph) {
        for (std::size_t x = 0; x < graph.elements.size(); ++x) {
            for_each_node(graph.elements[x], [&](NodeId n) { join_node(elements_ + x, n); });
            if (const int a = graph.elements[x].automaton; a >= 0)
                join(elements_ + x, automata_ + static_cast<std::size_t>(a));
        }
        for (bonds::Bond& bond : graph.bonds) {
            join(elements_ + bond.from, elements_ + bond.to);
            for_each_node(bond, [&](NodeId n) { join_node(elements_ + bond.from, n); });
        }
        for (std::size_t a = 0; a < graph.automata.size(); ++a)
            for_each_node(graph.automata[a], [&](NodeId n) { join_node(automata_ + a, n); });
    }

    // Where nobody reads it, it is not there.
    void join_total(const FlatModel& model) {
        total_ = model.graph.total_energy;
        if (total_ == no_node) return;
        const bool recorded = std::any_of(model.record.begin(), model.record.end(),
                                          [&](const Recorded& r) { return r.node == total_; });
        const bool read = root(total_) != total_ || std::count(parent_.begin(), parent_.end(), total_) > 1;
        if (!recorded && !read) return;
        for (std::size_t x = 0; x < model.graph.elements.size(); ++x)
            if (model.graph.elements[x].energy != no_node) join(total_, elements_ + x);
        total_ = no_node;
    }

    void number() {
        of_.assign(parent_.size(), nowhere);
        std::vector<std::uint32_t> number(parent_.size(), nowhere);
        for (std::size_t x = 0; x < parent_.size(); ++x) {
            if (!joins(x) || x == total_) continue;
            auto& island = number[root(x)];
            if (island == nowhere) island = count_++;
            of_[x] = island;
        }
    }

    const Diagram& d_;
    const std::size_t elements_, automata_;
    std::vector<std::uint32_t> parent_, of_;
    NodeId total_ = no_node;  // that nobody reads
    std::uint32_t count_ = 0;
};

// What belongs to one island, by number.
struct Members {
    std::vector<NodeId> nodes;
    std::vector<std::uint32_t> elements, bonds, automata, recorded;
    std::vector<std::pair<NodeId, double>> guesses;
};

std::vector<Members> members_of(const FlatModel& model, const Joining& joined) {
    std::vector<Members> all(joined.count());
    const auto put = [&](std::uint32_t island, auto list, auto what) {
        if (island != nowhere) (all[island].*list).push_back(what);
    };
    for (NodeId n = 0; n < model.diagram.nodes.size(); ++n) put(joined.of_node(n), &Members::nodes, n);
    for (std::uint32_t x = 0; x < model.graph.elements.size(); ++x)
        put(joined.of_element(x), &Members::elements, x);
    for (std::uint32_t b = 0; b < model.graph.bonds.size(); ++b)
        put(joined.of_element(model.graph.bonds[b].from), &Members::bonds, b);
    for (std::uint32_t a = 0; a < model.graph.automata.size(); ++a)
        put(joined.of_automaton(a), &Members::automata, a);
    for (const auto& guess : model.diagram.guesses)
        put(joined.of_node(guess.first), &Members::guesses, guess);
    Members loose;
    for (std::uint32_t i = 0; i < model.record.size(); ++i) {
        const NodeId n = model.record[i].node;
        put(joined.of_node(n), &Members::recorded, i);
        if (joined.of_node(n) != nowhere) continue;
        loose.recorded.push_back(i);
        loose.nodes.push_back(n);
    }
    std::sort(loose.nodes.begin(), loose.nodes.end());
    loose.nodes.erase(std::unique(loose.nodes.begin(), loose.nodes.end()), loose.nodes.end());
    if (!loose.nodes.empty()) all.push_back(std::move(loose));
    return all;
}

class Cutter {
public:
    explicit Cutter(const FlatModel& model)
        : model_(model), d_(model.diagram), copy_(d_.nodes.size(), no_node) {}

    CutIsland cut(Members members) {
        CutIsland island;
        order_ = std::move(members.nodes);
        for (NodeId i = 0; i < order_.size(); ++i) copy_[order_[i]] = i;
        take_graph(members, island);
        for (std::size_t i = 0; i < order_.size(); ++i)
            for (const NodeId input : d_.inputs_of(order_[i])) add(input);
        // Where modes are, nodes stay in the order of the model.
        if (island.has_modes()) std::sort(order_.begin(), order_.end());
        for (NodeId i = 0; i < order_.size(); ++i) copy_[order_[i]] = i;
        for (const NodeId n : order_) append(island.d, n);
        renumber(island.graph);
        for (const auto& [node, value] : members.guesses) island.d.guesses.emplace_back(copy_[node], value);
        for (const std::uint32_t i : members.recorded)
            island.outputs.push_back({copy_[model_.record[i].node], i, model_.record[i].shown});
        for (NodeId i = 0; i < order_.size() && !model_.named.empty(); ++i)
            if (model_.named[order_[i]]) island.named.push_back(i);
        for (const NodeId n : order_) copy_[n] = no_node;
        island.origin = std::move(order_);
        return island;
    }

private:
    void add(NodeId n) {
        if (copy_[n] != no_node) return;
        copy_[n] = static_cast<NodeId>(order_.size());
        order_.push_back(n);
    }

    void take_graph(Members& members, CutIsland& island) {
        const bonds::Graph& whole = model_.graph;
        bonds::Graph& g = island.graph;
        const auto place = [](const std::vector<std::uint32_t>& list, std::uint32_t x) {
            return static_cast<std::uint32_t>(std::lower_bound(list.begin(), list.end(), x) - list.begin());
        };
        for (const std::uint32_t x : members.elements) {
            bonds::Element& e = g.elements.emplace_back(whole.elements[x]);
            if (e.automaton >= 0)
                e.automaton =
                    static_cast<int>(place(members.automata, static_cast<std::uint32_t>(e.automaton)));
        }
        for (const std::uint32_t b : members.bonds) {
            bonds::Bond& bond = g.bonds.emplace_back(whole.bonds[b]);
            bond.from = place(members.elements, bond.from);
            bond.to = place(members.elements, bond.to);
        }
        for (const std::uint32_t a : members.automata) g.automata.push_back(whole.automata[a]);
        if (whole.total_energy != no_node && copy_[whole.total_energy] != no_node)
            g.total_energy = whole.total_energy;
        visit(g, [&](NodeId n) { add(n); });
        island.elements = std::move(members.elements);
        island.automata = std::move(members.automata);
    }

    template <class Visit>
    static void visit(bonds::Graph& g, const Visit& node) {
        for (auto& e : g.elements) for_each_node(e, node);
        for (auto& b : g.bonds) for_each_node(b, node);
        for (auto& a : g.automata) for_each_node(a, node);
        if (g.total_energy != no_node) node(g.total_energy);
    }

    void renumber(bonds::Graph& g) const {
        visit(g, [&](NodeId& n) { n = copy_[n]; });
    }

    void append(Diagram& out, NodeId n) const {
        Node node = d_.nodes[n];
        node.first_input = static_cast<std::uint32_t>(out.inputs.size());
        node.first_parameter = static_cast<std::uint32_t>(out.parameters.size());
        for (const NodeId input : d_.inputs_of(n)) out.inputs.push_back(copy_[input]);
        for (const double x : d_.parameters_of(n)) out.parameters.push_back(x);
        const auto take = [&](auto& list, const auto& from) {
            list.push_back(from[node.extra]);
            node.extra = static_cast<std::uint32_t>(list.size() - 1);
        };
        if (node.op == Primitive::schedule) take(out.schedules, d_.schedules);
        if (node.op == Primitive::hold || node.op == Primitive::unit_delay) take(out.clocks, d_.clocks);
        if (node.op == Primitive::assertion) take(out.messages, d_.messages);
        out.nodes.push_back(node);
    }

    const FlatModel& model_;
    const Diagram& d_;
    std::vector<NodeId> copy_;  // node -> node of the island being cut
    std::vector<NodeId> order_;
};

}  // namespace

void for_each_island(const FlatModel& model, Simultaneous simultaneous,
                     const std::function<void(CutIsland)>& take) {
    std::vector<Members> all = members_of(model, Joining(model, simultaneous));
    Cutter cutter(model);
    for (Members& members : all) take(cutter.cut(std::move(members)));
}

CutIsland whole_of(const FlatModel& model) {
    CutIsland all{model.diagram, {}, model.graph, {}, {}, {}, {}};
    const auto count = [](auto& list, std::size_t n) {
        list.resize(n);
        std::iota(list.begin(), list.end(), 0);
    };
    count(all.origin, model.diagram.nodes.size());
    count(all.elements, model.graph.elements.size());
    count(all.automata, model.graph.automata.size());
    for (std::uint32_t i = 0; i < model.record.size(); ++i)
        all.outputs.push_back({model.record[i].node, i, model.record[i].shown});
    for (NodeId n = 0; n < model.named.size(); ++n)
        if (model.named[n]) all.named.push_back(n);
    return all;
}

}  // namespace deltaflow
