// Runs a model again for its picture.
#include "report/plot/detail.hpp"

#include <algorithm>

namespace deltaflow::report {

namespace {

// Evaluations of blocks that take no time worth noticing (about a second), and numbers that need little room.
constexpr double most_evaluations = 1e8;
constexpr std::size_t most_numbers = 10'000'000, samples_per_column = 4;

std::vector<double> page_times(const Trace& trace, double start, std::size_t count) {
    std::vector<double> times;
    for (std::size_t k = 0; k <= count; ++k)
        times.push_back(start + (trace.end_t - start) * static_cast<double>(k) / static_cast<double>(count));
    for (const Event& event : trace.events) times.push_back(event.t);
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

bool is_affordable(const FlatModel& model, const Trace& trace, std::size_t samples) {
    const double evaluations = static_cast<double>(trace.statistics.evaluations + samples);
    return evaluations * static_cast<double>(model.user_blocks + 1) <= most_evaluations &&
           samples * trace.signals.size() <= most_numbers;
}

}  // namespace

Trace detailed(const FlatModel& model, const Trace& trace, std::size_t columns, const RunControl& control) {
    const std::size_t count = columns * samples_per_column;
    if (trace.end_reason == EndReason::interrupted || !(trace.end_t > model.settings.start) ||
        !is_affordable(model, trace, count + trace.events.size()))
        return trace;
    FlatModel finer = model;
    finer.settings.at = page_times(trace, model.settings.start, count);
    const Trace again = simulate(finer, control);
    return again.end_reason == trace.end_reason ? again : trace;
}

}  // namespace deltaflow::report
