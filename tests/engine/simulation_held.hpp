// The same run three ways: left alone, held and looked at, and taken up again from saved states.
#pragma once

#include "deltaflow/deltaflow.hpp"

#include <bit>
#include <cstring>
#include <string>
#include <vector>

namespace deltaflow::held {

// What differs first between two traces, to the last bit; empty: nothing.
inline std::string difference(const Trace& a, const Trace& b) {
    const auto same = [](double x, double y) {
        return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
    };
    const auto equal = [&](const std::vector<double>& x, const std::vector<double>& y) {
        return x.size() == y.size() && (x.empty() || std::memcmp(x.data(), y.data(), 8 * x.size()) == 0);
    };
    if (!equal(a.t, b.t))
        return "times of " + std::to_string(a.t.size()) + " and " + std::to_string(b.t.size()) + " samples";
    for (std::size_t i = 0; i < a.samples.size(); ++i)
        for (std::size_t k = 0; k < a.t.size(); ++k)
            if (!same(a.samples[i][k], b.samples[i][k]))
                return a.signals[i] + " at " + std::to_string(a.t[k]) + ": " +
                       std::to_string(a.samples[i][k]) + " and " + std::to_string(b.samples[i][k]);
    if (a.events.size() != b.events.size())
        return std::to_string(a.events.size()) + " and " + std::to_string(b.events.size()) + " events";
    for (std::size_t i = 0; i < a.events.size(); ++i)
        if (!same(a.events[i].t, b.events[i].t) || a.events[i].epsilon != b.events[i].epsilon ||
            a.causes_of(a.events[i]) != b.causes_of(b.events[i]))
            return "event " + std::to_string(i) + " at " + std::to_string(a.events[i].t) + " and " +
                   std::to_string(b.events[i].t);
    if (!equal(a.impulses, b.impulses)) return "impulses";
    if (a.modes != b.modes) return "modes";
    if (a.end_reason != b.end_reason) return "reasons of the end";
    if (!same(a.end_t, b.end_t)) return "ends";
    // Where one part of a model ends by an error, others may have come further.
    if (a.errors.empty() && a.statistics.steps != b.statistics.steps)
        return std::to_string(a.statistics.steps) + " and " + std::to_string(b.statistics.steps) + " steps";
    if (a.errors.size() != b.errors.size() || (!a.errors.empty() && a.errors[0].text != b.errors[0].text))
        return "errors";
    return "";
}

enum class Way { held, looked_at, restored };

// Stops `times` on the way.
inline Trace run(const Model& model, const Options& options, int times, Way way) {
    TraceSink sink;
    auto simulation = std::make_unique<Simulation>(model, options);
    simulation->observe(sink);
    try {
        for (int k = 1; k <= times && !simulation->has_ended(); ++k) {
            const double t = k == times ? options.stop
                                        : options.start + (options.stop - options.start) * (k - 0.37) / times;
            simulation->advance_to(t);
            if (way == Way::looked_at)
                for (const std::string& name : simulation->signals()) simulation->germ(name);
            if (way != Way::restored || k == times) continue;
            const std::vector<std::byte> state = simulation->save();
            simulation = std::make_unique<Simulation>(model, options);
            simulation->restore(state);
            simulation->take_up(sink);
        }
    } catch (const Error&) {
    }
    simulation->finish();
    return std::move(sink.trace());
}

}  // namespace deltaflow::held
