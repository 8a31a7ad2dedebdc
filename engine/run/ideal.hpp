// What rounded and exact numbers have in common about ideal elements.
#pragma once

#include "bonds/graph.hpp"
#include "engine/compile/system.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace deltaflow {

// A mode that is kept must not contradict itself: throws where the excess of one of these elements has a
// sign.
void refuse_contradiction(const bonds::Graph& g, const std::vector<std::uint32_t>& contradicting,
                          const bonds::Mode& mode, bool starting, const std::function<int(NodeId)>& sign);

// The room of a contact or a stop that this condition is, or looks back at; or nothing.
NodeId room_of(const System& s, const bonds::Graph& g, NodeId condition);

// An impact lasts no time: who takes part in it is told by impulses and by jumps. What the laws of its mode
// say of slopes means nothing, but of rooms, that shrink or not.
class AtImpact {
public:
    explicit AtImpact(const bonds::Graph& g);
    bool holds_in(const bonds::Mode& mode) const;
    // Does this signal count by its value, and what is below?
    bool by_value(NodeId n) const { return !std::binary_search(rooms_.begin(), rooms_.end(), n); }

private:
    const bonds::Graph& graph_;
    std::vector<NodeId> rooms_;
};

// Bodies that are apart cannot be in touch. `touches`: is this room used up?
bool may_be(const bonds::Graph& g, std::size_t automaton, std::uint32_t state,
            const std::function<bool(NodeId)>& touches);

}  // namespace deltaflow
