// What rounded and exact numbers have in common about ideal elements.
#pragma once

#include "bonds/graph.hpp"
#include "engine/compile/system.hpp"

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

}  // namespace deltaflow
