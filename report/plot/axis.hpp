// From numbers to places on the page.
#pragma once

#include <string>
#include <vector>

namespace deltaflow::report {

// Maps [low, high] onto [from, to], linearly; low < high.
struct Axis {
    double low, high, from, to;
    double operator()(double x) const { return from + (x - low) / (high - low) * (to - from); }
};

// Round numbers 1, 2 or 5 times a power of ten apart within [low, high], about `count` of them.
std::vector<double> ticks(double low, double high, int count);

// What stands beside ticks: all with as many decimals as tell them apart. What they have in common, a power
// of ten or a large number that they count from, is said once: "×10⁻⁶", "20000 +".
struct TickLabels {
    std::vector<std::string> labels;
    std::string common;
};
TickLabels tick_labels(const std::vector<double>& ticks, bool unicode = true);

}  // namespace deltaflow::report
