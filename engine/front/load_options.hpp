// What the command line changes in a model: --set and --record, read as if each were a small file.
#pragma once

#include "engine/front/flatten/flatten.hpp"

namespace deltaflow::front {

// Reads the options and adds them to the sources, so that errors can point at them.
Overrides read_overrides(const LoadOptions& options, const Declarations& all, Sources& sources,
                         Report& report);

}  // namespace deltaflow::front
