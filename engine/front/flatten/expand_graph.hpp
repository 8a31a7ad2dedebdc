// Copies the bond graphs of templates into one.
#pragma once

#include "engine/front/flatten/templates.hpp"

namespace deltaflow::front {

class GraphExpansion {
public:
    struct Sizes {
        std::size_t elements = 0, bonds = 0, automata = 0;
    };
    // The first instance of an array, from which the others are copied.
    struct Copies {
        Sizes begin, end;
        NodeId first_node, nodes;
        std::size_t name;  // how many letters stand before "[0]"

        bool is_empty() const {
            return begin.elements == end.elements && begin.bonds == end.bonds &&
                   begin.automata == end.automata;
        }
    };

    void reserve(const front::Sizes& sizes) {
        graph_.elements.reserve(sizes.elements);
        graph_.bonds.reserve(sizes.bonds);
        graph_.automata.reserve(sizes.automata);
    }

    Sizes sizes() const { return {graph_.elements.size(), graph_.bonds.size(), graph_.automata.size()}; }
    bonds::Graph take() { return std::move(graph_); }

    // The template's own part; `node_of` says what became of its signals.
    template <class NodeOf>
    void add(const Template& shape, const std::string& prefix, const NodeOf& node_of) {
        const Sizes base = sizes();
        const auto settle = [&](NodeId& node) { node = node_of(shape.graph_signals[node]); };
        append(graph_.elements, shape.graph.elements, prefix, settle);
        append(graph_.bonds, shape.graph.bonds, prefix, settle);
        append(graph_.automata, shape.graph.automata, prefix, settle);
        shift(base, sizes(), base);
        if (shape.graph.total_energy == no_node) return;
        graph_.total_energy = shape.graph.total_energy;
        settle(graph_.total_energy);
    }

    void add_copy(const Copies& copies, std::uint32_t copy) {
        const auto& [begin, end, first_node, nodes, name] = copies;
        const Sizes base = sizes();
        const auto move = [&, first_node = first_node, nodes = nodes](NodeId& node) {
            if (node - first_node < nodes) node += nodes * copy;  // unsigned: not for those before the first
        };
        const std::string index = std::to_string(copy);
        append_copy(graph_.elements, begin.elements, end.elements, move, name, index);
        append_copy(graph_.bonds, begin.bonds, end.bonds, move, name, index);
        append_copy(graph_.automata, begin.automata, end.automata, move, name, index);
        const Sizes by{base.elements - begin.elements, 0, base.automata - begin.automata};
        shift(base, sizes(), by);
    }

private:
    template <class Part, class Settle>
    static void append(std::vector<Part>& to, const std::vector<Part>& from, const std::string& prefix,
                       const Settle& settle) {
        for (const Part& part : from) {
            to.push_back(part);
            if (!prefix.empty()) to.back().name.insert(0, prefix);
            for_each_node(to.back(), settle);
        }
    }

    // [0] behind the first `name` letters becomes [index].
    template <class Part, class Move>
    static void append_copy(std::vector<Part>& list, std::size_t begin, std::size_t end, const Move& move,
                            std::size_t name, const std::string& index) {
        for (std::size_t i = begin; i < end; ++i) {
            Part part = list[i];
            part.name.replace(name + 1, 1, index);
            for_each_node(part, move);
            list.push_back(std::move(part));
        }
    }

    // Ends of bonds and automata of elements count from the start of the graph.
    void shift(const Sizes& begin, const Sizes& end, const Sizes& by) {
        for (std::size_t i = begin.elements; i < end.elements; ++i)
            if (graph_.elements[i].automaton >= 0)
                graph_.elements[i].automaton += static_cast<int>(by.automata);
        for (std::size_t i = begin.bonds; i < end.bonds; ++i) {
            graph_.bonds[i].from += static_cast<std::uint32_t>(by.elements);
            graph_.bonds[i].to += static_cast<std::uint32_t>(by.elements);
        }
    }

    bonds::Graph graph_;
};

}  // namespace deltaflow::front
