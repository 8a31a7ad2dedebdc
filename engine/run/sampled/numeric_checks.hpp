// What a sample must be: finite, away from poles, and as assertions want it.
#pragma once

#include "engine/run/sampled/numeric_state.hpp"

namespace deltaflow {

// `steps`: taken before it, for messages.
void check_finite(const NumericState& state, const NumericRunning& at, std::uint64_t steps);
void check_sample(NumericState& state, const NumericRunning& at, std::uint64_t steps);

}  // namespace deltaflow
