// What a block is, whatever it is called: loops are torn by it.
#pragma once

#include "blocks/diagram.hpp"

namespace deltaflow {

// A block by what it does and what it reads at once, wherever it stands.
std::uint64_t kind_of(const Diagram& d, NodeId n);

}  // namespace deltaflow
