// Guards of automata: whether one holds, given the signs of the differences it compares with zero.
#pragma once

#include "bonds/graph.hpp"

#include <algorithm>

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

template <class Sign>
bool guard_holds(const bonds::Guard& guard, const Sign& sign) {
    using Kind = bonds::Guard::Kind;
    const auto part_holds = [&](const bonds::Guard& part) { return guard_holds(part, sign); };
    switch (guard.kind) {
        case Kind::always:
            return true;
        case Kind::never:
            return false;
        case Kind::compare:
            return relation_holds(guard.relation, sign(guard.difference));
        case Kind::all:
            return std::all_of(guard.parts.begin(), guard.parts.end(), part_holds);
        case Kind::any:
            return std::any_of(guard.parts.begin(), guard.parts.end(), part_holds);
        case Kind::none:
            return std::none_of(guard.parts.begin(), guard.parts.end(), part_holds);
    }
    return false;
}

}  // namespace deltaflow
