// Parts of a trace put together.
#include "deltaflow/sink.hpp"

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
    if (part.cause_names.size() > trace_.cause_names.size()) trace_.cause_names = part.cause_names;
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

void TraceSink::forget_events(std::size_t from, std::size_t to) {
    Trace kept;
    kept.automata = trace_.automata;
    for (std::size_t i = 0; i < trace_.events.size(); ++i) {
        if (i >= from && i < to) continue;
        Event event = trace_.events[i];
        const auto causes = trace_.causes.begin() + event.first_cause;
        const auto modes = trace_.modes_of(event);
        const auto jumps = trace_.jumps_of(event);
        event.first_cause = static_cast<std::uint32_t>(kept.causes.size());
        event.first_jump = static_cast<std::uint32_t>(kept.jumps.size());
        event.first_mode = static_cast<std::uint32_t>(kept.modes.size());
        kept.causes.insert(kept.causes.end(), causes, causes + event.cause_count);
        kept.modes.insert(kept.modes.end(), modes.begin(), modes.end());
        for (Jump jump : jumps) {
            const auto impulses = trace_.impulses_of(jump);
            jump.first_impulse = static_cast<std::uint32_t>(kept.impulses.size());
            kept.impulses.insert(kept.impulses.end(), impulses.begin(), impulses.end());
            kept.jumps.push_back(jump);
        }
        kept.events.push_back(event);
    }
    trace_.events = std::move(kept.events);
    trace_.causes = std::move(kept.causes);
    trace_.modes = std::move(kept.modes);
    trace_.jumps = std::move(kept.jumps);
    trace_.impulses = std::move(kept.impulses);
}

void Digest::take(const Trace& part) {
    Trace events = part;
    events.t.clear();
    for (auto& column : events.samples) column.clear();
    kept_.take(events);
    if (const std::size_t n = kept_.event_count(); n > first_ + last_) kept_.forget_events(first_, n - last_);
}

void TraceSink::end(const Trace& closing) {
    trace_.cause_names = closing.cause_names;
    trace_.impulse_orders = closing.impulse_orders;
    trace_.first_mode = closing.first_mode;
    trace_.energy = closing.energy;
    trace_.elements = closing.elements;
    trace_.sliding = closing.sliding;
    trace_.end_t = closing.end_t;
    trace_.end_reason = closing.end_reason;
    trace_.last = closing.last;
    trace_.statistics = closing.statistics;
    trace_.proved = closing.proved;
    trace_.errors = closing.errors;
    trace_.warnings = closing.warnings;
}

}  // namespace deltaflow
