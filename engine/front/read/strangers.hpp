// Files that are no models: what they seem to be, and what may have been meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace deltaflow::front {

// "a trace (JSON), as `run --json` writes it", for example; empty if the text may well be a model.
std::string stranger(std::string_view text);

// Notes for a path that leads nowhere: the file with the nearest name.
std::vector<std::string> advice_for_missing(const std::string& path);

// Notes for a folder: models that are in it.
std::vector<std::string> advice_for_folder(const std::string& path);

}  // namespace deltaflow::front
