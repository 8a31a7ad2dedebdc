// The discrete side of a run.
#pragma once

#include "blocks/kernels.hpp"
#include "engine/model/archive.hpp"

#include <cstdint>
#include <vector>

namespace deltaflow {

// What is frozen while time flows.
struct Discrete {
    std::vector<std::int32_t> branch;  // per node
    std::vector<double> held;          // per node: hold, unit_delay
    std::vector<Piece> pieces;         // per schedule
    void archive(Archive& a) { a(branch, held, pieces); }
    bool empty() const { return branch.empty() && held.empty() && pieces.empty(); }
};

}  // namespace deltaflow
