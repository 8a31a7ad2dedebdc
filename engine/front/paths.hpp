// Paths of files that belong to a model, as text.
#pragma once

#include <string>

namespace deltaflow {

// Absolute, with links followed as far as the files are there: two paths of one file are the same text.
std::string plain_path(const std::string& path);
// What a file calls `name`: relative to its own folder.
std::string path_beside(const std::string& file, const std::string& name);
// As the reader has it: a model uses files below its own folder. Both plain.
bool stands_below(const std::string& path, const std::string& folder);

}  // namespace deltaflow
