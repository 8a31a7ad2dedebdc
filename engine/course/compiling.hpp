// Islands of a model without modes, compiled on all cores.
#pragma once

#include "engine/compile/system.hpp"

#include <memory>
#include <vector>

namespace deltaflow {

// As compile_model; the same for any number of threads (0: as many as there are processors).
std::shared_ptr<const std::vector<System>> compile_side_by_side(const FlatModel& model,
                                                                const Settings& settings, unsigned threads);

}  // namespace deltaflow
