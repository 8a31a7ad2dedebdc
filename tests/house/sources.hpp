// The sources as text: what they include, and how long and how wide their parts are.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace deltaflow::house {

struct Source {
    std::string path;  // from the root of the project
    std::vector<std::string> lines;
    std::string folder() const { return path.substr(0, path.find_last_of('/')); }
};

// All C++ files of the library and the program.
std::vector<Source> sources();

// Files that `source` names in #include "...", as they are written.
std::vector<std::string> includes(const Source& source);

// The room that a file is in, be it by its path or by the way that it is included. Commands live with the
// program.
std::string room_of(const std::string& file);

struct Part {
    std::string name;
    std::size_t size = 0;
};

// Functions that stand at the left margin, with their lines.
std::vector<Part> functions(const Source& source);

// Classes at the left margin: how many fields (names that end in _) and how many methods they declare.
std::vector<Part> fields(const Source& source);
std::vector<Part> methods(const Source& source);

std::size_t count_matches(const Source& source, const std::string& pattern);

// Words and numbers of a table: a line an entry, # begins a comment.
std::vector<std::vector<std::string>> table(const std::string& file);

}  // namespace deltaflow::house
