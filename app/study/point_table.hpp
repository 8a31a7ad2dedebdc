// Points of a study that stand in a file: a row a run.
#pragma once

#include "engine/study/points.hpp"

#include <string>
#include <vector>

namespace deltaflow::app {

// Axes as they were given, those of a file ("@points.csv") put in its place. Throws ModelError.
std::vector<SweepAxis> with_tables(const std::vector<SweepAxis>& axes);

}  // namespace deltaflow::app
