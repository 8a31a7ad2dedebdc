// Where in a model file a place is: which table, which key, which text.
#pragma once

#include "report/editor/names.hpp"

namespace deltaflow::editor {

struct Context {
    enum class Part : unsigned char { header, key, value };
    Part part = Part::key;
    std::vector<std::string>
        path;  // of the innermost table around, from the root; items of lists have no part in it
    const Node* table = nullptr;     // that table
    const Member* member = nullptr;  // whose key or value the place is in
    const Node* string = nullptr;    // the text around it, if any
    Span word;                       // the letters before the place
    std::size_t scope = 0;           // the diagram
    std::vector<std::string> rest;   // the path within it: "blocks", "v"
};
Context context_at(const Project& project, const Names& names, std::size_t offset);

}  // namespace deltaflow::editor
