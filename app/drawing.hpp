// What all pictures are drawn with. Text stays text, colours follow the reader's light or dark scheme.
#pragma once

#include "app/output.hpp"

#include <string>
#include <string_view>

namespace deltaflow::app {

// Begins a page; end it with "</svg>".
void open_page(Output& out, const std::string& title, double width, double height, double left);
void line(Output& out, std::string_view kind, double x1, double y1, double x2, double y2);
void text(Output& out, std::string_view kind, double x, double y, const std::string& words);
std::string escaped(const std::string& text);

}  // namespace deltaflow::app
