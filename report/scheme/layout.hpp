// Where boxes and lines of a picture go; Graphviz decides, wherever it runs.
#pragma once

#include "report/scheme/scheme.hpp"

#include <functional>
#include <optional>
#include <stdexcept>

namespace deltaflow::report::scheme {

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

// Who places a graph: it is given DOT and answers as `dot -Tjson0` does.
using Layouter = std::function<std::string(const std::string& dot)>;

// The answer of the layouter cannot be read.
struct LayoutError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// From left to right, or downwards where that makes a wide picture much narrower. Throws LayoutError, and
// whatever `place` throws.
Layout lay_out(const Picture& picture, const Layouter& place);

}  // namespace deltaflow::report::scheme
