// Parts of a study put together.
#pragma once

#include <string>
#include <vector>

namespace deltaflow::app {

// Writes the rows of all parts, in the order of their numbers, as the whole study would have. Throws
// ModelError (option) where a part is missing, is not complete, or belongs to another study.
void merge(const std::vector<std::string>& parts, const std::string& path);

}  // namespace deltaflow::app
