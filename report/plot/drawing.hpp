// What all pictures are drawn with. Text stays text, colours follow the reader's light or dark scheme, and
// whatever differs in colour differs in another way, too.
#pragma once

#include "report/plot/axis.hpp"
#include "report/text/output.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace deltaflow::report {

struct PagePoint {
    double x, y;
};

// How many kinds of line there are: "s0" to "s7", each with a colour and dashes of its own.
constexpr std::size_t line_kinds = 8;
std::string line_kind(std::size_t series);

// Begins a page; end it with "</svg>". `room` at the end of the title's line is somebody else's.
void open_page(Output& out, const std::string& title, double width, double height, double left,
               double room = 0);

void line(Output& out, std::string_view kind, double x1, double y1, double x2, double y2);
void text(Output& out, std::string_view kind, double x, double y, const std::string& words);
void circle(Output& out, std::string_view kind, double x, double y, double radius);

// A line through points; points that nobody would miss are left out.
void path(Output& out, std::string_view kind, const std::vector<PagePoint>& points);

// The frame of a panel and its grid, with labels on the left and, if `below`, underneath.
struct Frame {
    Axis x, y;
    double left() const { return x.from; }
    double right() const { return x.to; }
    double upper() const { return y.to; }
    double lower() const { return y.from; }
};
struct Grid {
    std::vector<double> across, up;  // ticks
    TickLabels across_labels, up_labels;
    bool logarithmic = false;  // zero is a tick like others
};
void draw_frame(Output& out, const Frame& frame);
void draw_grid(Output& out, const Frame& frame, const Grid& grid);
void draw_labels_below(Output& out, const Frame& frame, const Grid& grid, const std::string& name);

// How wide a text will be, roughly.
double width_of(const std::string& words);
// The same words, cut in the middle where they are too wide.
std::string fitted(const std::string& words, double width, double size = 13, bool bold = false);

std::string escaped(const std::string& text);

}  // namespace deltaflow::report
