// One run that computes what is recorded and what states and conditions depend on, and nothing else.
#pragma once

#include "engine/simulate.hpp"

namespace deltaflow {

Trace run_recorded(const Model& model, const RunControl& control);

}  // namespace deltaflow
