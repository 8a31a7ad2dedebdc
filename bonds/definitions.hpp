// What the free nodes of a diagram are in a mode, and the diagram that this makes.
#pragma once

#include "blocks/diagram.hpp"

#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

namespace deltaflow::bonds {

// What a node is, in terms of others; the lists belong to someone else.
struct Definition {
    Primitive op = Primitive::constant;  // free: as in every mode
    std::span<const NodeId> inputs = {};
    std::span<const double> parameters = {};
};

// list[first[n]] ... list[first[n + 1] - 1] belong to n.
struct Lists {
    std::vector<std::uint32_t> first, list;
    std::span<const std::uint32_t> of(std::size_t n) const {
        return {list.data() + first[n], first[n + 1] - first[n]};
    }
};
// visit(add) calls add(n, item) for each item, twice over: to count, and to fill in.
template <class Visit>
Lists make_lists(std::size_t n, const Visit& visit) {
    Lists result;
    result.first.assign(n + 1, 0);
    visit([&](std::size_t at, std::uint32_t) { ++result.first[at + 1]; });
    for (std::size_t i = 0; i < n; ++i) result.first[i + 1] += result.first[i];
    result.list.resize(result.first[n]);
    std::vector<std::uint32_t> next(result.first.begin(), result.first.end() - 1);
    visit([&](std::size_t at, std::uint32_t item) { result.list[next[at]++] = item; });
    return result;
}

class Definitions {
public:
    // `states`: signals of automata, constants of a mode. What follows from them alone is constant, too, and
    // a product with a constant is a scaling: so they may multiply impulses.
    Definitions(const Diagram& base, const std::vector<NodeId>& states);

    void define(NodeId n, const Definition& d);
    void define(NodeId n, Primitive op, std::initializer_list<NodeId> inputs,
                std::initializer_list<double> parameters) {
        define(n, {op, {inputs.begin(), inputs.size()}, {parameters.begin(), parameters.size()}});
    }
    void fold();  // once everything is defined
    // The nodes of the diagram have got other numbers (old -> new).
    void renumber(const std::vector<NodeId>& place, const std::vector<NodeId>& states);
    // Nodes that have become something else since they were last taken; sorted.
    std::vector<NodeId> take_changes();

    // Nothing if the node is what it is in every mode.
    std::optional<Definition> of(NodeId n) const;
    Primitive op(NodeId n) const;
    std::span<const NodeId> inputs(NodeId n) const;
    // Adds the node to a diagram. Where a signal is plus or minus another one, sums and integrators read that
    // one. (Others look at left limits, too, and before a change of mode the two may have differed.)
    void append(Diagram& out, NodeId n) const;
    Diagram diagram() const;

private:
    // A definition as a part of the lists of all.
    struct Stored {
        Primitive op = Primitive::free;
        std::uint32_t first_input = 0, input_count = 0, first_parameter = 0, parameter_count = 0;
    };
    struct Folded;

    void find_foldable(const std::vector<NodeId>& states);
    Definition view(const Stored& s) const {
        return {s.op,
                {inputs_.data() + s.first_input, s.input_count},
                {parameters_.data() + s.first_parameter, s.parameter_count}};
    }
    bool is(NodeId n, const Definition& d) const;
    void note(NodeId n);
    std::optional<double> constant(NodeId n) const;
    Folded folded(NodeId n) const;
    NodeId origin(NodeId n, bool sums, double& sign) const;

    const Diagram& base_;
    std::vector<std::uint32_t> slot_;  // node -> definition + 1
    std::vector<Stored> definitions_;
    std::vector<NodeId> inputs_;      // of all definitions
    std::vector<double> parameters_;  // the same
    Lists foldable_;                  // per node: sums and products behind states of automata that read it
    std::vector<NodeId> changed_;
    std::vector<std::uint8_t> noted_;  // per node: it is among the changes
};

}  // namespace deltaflow::bonds
