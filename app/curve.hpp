// One signal of a trace as it is drawn: smooth pieces with gaps at the jumps, and impulses.
#pragma once

#include "engine/trace.hpp"

#include <vector>

namespace deltaflow::app {

struct CurvePoint {
    double t, value;
};

struct CurveImpulse {
    double t, coefficient;
    std::size_t order;  // of the derivative of delta
};

struct Curve {
    std::vector<std::vector<CurvePoint>> pieces;  // each unbroken, sorted by t
    std::vector<CurveImpulse> impulses;
    double low = 0, high = 0;  // of the values
};

// Pieces end at left limits and begin at right limits. What a page `columns` wide cannot show is thinned
// out: each column keeps its extremes.
std::vector<Curve> curves(const Trace& trace, std::size_t count, std::size_t columns);

}  // namespace deltaflow::app
