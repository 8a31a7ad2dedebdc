// A file that has to stay the same file, and gets another content.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>

namespace deltaflow::app {

// Puts what is whole over the target. There is room for all of it before the first byte is written, and it is
// done by a process of its own: whoever kills this program does not tear the file. Throws OutputError.
void pour(std::FILE* whole, const std::filesystem::path& target, const std::string& name);

}  // namespace deltaflow::app
