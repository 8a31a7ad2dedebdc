// Which blocks have to be asked for so that all of them are computed.
#pragma once

#include "engine/model/model.hpp"

#include <vector>

namespace deltaflow {

// Blocks that are not recorded: those of the model itself, and inside of instances those that nobody who is
// computed reads at all times.
std::vector<NodeId> blocks_to_ask(const FlatModel& model);

}  // namespace deltaflow
