// Runs small models given as strings, and looks into their traces.
#pragma once

#include "engine/simulate.hpp"
#include "report/text/exit_code.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace deltaflow::engine_test {

// Series are good to the rounding of a double, 1e-16 of the largest term, and these runs take some tens of
// steps over values near one: twelve digits are always there. Absolute below 1.
constexpr double twelve_digits = 1e-12;
inline Approx close_to(double x, double tolerance = twelve_digits) {
    return Approx(x).epsilon(tolerance).margin(tolerance);
}

using Changes = std::vector<std::pair<std::string, std::string>>;

inline FlatModel model_of(const std::string& text, const Changes& set = {}) {
    return load_model_text("model.toml", text, {.set = set, .record = {}, .max_blocks = {}});
}

// Runs a model, come what may in the run. With `at`, samples are taken at these times only.
inline Trace try_run(const std::string& text, const std::vector<double>& at = {}, const Changes& set = {}) {
    FlatModel model = model_of(text, set);
    model.settings.at = at;
    return simulate(model);
}

// Runs a model that must go well up to its stop.
inline Trace run(const std::string& text, const std::vector<double>& at = {}, const Changes& set = {}) {
    Trace trace = try_run(text, at, set);
    for (const RunError& error : trace.errors) FAIL_CHECK(error.text);
    CHECK(trace.end_reason == EndReason::stop);
    return trace;
}

inline std::uint32_t signal_index(const Trace& trace, std::string_view signal) {
    const auto found = std::find(trace.signals.begin(), trace.signals.end(), signal);
    INFO(signal);
    REQUIRE(found != trace.signals.end());
    return static_cast<std::uint32_t>(found - trace.signals.begin());
}

inline const std::vector<double>& samples_of(const Trace& trace, std::string_view signal) {
    return trace.samples[signal_index(trace, signal)];
}

// The sample at a time that is on the grid, to a millionth.
inline double sample(const Trace& trace, std::string_view signal, double t) {
    for (std::size_t i = 0; i < trace.t.size(); ++i)
        if (std::abs(trace.t[i] - t) < 1e-6) return samples_of(trace, signal)[i];
    FAIL("no sample of " << signal << " at " << t);
    return 0;
}

inline double last_sample(const Trace& trace, std::string_view signal) {
    REQUIRE(!trace.t.empty());
    return samples_of(trace, signal).back();
}

// What one signal did, with the time at which it did so.
struct Happening {
    double t;
    std::uint32_t epsilon;
    double left, right;
    std::vector<double> impulses;
    std::vector<std::string> causes;
};

// Every event at which the signal jumps or carries an impulse.
inline std::vector<Happening> happenings(const Trace& trace, std::string_view signal) {
    const std::uint32_t index = signal_index(trace, signal);
    std::vector<Happening> list;
    for (const Event& event : trace.events)
        for (const Jump& jump : trace.jumps_of(event)) {
            if (jump.signal != index) continue;
            const auto impulses = trace.impulses_of(jump);
            list.push_back({event.t,
                            event.epsilon,
                            jump.left,
                            jump.right,
                            {impulses.begin(), impulses.end()},
                            trace.causes_of(event)});
        }
    return list;
}

// The times at which the signal jumps or carries an impulse.
inline std::vector<double> times_of(const Trace& trace, std::string_view signal) {
    std::vector<double> times;
    for (const Happening& h : happenings(trace, signal)) times.push_back(h.t);
    return times;
}

inline void check_times(const Trace& trace, std::string_view signal, const std::vector<double>& wanted,
                        double tolerance = twelve_digits) {
    const auto times = times_of(trace, signal);
    INFO(signal << " at " << Catch::Detail::stringify(times));
    REQUIRE(times.size() == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) CHECK(times[i] == close_to(wanted[i], tolerance));
}

inline void check_impulses(std::span<const double> seen, const std::vector<double>& wanted,
                           double tolerance = twelve_digits) {
    for (std::size_t i = 0; i < std::max(seen.size(), wanted.size()); ++i) {
        INFO("derivative " << i << " of delta");
        CHECK((i < seen.size() ? seen[i] : 0.0) == close_to(i < wanted.size() ? wanted[i] : 0.0, tolerance));
    }
}

// The only thing that happens to the signal in the whole run.
inline void check_once(const Trace& trace, std::string_view signal, double t, double left, double right,
                       const std::vector<double>& impulses = {}) {
    const auto list = happenings(trace, signal);
    INFO(signal);
    REQUIRE(list.size() == 1);
    CHECK(list[0].t == close_to(t));
    CHECK(list[0].left == close_to(left));
    CHECK(list[0].right == close_to(right));
    check_impulses(list[0].impulses, impulses);
}

// The message of a model that is refused before it runs; empty if it is not.
inline std::string refusal(const std::string& text, int code = 3) {
    try {
        simulate(model_of(text));
        return "";
    } catch (const ModelError& e) {
        CHECK(exit_code(e.kind) == code);
        return e.what();
    }
}

}  // namespace deltaflow::engine_test
