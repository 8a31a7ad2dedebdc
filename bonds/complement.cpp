// Definitions of what pairs impose: first what they look at, then, once it is known how far that is, z.
#include "bonds/complement.hpp"

#include "blocks/distances.hpp"

#include <algorithm>

namespace deltaflow::bonds {

namespace {

void define_levels(const Automaton& a, bool on, std::size_t order, Definitions& definitions) {
    for (std::size_t k = 0; k < a.levels.size(); ++k)
        if (!on || k > order)
            definitions.define(a.levels[k], Primitive::constant, {}, {0.0});
        else if (k == 0)
            definitions.define(a.levels[0], Primitive::affine, {a.w}, {0.0, 1.0});
        else
            definitions.define(a.levels[k], Primitive::derivative, {a.levels[k - 1]}, {});
}

std::size_t order_of(int distance) {
    return static_cast<std::size_t>(std::clamp(distance, 0, static_cast<int>(pair_levels) - 1));
}

}  // namespace

void define_pairs(const Graph& g, const Mode& mode, Definitions& definitions) {
    std::vector<std::size_t> on;
    std::vector<NodeId> unknown;
    for (std::size_t a = 0; a < g.automata.size(); ++a) {
        const Automaton& pair = g.automata[a];
        if (!pair.is_pair()) continue;
        definitions.define(pair.z, Primitive::constant, {}, {0.0});
        define_levels(pair, false, 0, definitions);
        if (mode[a] == pair_off) continue;
        on.push_back(a);
        unknown.push_back(pair.z);
    }
    definitions.fold();
    if (on.empty()) return;
    const auto distance = distances(definitions.diagram(), unknown, [](NodeId, std::size_t) { return true; });
    for (const std::size_t a : on) {
        const Automaton& pair = g.automata[a];
        const std::size_t order = order_of(distance[pair.w]);
        const double leak = mode[a] == pair_leaks ? pair_leak : 0;
        define_levels(pair, true, order, definitions);
        definitions.define(pair.z, Primitive::affine, {pair.z, pair.levels[order]}, {0.0, 1 + leak, 1.0});
    }
    definitions.fold();
}

}  // namespace deltaflow::bonds
