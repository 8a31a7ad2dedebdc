// Where boxes and lines of a picture go; the program dot of Graphviz decides.
#pragma once

#include "report/scheme/scheme.hpp"

#include <optional>

namespace deltaflow::app::scheme {

struct Point {
    double x = 0, y = 0;
};

// x and y are the middle; y grows downwards.
struct Area {
    double x = 0, y = 0, width = 0, height = 0;
};

// A chain of cubic Bezier curves: the first point, then three for each piece.
struct Curve {
    std::vector<Point> points;
    std::optional<Point> label;  // its middle
};

struct Layout {
    double width = 0, height = 0;
    std::vector<Area> boxes, groups;
    std::vector<Curve> links, bonds;
};

// Throws OutputError if there is no dot, or it gives up.
Layout lay_out(const Picture& picture);

}  // namespace deltaflow::app::scheme
