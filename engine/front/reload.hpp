// A model again, with other values or other signals recorded.
#pragma once

#include "engine/model/model.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace deltaflow {

FlatModel reload(const FlatModel& model, const std::vector<std::pair<std::string, std::string>>& sets,
                 const std::optional<std::vector<std::string>>& record);

}  // namespace deltaflow
