// Runs the models of diagrams/ and compares their traces with closed forms.
#pragma once

#include "engine/simulate.hpp"
#include "tests/paths.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace deltaflow::test {

// A Taylor step is good to the rounding of a double, 1e-16 of the largest term, and the models take at most
// some hundred steps; event times, limits, impulses and samples must therefore agree to twelve digits.
// Absolute below 1: a value near zero is the difference of terms near one.
constexpr double twelve_digits = 1e-12;
inline Approx close_to(double x) { return Approx(x).epsilon(twelve_digits).margin(twelve_digits); }

using Changes = std::vector<std::pair<std::string, std::string>>;

inline std::string diagram_path(const std::string& name) {
    return project_folder() + "/diagrams/" + name + ".toml";
}

// Runs diagrams/NAME.toml, with some parameters or settings changed, come what may.
inline Trace try_diagram(const std::string& name, const Changes& set = {}) {
    return simulate(load_model(diagram_path(name), {.set = set, .record = {}, .max_blocks = {}}));
}

inline Trace run_diagram(const std::string& name, const Changes& set = {}) {
    Trace trace = try_diagram(name, set);
    for (const RunError& error : trace.errors) FAIL_CHECK(error.text);
    CHECK(trace.end_reason == EndReason::stop);
    return trace;
}

inline std::size_t signal_index(const Trace& trace, std::string_view signal) {
    const auto found = std::find(trace.signals.begin(), trace.signals.end(), signal);
    INFO(signal);
    REQUIRE(found != trace.signals.end());
    return static_cast<std::size_t>(found - trace.signals.begin());
}

// What a signal did at an event; nothing happened to it if it is not listed there.
inline const Jump* find_jump(const Trace& trace, const Event& event, std::string_view signal) {
    const std::size_t index = signal_index(trace, signal);
    for (const Jump& jump : trace.jumps_of(event))
        if (jump.signal == index) return &jump;
    return nullptr;
}

// The events at which a signal jumps or carries an impulse.
inline std::vector<Event> events_of(const Trace& trace, std::string_view signal) {
    std::vector<Event> events;
    for (const Event& event : trace.events)
        if (find_jump(trace, event, signal)) events.push_back(event);
    return events;
}

// The event at t; two events of these models are never nearer than a millionth.
inline const Event& event_at(const Trace& trace, double t) {
    const auto found = std::find_if(trace.events.begin(), trace.events.end(),
                                    [t](const Event& e) { return std::abs(e.t - t) < 1e-6; });
    INFO("an event at " << t);
    REQUIRE(found != trace.events.end());
    CHECK(found->t == close_to(t));
    return *found;
}

inline void check_jump(const Trace& trace, const Event& event, std::string_view signal, double left,
                       double right, const std::vector<double>& impulses = {}) {
    INFO(signal << " at " << event.t);
    const Jump* jump = find_jump(trace, event, signal);
    REQUIRE(jump != nullptr);
    CHECK(jump->left == close_to(left));
    CHECK(jump->right == close_to(right));
    const auto seen = trace.impulses_of(*jump);
    REQUIRE(seen.size() == impulses.size());
    for (std::size_t i = 0; i < impulses.size(); ++i) {
        INFO("order " << i);
        CHECK(seen[i] == close_to(impulses[i]));
    }
}

// Compares every sample; the closed form gives right limits.
inline void check_samples(const Trace& trace, std::string_view signal,
                          const std::function<double(double)>& closed_form) {
    const auto& samples = trace.samples[signal_index(trace, signal)];
    REQUIRE(samples.size() == trace.t.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const Approx wanted = close_to(closed_form(trace.t[i]));
        if (samples[i] == wanted) continue;
        INFO(signal << " at " << trace.t[i]);
        CHECK(samples[i] == wanted);
    }
}

// Heaviside's step at tau; right limit at tau itself.
inline double step(double t, double tau = 1) { return t >= tau ? 1 : 0; }

}  // namespace deltaflow::test
