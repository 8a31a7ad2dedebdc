// Where models come from: files, or standard input.
#pragma once

#include "engine/front/load.hpp"

#include <string>

namespace deltaflow::app {

// "-" is standard input; it is read once, to its end. Throws ModelError.
ModelFiles read_input(const std::string& path, const std::vector<std::string>& allow);
FlatModel load_input(const std::string& path, const LoadOptions& options);

}  // namespace deltaflow::app
