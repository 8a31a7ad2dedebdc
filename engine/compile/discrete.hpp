// The discrete side of a run.
#pragma once

#include "blocks/kernels.hpp"
#include "engine/model/archive.hpp"

#include <cstdint>
#include <vector>

namespace deltaflow {

// A branch that slides: where (its number among surfaces_of), and which derivative of its condition its
// output settles.
struct Held {
    std::uint32_t surface;
    std::int32_t order;
    bool operator==(const Held&) const = default;
    auto operator<=>(const Held&) const = default;
};

// What is frozen while time flows.
struct Discrete {
    std::vector<std::int32_t> branch;  // per node
    std::vector<double> held;          // per node: hold, unit_delay
    std::vector<Piece> pieces;         // per schedule
    std::vector<Held> slides;          // in the order of surfaces
    void archive(Archive& a) { a(branch, held, pieces, slides); }
    bool empty() const { return branch.empty() && held.empty() && pieces.empty(); }
};

}  // namespace deltaflow
