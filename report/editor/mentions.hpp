// Finds who speaks of which name.
#pragma once

#include "report/editor/names.hpp"

namespace deltaflow::editor {

// A name inside a text, with what follows it after dots: "many[3].x" is many, x.
struct NamePart {
    Span span;            // in the text
    bool member = false;  // it follows a dot
    bool call = false;    // a bracket follows: a function
};
std::vector<NamePart> name_parts(std::string_view text);

// Fills names.mentions.
void find_mentions(Names& names);

}  // namespace deltaflow::editor
