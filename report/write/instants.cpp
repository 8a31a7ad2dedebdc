// Merges samples and events by time.
#include "report/write/instants.hpp"

#include "engine/limits.hpp"
#include "signal/bounded.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace deltaflow::report {

namespace {

std::size_t end_of_run(const std::vector<Event>& events, std::size_t first) {
    std::size_t last = first;
    while (last < events.size() && events[last].t == events[first].t) ++last;
    return last;
}

// A sample at the time of an event is its right limit, although rounding may have put it just before.
bool is_same_time(double sampled, double occurred) {
    return std::isfinite(sampled) && std::isfinite(occurred) &&
           std::abs(sampled - occurred) <= limits::same_time_ulps * rounding::unit * std::abs(occurred);
}

template <class Take>
void for_each_instant(const Trace& trace, const Take& take) {
    constexpr double never = std::numeric_limits<double>::infinity();
    for (std::size_t sample = 0, event = 0; sample < trace.t.size() || event < trace.events.size();) {
        const double sampled = sample < trace.t.size() ? trace.t[sample] : never;
        const double occurred = event < trace.events.size() ? trace.events[event].t : never;
        const bool both = is_same_time(sampled, occurred);
        Instant instant{both ? occurred : std::min(sampled, occurred), {}, {}};
        if (both || occurred < sampled) {
            const std::size_t end = end_of_run(trace.events, event);
            instant.events = {trace.events.data() + event, end - event};
            event = end;
        }
        if (both || sampled < occurred) instant.sample = sample++;
        take(instant);
    }
}

}  // namespace

std::vector<Instant> instants(const Trace& trace) {
    std::vector<Instant> result;
    for_each_instant(trace, [&](const Instant& instant) { result.push_back(instant); });
    return result;
}

std::vector<Instant> instants_of_events(const Trace& trace) {
    std::vector<Instant> result;
    for_each_instant(trace, [&](const Instant& instant) {
        if (!instant.events.empty()) result.push_back(instant);
    });
    return result;
}

Values values_before(const Trace& trace, const Instant& instant) {
    Values values(trace.signals.size());
    for (const Event& event : instant.events)
        for (const Jump& jump : trace.jumps_of(event))
            if (!values[jump.signal]) values[jump.signal] = jump.left;
    if (!instant.sample) return values;
    for (std::size_t s = 0; s < values.size(); ++s)
        if (!values[s]) values[s] = trace.samples[s][*instant.sample];
    return values;
}

void pass(const Trace& trace, const Event& event, Values& values) {
    for (const Jump& jump : trace.jumps_of(event)) values[jump.signal] = jump.right;
}

}  // namespace deltaflow::report
