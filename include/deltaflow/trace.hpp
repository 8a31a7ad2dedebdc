// What a run leaves behind.
#pragma once

#include "deltaflow/choices.hpp"
#include "deltaflow/energy.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace deltaflow {

// What one recorded signal did at an instant; its impulses stand in Trace::impulses.
struct Jump {
    std::uint32_t signal;  // index into Trace::signals
    double left, right;
    std::uint32_t first_impulse, impulse_count;  // [i] is the coefficient of the i-th derivative of delta
};

struct Event {
    double t;
    std::uint32_t epsilon, index;
    bool committed;
    std::uint32_t first_cause, cause_count;  // into Trace::causes
    std::uint32_t first_jump, jump_count;    // into Trace::jumps
    std::uint32_t first_mode = 0;            // into Trace::modes; a state for each automaton
};

// An automaton and its states, for Trace::modes.
struct AutomatonNames {
    std::string name;
    std::vector<std::string> states;
};

// A branch block was held between its two sides, where its condition is zero.
struct SlidingInterval {
    std::string block;
    double from, to;
};

struct Statistics {
    std::uint64_t steps = 0, events = 0, evaluations = 0;
    double seconds = 0, run_seconds = 0;  // in all, and without compiling
};

// What `certify` has proved.
struct Proved {
    double local_error = 0;  // the largest of a step, relative to what the state has shown
    std::uint64_t steps = 0, events = 0;
    std::uint64_t series = 0;  // of intervals: what it took
};

// An error of the run; `text` is complete, with place and advice.
struct RunError {
    ErrorKind kind = ErrorKind::model;
    double t = 0;
    std::string text;
};

struct Trace {
    std::string model;
    std::vector<std::string> signals;
    std::vector<int> impulse_orders;           // per signal: how many impulse rungs it may carry
    std::vector<double> t;                     // of the samples
    std::vector<std::vector<double>> samples;  // per signal, as long as t
    std::vector<Event> events;
    std::vector<std::string> cause_names;
    std::vector<std::uint32_t> causes;  // of events, as indices of cause_names
    std::vector<Jump> jumps;
    std::vector<double> impulses;
    std::vector<AutomatonNames> automata;   // of a bond graph
    std::vector<std::uint32_t> first_mode;  // before the start
    std::vector<std::uint32_t> modes;       // of events: the state of each automaton
    std::vector<std::string> elements;      // of a bond graph, for the ledger
    EnergyLedger energy;
    std::vector<SlidingInterval> sliding;  // in the order in which they began
    double end_t = 0;
    EndReason end_reason = EndReason::stop;
    std::vector<std::optional<double>> last;  // per signal, as far as the run got; only where it is asked for
    Statistics statistics;
    std::optional<Proved> proved;  // only with `certify`
    std::vector<RunError> errors;  // empty if all went well
    std::vector<std::string> warnings;

    std::vector<std::string> causes_of(const Event& e) const {
        std::vector<std::string> names;
        for (std::uint32_t i = 0; i < e.cause_count; ++i)
            names.push_back(cause_names[causes[e.first_cause + i]]);
        return names;
    }
    std::span<const std::uint32_t> modes_of(const Event& e) const {
        return {modes.data() + e.first_mode, automata.size()};
    }
    std::span<const Jump> jumps_of(const Event& e) const {
        return {jumps.data() + e.first_jump, e.jump_count};
    }
    std::span<const double> impulses_of(const Jump& j) const {
        return {impulses.data() + j.first_impulse, j.impulse_count};
    }
};

}  // namespace deltaflow
