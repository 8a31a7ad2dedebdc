// Steps of one length end on a grid, and at events in between.
#pragma once

#include "engine/model/model.hpp"

#include <cmath>

namespace deltaflow {

// How far it is from t to the next point of start + k step.
inline double to_grid(const Settings& settings, double step, double t) {
    const double k = std::floor((t - settings.start) / step + 1e-9) + 1;
    const double next = settings.start + k * step;
    return (next <= t ? settings.start + (k + 1) * step : next) - t;
}

}  // namespace deltaflow
