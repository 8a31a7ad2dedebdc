// From numbers to places on the page.
#pragma once

#include <string>
#include <vector>

namespace deltaflow::app {

// Maps [low, high] onto [from, to], linearly; low < high.
struct Axis {
    double low, high, from, to;
    double operator()(double x) const { return from + (x - low) / (high - low) * (to - from); }
};

// Round numbers 1, 2 or 5 times a power of ten apart within [low, high], about `count` of them.
std::vector<double> ticks(double low, double high, int count);

// As short as it can be said.
std::string tick_text(double tick);

}  // namespace deltaflow::app
