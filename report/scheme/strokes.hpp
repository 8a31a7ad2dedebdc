// What pictures of models are drawn with: arrows, strokes and badges, and the legend that explains them.
#pragma once

#include "report/scheme/layout.hpp"
#include "report/text/output.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace deltaflow::report::scheme {

struct Heading {
    double x = 1, y = 0;
};

// A point of one piece of a curve, t from 0 to 1.
Point on_curve(const Curve& curve, std::size_t piece, double t);
// Of a curve at its last point, along it; points may coincide.
Heading arrival(const std::vector<Point>& points);
Point moved(Point p, Heading d, double along, double across);
// The middle of a label that just keeps clear of its line, on the side where dot wanted it.
Point beside(const Curve& curve, const std::string& words);

void draw_line(Output& out, std::string_view kind, Point a, Point b);
void stroke(Output& out, std::string_view kind, Point end, Heading d);
void tip(Output& out, std::string_view kind, Point end, Heading d, double size);
void pill(Output& out, std::string_view kind, double x, double y, const std::string& words);

enum class Sample { link, impulse, loop, control, bond, badge, dependent, off };
struct LegendItem {
    Sample sample;
    std::string words;
};
// Only what occurs is explained.
std::vector<LegendItem> legend_of(const Picture& picture);
// Draws the legend, or only finds out where it ends.
double place_legend(const std::vector<LegendItem>& items, Point begin, double right, Output* out);

}  // namespace deltaflow::report::scheme
