// Running and checking a model.
#pragma once

#include "deltaflow/trace.hpp"
#include "engine/model/model.hpp"

#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace deltaflow {

struct InstantLog;
class Sink;

struct RunControl {
    const std::atomic<bool>* interrupt = nullptr;   // set it to end the run early (exit code 130)
    std::function<void(double fraction)> progress;  // called now and then
    bool own_samples =
        false;  // numeric impulses: trace the samples themselves; the record must be one island's
    InstantLog* log = nullptr;             // symbolic impulses: told how instants are solved
    double until = HUGE_VAL;               // the run may end once this time is passed
    std::optional<unsigned> threads = {};  // instead of those that the model asks for; without either one
    bool last_values = false;              // Trace::last is wanted
    // Told every so many seconds where the run stands, and once more where it is interrupted.
    std::function<void(std::vector<std::byte> state)> checkpoint = {};
    double checkpoint_seconds = 60;
    std::span<const std::byte> resume = {};  // such a state: the run goes on from there
    // Steps of all islands together; with more the run ends as if interrupted. The same everywhere, unlike
    // time.
    std::uint64_t most_steps = std::numeric_limits<std::uint64_t>::max();
};

// Simulates. Errors of the model (singular loop at the start, ...) throw ModelError; errors of the
// run come back in Trace::errors beside what was simulated until then.
Trace simulate(const FlatModel& model, const RunControl& control = {});
// The same, told as it happens; nothing is kept that was handed on.
void run(const FlatModel& model, Sink& sink, const RunControl& control = {});

// Causality of a bond graph in one mode.
struct ModeReport {
    std::string mode;                                            // "touch = apart"
    std::vector<std::string> independent;                        // storages in integral causality
    std::vector<std::pair<std::string, std::string>> dependent;  // and the others, with what settles them
    std::vector<std::vector<std::string>> loops;                 // algebraic loops, by signal
    std::vector<std::string> leaking;  // signals that equal leaks settle: the mode itself leaves them open
    std::string conflict;              // instead: why it has no causality
};

// What `check` reports.
struct CheckReport {
    std::uint64_t blocks = 0, links = 0, primitives = 0, islands = 0, states = 0;
    std::vector<std::vector<std::string>> loops;               // algebraic loops, by block name
    std::vector<std::pair<std::string, std::string>> signals;  // recorded signal -> regularity
    std::vector<ModeReport> modes;                             // of a bond graph: all of them if they are few
    std::uint64_t mode_count = 0;
    std::vector<Diagnostic> warnings;
};
CheckReport check(const FlatModel& model);

}  // namespace deltaflow
