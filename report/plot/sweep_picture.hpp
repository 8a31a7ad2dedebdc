// A sweep as a picture: measures, or else final values, over a parameter.
#pragma once

#include "engine/sweep.hpp"
#include "report/plot/picture.hpp"

namespace deltaflow::report {

// A panel a measure. The parameter with the most values goes across, each combination of the others is a
// curve of its own; values by chance are dots.
Picture picture_of(const Sweep& sweep);

}  // namespace deltaflow::report
