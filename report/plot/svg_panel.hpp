// One panel of a picture: curves with their jumps, impulses as arrows, events as thin lines.
#pragma once

#include "report/plot/drawing.hpp"
#include "report/plot/picture.hpp"

namespace deltaflow::report {

struct DrawnPanel {
    const Panel& panel;
    Frame frame;
};

// Lines that a heading takes: names of overlaid signals may need more than one.
std::size_t heading_lines(const Panel& panel, double width);
void draw_panel(Output& out, const Picture& picture, const DrawnPanel& drawn);

// Arrows on zero, with a scale at the right for each order of derivatives of delta.
void draw_impulses(Output& out, const DrawnPanel& drawn);
// How wide those scales are.
double scales_width(const Panel& panel);

Grid grid_of(const DrawnPanel& drawn);

constexpr double heading_height = 19;  // of a line

}  // namespace deltaflow::report
