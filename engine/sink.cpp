// Parts of a trace put together.
#include "engine/sink.hpp"

#include <algorithm>

namespace deltaflow {

namespace {

template <class T>
void append(std::vector<T>& to, const std::vector<T>& more) {
    to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

void TraceSink::take(const Trace& part) {
    const auto causes = static_cast<std::uint32_t>(trace_.causes.size());
    const auto jumps = static_cast<std::uint32_t>(trace_.jumps.size());
    const auto impulses = static_cast<std::uint32_t>(trace_.impulses.size());
    const auto modes = static_cast<std::uint32_t>(trace_.modes.size());
    append(trace_.t, part.t);
    for (std::size_t s = 0; s < part.samples.size(); ++s) append(trace_.samples[s], part.samples[s]);
    append(trace_.events, part.events);
    append(trace_.causes, part.causes);
    append(trace_.jumps, part.jumps);
    append(trace_.impulses, part.impulses);
    append(trace_.modes, part.modes);
    for (auto e = trace_.events.end() - static_cast<std::ptrdiff_t>(part.events.size());
         e != trace_.events.end(); ++e) {
        e->first_cause += causes;
        e->first_jump += jumps;
        e->first_mode += modes;
    }
    for (auto j = trace_.jumps.begin() + jumps; j != trace_.jumps.end(); ++j) j->first_impulse += impulses;
}

void TraceSink::end(const Trace& closing) {
    trace_.cause_names = closing.cause_names;
    trace_.impulse_orders = closing.impulse_orders;
    trace_.energy = closing.energy;
    trace_.end_t = closing.end_t;
    trace_.end_reason = closing.end_reason;
    trace_.statistics = closing.statistics;
    trace_.proved = closing.proved;
    trace_.errors = closing.errors;
    trace_.warnings = closing.warnings;
}

}  // namespace deltaflow
