#include "engine/modes/excess.hpp"

#include <algorithm>
#include <map>

namespace deltaflow {

namespace {

using bonds::Guard;

// What a difference has of other signals, through sums alone.
double share(const Diagram& d, NodeId n, NodeId of, std::map<NodeId, double>& known) {
    if (n == of) return 1;
    if (d.nodes[n].op != Primitive::affine) return 0;
    const auto [at, is_new] = known.try_emplace(n, 0.0);
    if (!is_new) return at->second;
    const auto inputs = d.inputs_of(n);
    const auto p = d.parameters_of(n);
    double sum = 0;
    for (std::size_t j = 0; j < inputs.size(); ++j) sum += p[j + 1] * share(d, inputs[j], of, known);
    return known[n] = sum;
}

void read(Guard& guard, const Diagram& d, NodeId signal, NodeId excess) {
    for (Guard& part : guard.parts) read(part, d, signal, excess);
    if (guard.kind != Guard::Kind::compare || guard.excess != no_node) return;
    std::map<NodeId, double> known;
    const double factor = share(d, guard.difference, signal, known);
    if (factor == 0) return;
    guard.excess = excess;
    guard.towards = factor > 0 ? 1 : -1;
}

}  // namespace

void read_excess(bonds::Graph& g, const Diagram& d) {
    for (const bonds::Element& e : g.elements) {
        if (e.type != bonds::Type::Sw || e.automaton < 0 || e.excess == no_node) continue;
        bonds::Automaton& a = g.automata[static_cast<std::size_t>(e.automaton)];
        for (bonds::Transition& t : a.transitions)
            read(t.when, d, a.on[t.from] ? e.flow : e.effort, e.excess);
    }
}

}  // namespace deltaflow
