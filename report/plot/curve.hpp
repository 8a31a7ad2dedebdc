// One signal of a trace as it is drawn: smooth pieces with gaps at the jumps, and impulses.
#pragma once

#include "deltaflow/trace.hpp"

#include <span>
#include <vector>

namespace deltaflow::report {

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
    std::vector<CurvePoint> mythical;  // values in modes that were left at once
    double low = 0, high = 0;          // of the values
};

// Pieces end at left limits and begin at right limits. What a page `columns` wide cannot show is thinned
// out: each column keeps its extremes. What is not finite breaks the line.
std::vector<Curve> curves(const Trace& trace, std::span<const std::size_t> signals, std::size_t columns);

}  // namespace deltaflow::report
