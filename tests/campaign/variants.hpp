// Changes of a model that must not change what it does.
#pragma once

#include "tests/campaign/draft.hpp"
#include "tests/campaign/random.hpp"

namespace deltaflow::campaign {

Draft permuted(const Draft& draft, Random random);
Draft renamed(const Draft& draft, Random random);
Draft wrapped(const Draft& draft);
// Records one signal only: the one with this number.
Draft recording(const Draft& draft, std::size_t signal);
Draft recording_only(Draft draft, const std::string& name);
// Records every block.
Draft recording_all(Draft draft);
// Without blocks that the generator made for a term and that nothing reads.
Draft without_idle_helpers(Draft draft);

}  // namespace deltaflow::campaign
