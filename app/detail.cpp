// Runs a model again for its picture.
#include "app/detail.hpp"

#include <algorithm>

namespace deltaflow::app {

namespace {

// What is still too short to be noticed, and small beside what the run itself needs.
constexpr std::uint64_t most_evaluations = 1'000'000;
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

}  // namespace

Trace detailed(Model model, const Trace& trace, std::size_t columns, const RunControl& control) {
    const std::size_t count = columns * samples_per_column;
    const double start = model.settings.start;
    if (trace.statistics.evaluations > most_evaluations || trace.end_reason == "interrupted" ||
        (count + trace.events.size()) * trace.signals.size() > most_numbers || !(trace.end_t > start))
        return trace;
    model.settings.at = page_times(trace, start, count);
    const Trace again = simulate(model, control);
    return again.end_reason == trace.end_reason ? again : trace;
}

}  // namespace deltaflow::app
