// Random models. The seed says what a model means, the form how it is written; equal meanings must run alike.
#pragma once

#include "tests/campaign/draft.hpp"

#include <cstdint>

namespace deltaflow::campaign {

Draft generate(std::uint64_t seed, std::uint64_t form = 0);

}  // namespace deltaflow::campaign
