// The block `complement`: an automaton that nobody has to write decides which of its two signals is zero.
#include "bonds/complement.hpp"

#include "engine/front/flatten/graph.hpp"

#include <fmt/format.h>

namespace deltaflow::front {

using bonds::Guard;

namespace {

Guard is_negative(NodeId node, const std::string& text) {
    Guard guard;
    guard.kind = Guard::Kind::compare;
    guard.relation = Guard::Relation::less;
    guard.difference = node;
    guard.text = text;
    return guard;
}

}  // namespace

void GraphBody::add_complement(const BlockDeclaration& block, Ref w) {
    bonds::Automaton a;
    a.name = block.name;
    a.place = block.place;
    a.ideal = true;
    a.states = {"off", "on", "on"};
    a.on = {0, 1, 1};
    a.passing.assign(a.states.size(), 0);
    const Ref z = free_node();
    a.w = keep(w);
    a.z = keep(z);
    for (std::size_t k = 0; k < bonds::pair_levels; ++k) a.levels.push_back(keep(free_node()));
    for (std::size_t s = 0; s < a.states.size(); ++s) a.signals.push_back(keep(free_node()));
    const auto add = [&](bonds::PairState from, bonds::PairState to, NodeId node, const char* what) {
        a.transitions.push_back(
            {from, to, is_negative(node, fmt::format("{}: {} < 0", block.name, what)), block.place});
    };
    add(bonds::pair_off, bonds::pair_on, a.w, "w");
    add(bonds::pair_on, bonds::pair_off, a.z, "z");
    add(bonds::pair_leaks, bonds::pair_off, a.z, "z");
    shape_.outputs.push_back(z);
    shape_.graph.automata.push_back(std::move(a));
}

}  // namespace deltaflow::front
