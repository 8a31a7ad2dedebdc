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

// What functions and block types that go by other names elsewhere are called here: "log" for "ln", "impulse"
// for "dirac"; the name itself if there is none.
std::string_view usual_name(std::string_view name);

}  // namespace deltaflow
