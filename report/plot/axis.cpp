// Good places for ticks, and what to write beside them.
#include "report/plot/axis.hpp"

#include "report/text/glyphs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace deltaflow::report {

namespace {

double round_distance(double rough) {
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (rough <= factor * power * 1.0001) return factor * power;
    return 10 * power;
}

// Of the first digit: 3 for 1000 to 9999.
int exponent_of(double x) {
    return x == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(x)) + 1e-6));
}

double largest_of(const std::vector<double>& numbers) {
    double largest = 0;
    for (const double x : numbers) largest = std::max(largest, std::abs(x));
    return largest;
}

double distance_of(const std::vector<double>& ticks) {
    return ticks.size() > 1 ? std::abs(ticks[1] - ticks[0]) : std::abs(ticks[0]);
}

// Enough for the distance, and for ticks that are no round numbers up to five more.
int decimals_of(const std::vector<double>& ticks, double distance) {
    const int first = std::max(0, -exponent_of(distance));
    for (int decimals = first; decimals < first + 5; ++decimals) {
        const double unit = std::pow(10.0, decimals);
        if (std::all_of(ticks.begin(), ticks.end(), [&](double tick) {
                return std::abs(std::round(tick * unit) / unit - tick) <= 1e-4 * distance;
            }))
            return decimals;
    }
    return first + 5;
}

// Ticks far from zero are counted from a round number among them.
double common_origin(const std::vector<double>& ticks, double distance, double largest) {
    if (distance == 0 || largest / distance < 2e5) return 0;
    const double unit = std::pow(10.0, exponent_of(distance) + 2), middle = ticks[ticks.size() / 2];
    return std::round(middle / unit) * unit;
}

std::string power_text(int exponent, bool unicode) {
    return unicode ? "×10" + superscript(exponent) : fmt::format("x 1e{}", exponent);
}

}  // namespace

std::vector<double> ticks(double low, double high, int count) {
    const double distance = round_distance((high - low) / count);
    std::vector<double> result;
    if (!std::isfinite(distance) || distance <= 0) return result;
    const double first = std::ceil(low / distance - 1e-9), last = std::floor(high / distance + 1e-9);
    for (int i = 0; i <= 10 * count && first + i <= last; ++i) result.push_back((first + i) * distance);
    return result;
}

std::vector<double> three_ticks(double low, double high, int count) {
    std::vector<double> result = ticks(low, high, count);
    for (int more = count + 1; result.size() < 3 && !result.empty() && more <= count + 12; ++more)
        result = ticks(low, high, more);
    return result;
}

std::vector<double> log_ticks(double low, double high, int count) {
    const double first = std::floor(std::log10(low) - 1e-9), last = std::ceil(std::log10(high) + 1e-9);
    const double stride = std::max(1.0, std::ceil((last - first) / count));
    const bool few = last - first <= 3;
    std::vector<double> result;
    for (double e = first; e <= last; e += stride)
        for (const double factor : {1.0, 2.0, 5.0}) {
            const double tick = factor * std::pow(10.0, e);
            if ((factor == 1 || few) && tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9))
                result.push_back(tick);
        }
    return result.size() < 2 ? three_ticks(low, high, count) : result;
}

std::vector<double> ticks_of(const Axis& axis, int count) {
    return axis.logarithmic ? log_ticks(axis.low, axis.high, count) : three_ticks(axis.low, axis.high, count);
}

TickLabels log_labels(const std::vector<double>& ticks, bool unicode) {
    TickLabels result;
    for (const double x : ticks) {
        const int exponent = exponent_of(x);
        const bool power = std::abs(x - std::pow(10.0, exponent)) <= 1e-9 * x;
        result.labels.push_back(unicode && power && (exponent < -2 || exponent > 3)
                                    ? "10" + superscript(exponent)
                                    : fmt::format("{:.4g}", x));
    }
    return result;
}

TickLabels labels_of(const Axis& axis, const std::vector<double>& ticks, bool unicode) {
    return axis.logarithmic ? log_labels(ticks, unicode) : tick_labels(ticks, unicode);
}

TickLabels tick_labels(const std::vector<double>& ticks, bool unicode) {
    TickLabels result;
    if (ticks.empty()) return result;
    const double distance = distance_of(ticks), largest = largest_of(ticks);
    const double origin = common_origin(ticks, distance, largest);
    std::vector<double> numbers = ticks;
    for (double& x : numbers) x -= origin;
    const int exponent = exponent_of(largest_of(numbers));
    const int power = exponent >= 5 || exponent <= -4 ? exponent - ((exponent % 3) + 3) % 3 : 0;
    for (double& x : numbers) x /= std::pow(10.0, power);
    const int decimals = decimals_of(numbers, distance_of(numbers));
    for (const double x : numbers)
        result.labels.push_back(x == 0 ? "0" : fmt::format("{:.{}f}", x, decimals));
    if (origin != 0) result.common = fmt::format("{:.12g} + ", origin);
    if (power != 0) result.common += power_text(power, unicode);
    return result;
}

}  // namespace deltaflow::report
