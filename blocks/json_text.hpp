// JSON by plain text: each function gives a JSON value.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace deltaflow::json_text {

using Members = std::vector<std::pair<std::string, std::string>>;

std::string string(std::string_view text);
std::string object(const Members& members);
std::string array(const std::vector<std::string>& items);

// One value a line, indented by two blanks a level.
std::string pretty(std::string_view json);

}  // namespace deltaflow::json_text
