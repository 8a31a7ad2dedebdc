// Time, and results that must be equal.
#include "bench/bench.hpp"

#include <fmt/format.h>

#include <cmath>
#include <ctime>
#include <utility>

namespace deltaflow::bench {

void expect_equal(const std::string& what, double value, double expected, double tolerance) {
    if (std::abs(value - expected) <= tolerance * std::max(1.0, std::abs(expected))) return;
    throw WrongResult(fmt::format("{} is {:.17g}, should be {:.17g}", what, value, expected));
}

double processor_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double clock_seconds() {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

FlatModel until(FlatModel model, double stop) {
    model.settings.stop = stop;
    model.settings.at = {stop};
    return model;
}

Stepping time_steps(const FlatModel& model, double step, int steps) {
    double first = -1, begin = 0, last = 0, end = 0;
    RunControl control;
    control.progress = [&](double fraction) {
        end = processor_seconds();
        last = fraction;
        if (first < 0 && fraction >= 0.25) first = last, begin = end;
    };
    Trace trace = simulate(until(model, steps * step), control);
    return {(end - begin) / ((last - first) * steps), std::move(trace)};
}

}  // namespace deltaflow::bench
