#include "engine/front/floating.hpp"

#include "blocks/fraction_book.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace deltaflow::front {
namespace {

using bonds::Element;
using bonds::Type;
using Index = std::uint32_t;

// Sets that are joined one by one; `find` gives the first of a set.
class Sets {
public:
    explicit Sets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), Index{0}); }
    Index find(Index x) {
        while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
        return x;
    }
    void join(Index a, Index b) {
        const auto [first, second] = std::minmax({find(a), find(b)});
        parent_[second] = first;
    }

private:
    std::vector<Index> parent_;
};

// Which efforts may grow together. A 0-junction that an element hangs on may not; a 1-junction lets two grow
// that it counts against each other, and one alone not.
class Floating {
public:
    explicit Floating(const bonds::Graph& g)
        : g_(g), same_(g.elements.size()), together_(g.elements.size()), fixed_(g.elements.size(), 0) {
        for (const auto& bond : g.bonds)
            if (type(bond.from) == type(bond.to) && is_plain(bond.from) && is_plain(bond.to))
                same_.join(bond.from, bond.to);
        for (const auto& bond : g.bonds) {
            add(bond.from, bond.to, -1);
            add(bond.to, bond.from, 1);
        }
        for (Index x = 0; x < g.elements.size(); ++x)
            if (g.elements[x].is_junction() && !is_plain(x)) fix(x);
        while (settle()) {
        }
        for (const auto& [junction, sum] : sums_)
            if (count(sum) > 0) refuse(sum);
    }

    // The 0-junctions of each part, one for each effort.
    std::vector<std::vector<Index>> parts() {
        std::map<Index, std::vector<Index>> found;
        for (Index x = 0; x < g_.elements.size(); ++x)
            if (type(x) == Type::zero && same_.find(x) == x && !is_fixed(x))
                found[together_.find(x)].push_back(x);
        std::vector<std::vector<Index>> list;
        for (auto& [first, part] : found) list.push_back(std::move(part));
        return list;
    }

private:
    using Sum = std::map<Index, int>;  // of efforts, at a 1-junction

    Type type(Index x) const { return g_.elements[x].type; }
    // A junction that no automaton switches.
    bool is_plain(Index x) const { return g_.elements[x].is_junction() && g_.elements[x].automaton < 0; }
    bool is_fixed(Index x) { return fixed_[same_.find(x)] || fixed_[together_.find(same_.find(x))]; }
    void fix(Index x) {
        fixed_[same_.find(x)] = 1;
        fixed_[together_.find(same_.find(x))] = 1;
    }

    // What `junction` has at the other end of a bond.
    void add(Index junction, Index other, int sign) {
        if (!is_plain(junction)) return;
        if (type(junction) == Type::zero && !is_plain(other)) fix(junction);
        if (type(junction) == Type::one && type(other) == Type::zero)
            sums_[same_.find(junction)][same_.find(other)] += sign;
    }

    // The sum over what may still grow, each set by its first.
    Sum open(const Sum& sum) {
        Sum left;
        for (const auto& [x, factor] : sum)
            if (!is_fixed(x)) left[together_.find(x)] += factor;
        std::erase_if(left, [](const auto& term) { return term.second == 0; });
        return left;
    }
    std::size_t count(const Sum& sum) { return open(sum).size(); }

    bool settle() {
        bool changed = false;
        for (const auto& [junction, sum] : sums_) {
            const Sum left = open(sum);
            if (left.size() == 1) {
                fix(left.begin()->first);
                changed = true;
            } else if (left.size() == 2 && left.begin()->second == -left.rbegin()->second) {
                together_.join(left.begin()->first, left.rbegin()->first);
                changed = true;
            }
        }
        return changed;
    }

    // More than two, or by other factors: leave it as it is.
    void refuse(const Sum& sum) {
        for (const auto& [x, factor] : open(sum)) fix(x);
    }

    const bonds::Graph& g_;
    Sets same_, together_;
    std::vector<std::uint8_t> fixed_;
    std::map<Index, Sum> sums_;
};

NodeId add_node(Flat& flat, NodeId name, Primitive op, const std::vector<NodeId>& inputs,
                const std::vector<double>& parameters) {
    Diagram& d = flat.diagram;
    d.nodes.push_back(
        {op, static_cast<std::uint32_t>(d.inputs.size()), static_cast<std::uint32_t>(inputs.size()),
         static_cast<std::uint32_t>(d.parameters.size()), static_cast<std::uint32_t>(parameters.size()), 0});
    d.inputs.insert(d.inputs.end(), inputs.begin(), inputs.end());
    d.parameters.insert(d.parameters.end(), parameters.begin(), parameters.end());
    flat.named.push_back(false);
    flat.made.push_back(name);
    return static_cast<NodeId>(d.nodes.size() - 1);
}

// The first of these efforts is what makes their mean zero: e = e - (e + ...)/n.
void hold(Flat& flat, const std::vector<Index>& part) {
    auto& graph = flat.graph;
    const Index first = part.front();
    const NodeId own = graph.elements[first].effort;
    std::vector<NodeId> efforts;
    std::vector<double> factors{0};
    const int n = static_cast<int>(part.size());
    for (const Index x : part) {
        efforts.push_back(graph.elements[x].effort);
        const int share = x == first ? n - 1 : -1;
        factors.push_back(noted(static_cast<double>(share) / n, Rational(share) / Rational(n)));
    }
    Element source{Type::Se, graph.elements[first].name + ":0", graph.elements[first].place};
    source.parameter = add_node(flat, own, Primitive::affine, efforts, factors);
    source.effort = add_node(flat, own, Primitive::free, {}, {});
    source.flow = add_node(flat, own, Primitive::free, {}, {});
    const auto at = static_cast<Index>(graph.elements.size());
    graph.bonds.push_back({source.name, source.place, at, first, source.effort, source.flow});
    graph.elements.push_back(std::move(source));
}

}  // namespace

void hold_floating(Flat& flat) {
    for (const auto& part : Floating(flat.graph).parts()) hold(flat, part);
}

}  // namespace deltaflow::front
