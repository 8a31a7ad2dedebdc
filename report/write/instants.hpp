// The events of a trace, gathered by real time, with the value of every signal around each of them.
#pragma once

#include "deltaflow/trace.hpp"

#include <optional>
#include <span>
#include <vector>

namespace deltaflow::report {

// All that a trace says of one t: a run of events, a sample, or both.
struct Instant {
    double t;
    std::span<const Event> events;
    std::optional<std::size_t> sample;  // index into Trace::t
};

// Every t of the trace once, in order.
std::vector<Instant> instants(const Trace& trace);
// Those with events alone: there may be millions of samples between them.
std::vector<Instant> instants_of_events(const Trace& trace);

// Signal values at an instant; empty where the trace does not tell.
using Values = std::vector<std::optional<double>>;

// Before the first event of the instant: what jumps has a left limit; what does not is as sampled.
Values values_before(const Trace& trace, const Instant& instant);

// Takes over the values right of an event.
void pass(const Trace& trace, const Event& event, Values& values);

}  // namespace deltaflow::report
