// The known name that is nearest to a misspelt one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace deltaflow {

// Empty if no name is near.
std::string nearest_name(std::string_view name, const std::vector<std::string_view>& known);

// `; did you mean "product"?`, or nothing
std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& known);

}  // namespace deltaflow
