// Good places for ticks.
#include "app/axis.hpp"

#include <fmt/format.h>

#include <cmath>

namespace deltaflow::app {

namespace {

double round_distance(double rough) {
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (rough <= factor * power * 1.0001) return factor * power;
    return 10 * power;
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

std::string tick_text(double tick) { return fmt::format("{:.6g}", tick == 0 ? 0.0 : tick); }

}  // namespace deltaflow::app
