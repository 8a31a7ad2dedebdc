// Guards of automata: when they hold, and which automata switch.
#pragma once

#include "bonds/graph.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace deltaflow {

inline bool relation_holds(bonds::Guard::Relation relation, int sign) {
    using Relation = bonds::Guard::Relation;
    switch (relation) {
        case Relation::less:
            return sign < 0;
        case Relation::less_equal:
            return sign <= 0;
        case Relation::greater:
            return sign > 0;
        case Relation::greater_equal:
            return sign >= 0;
        case Relation::equal:
            return sign == 0;
        case Relation::unequal:
            return sign != 0;
    }
    return false;
}

// `sign(node, by_value)`: of a difference that a comparison looks at.
template <class Sign>
bool guard_holds(const bonds::Guard& guard, const Sign& sign) {
    using Kind = bonds::Guard::Kind;
    const auto part_holds = [&](const bonds::Guard& part) { return guard_holds(part, sign); };
    switch (guard.kind) {
        case Kind::always:
            return true;
        case Kind::never:
            return false;
        case Kind::compare: {
            const int infinite = guard.excess == no_node ? 0 : guard.towards * sign(guard.excess, false);
            return relation_holds(guard.relation,
                                  infinite != 0 ? infinite : sign(guard.difference, guard.by_value));
        }
        case Kind::all:
            return std::all_of(guard.parts.begin(), guard.parts.end(), part_holds);
        case Kind::any:
            return std::any_of(guard.parts.begin(), guard.parts.end(), part_holds);
        case Kind::none:
            return std::none_of(guard.parts.begin(), guard.parts.end(), part_holds);
    }
    return false;
}

// Automata that switch, with their transitions: the first transition whose guard holds counts. `asked`: those
// that may switch at all. `allowed`: transitions that need not wait.
using Firing = std::vector<std::pair<std::size_t, const bonds::Transition*>>;
struct AnyTransition {
    bool operator()(std::size_t, std::size_t) const { return true; }
};
template <class Asked, class Holds, class Allowed = AnyTransition>
Firing firing_automata(const bonds::Graph& graph, const bonds::Mode& mode, const Asked& asked,
                       const Holds& holds, const Allowed& allowed = {}) {
    Firing firing;
    for (std::size_t a = 0; a < graph.automata.size(); ++a) {
        if (!asked(a)) continue;
        const auto& transitions = graph.automata[a].transitions;
        for (std::size_t k = 0; k < transitions.size(); ++k) {
            const bonds::Transition& t = transitions[k];
            if (t.from != mode[a] || !allowed(a, k) || !holds(t.when)) continue;
            firing.emplace_back(a, &t);
            break;
        }
    }
    return firing;
}

// The next impact comes an infinitesimal after the one before.
inline void leave_out_impacts(const bonds::Graph& graph, Firing& firing) {
    std::erase_if(firing, [&](const auto& f) { return graph.automata[f.first].passes(f.second->to); });
}

// One at a time: first those that switch off, then those that switch on, in the order of the file. Ideal
// elements all follow the network.
inline void keep_one(const bonds::Graph& graph, Firing& firing, std::vector<std::uint8_t>& waiting) {
    const auto choices = std::stable_partition(firing.begin(), firing.end(),
                                               [&](const auto& f) { return graph.automata[f.first].ideal; });
    if (firing.end() - choices < 2) return;
    std::stable_partition(choices, firing.end(),
                          [&](const auto& f) { return !graph.automata[f.first].on[f.second->to]; });
    for (auto f = choices + 1; f != firing.end(); ++f) waiting[f->first] = 1;
    firing.erase(choices + 1, firing.end());
}

}  // namespace deltaflow
