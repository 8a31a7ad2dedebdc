// Which nodes carry a signal that has a name, and which are parts of a block.
#pragma once

#include "blocks/diagram.hpp"

namespace deltaflow {

// The name under which a model reads the output of a node, "ss[1]", "b3.effort"; empty for a part of a block.
std::string signal_name(const Naming& naming, NodeId node);

}  // namespace deltaflow
