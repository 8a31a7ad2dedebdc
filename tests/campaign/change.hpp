// Small changes of a model's numbers: how far they move a run tells what rounding may do to it.
#pragma once

#include "engine/model/model.hpp"

#include <array>
#include <cstdint>

namespace deltaflow::campaign {

struct Change {
    enum Kind : std::uint8_t {
        shift,         // initial values, by a part of one
        scale,         // the same, by a part of themselves
        coefficients,  // of sums, and angular frequencies
        times,         // start, stop, sources and clocks, all alike
        together,      // times of sources that rounding hardly parts from others become equal to them ...
        apart,         // ... or lie clearly behind or before them
    };
    Kind kind;
    double by;    // a part; of times: a length
    double side;  // 1 or -1: to where
};
inline constexpr std::array every_change = {Change::shift, Change::scale,    Change::coefficients,
                                            Change::times, Change::together, Change::apart};

void apply(const Change& change, FlatModel& model);

}  // namespace deltaflow::campaign
