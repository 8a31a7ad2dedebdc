// The [simulation] table.
#pragma once

#include "engine/front/flatten/numbers.hpp"
#include "engine/model/model.hpp"

namespace deltaflow::front {

// Settings of a model, and what it says of recording.
struct Simulation {
    Settings settings;
    const Value* record = nullptr;
};

// Reads the keys of [simulation], from the file or the command line; a later one wins. Numbers may be
// expressions of the model's parameters.
Simulation read_simulation(const std::vector<const Entry*>& entries, const Environment& environment,
                           Report& report);

}  // namespace deltaflow::front
