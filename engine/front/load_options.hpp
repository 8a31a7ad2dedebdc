// What the command line changes in a model: --set and --record, read as if each were a small file.
#pragma once

#include "engine/front/read/declarations.hpp"
#include "engine/model/model.hpp"

namespace deltaflow::front {

struct Overrides {
    std::vector<const Entry*> settings;  // keys of [simulation]
    std::vector<const Value*> record;
};

// Puts new values into the parameters of the model and collects the rest. Adds the options to the sources,
// so that errors can point at them.
Overrides read_overrides(const LoadOptions& options, Declarations& all, Report& report);

}  // namespace deltaflow::front
