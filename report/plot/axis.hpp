// From numbers to places on the page.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace deltaflow::report {

// Maps [low, high] onto [from, to]; low < high. A logarithmic one has 0 < low, and what lies below stands
// there.
struct Axis {
    double low, high, from, to;
    bool logarithmic = false;
    double operator()(double x) const {
        const double share =
            logarithmic ? std::log(std::max(x, low) / low) / std::log(high / low) : (x - low) / (high - low);
        return from + share * (to - from);
    }
};

// Round numbers 1, 2 or 5 times a power of ten apart within [low, high], about `count` of them.
std::vector<double> ticks(double low, double high, int count);
// The same, and never fewer than three: two do not tell how a curve moves.
std::vector<double> three_ticks(double low, double high, int count);
// Powers of ten, with 2 and 5 times those where they are few; 0 < low < high.
std::vector<double> log_ticks(double low, double high, int count);
std::vector<double> ticks_of(const Axis& axis, int count);

// What stands beside ticks: all with as many decimals as tell them apart. What they have in common, a power
// of ten or a large number that they count from, is said once: "×10⁻⁶", "20000 +".
struct TickLabels {
    std::vector<std::string> labels;
    std::string common;
};
TickLabels tick_labels(const std::vector<double>& ticks, bool unicode = true);
// Of a logarithmic axis: each for itself.
TickLabels log_labels(const std::vector<double>& ticks, bool unicode = true);
TickLabels labels_of(const Axis& axis, const std::vector<double>& ticks, bool unicode = true);

}  // namespace deltaflow::report
