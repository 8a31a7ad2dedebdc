// Many runs of one model over ranges of its parameters, side by side.
#pragma once

#include "engine/front/load.hpp"
#include "engine/simulate.hpp"

#include <optional>
#include <string>
#include <vector>

namespace deltaflow {

// A parameter, or simulation.KEY, and the values it takes, as LoadOptions::set has them.
struct SweepAxis {
    std::string name;
    std::vector<std::string> values;
};

struct SweepRow {
    std::vector<std::string> values;            // one an axis
    std::vector<std::optional<double>> finals;  // one a signal; none: this run does not have it
    std::uint64_t events = 0;
    double end_t = 0;
    EndReason end_reason = EndReason::stop;
    std::vector<RunError> errors;  // of the model or of the run
};

struct Sweep {
    std::string model;
    std::vector<std::string> parameters, signals;  // of all runs
    std::vector<SweepRow> rows;                    // the last axis runs fastest
};

struct SweepControl {
    const std::atomic<bool>* interrupt = nullptr;   // set it to end early; runs not begun have no row
    std::function<void(double fraction)> progress;  // called from one thread at a time
    unsigned jobs = 0;                              // runs at a time; 0: as many as there are processors
};

// Reads the files once and runs the model at every combination of values. Final values are those at the end
// of the run; where it ended early, those that it had got to, after its last whole step or event. Throws
// ModelError if no run can be loaded at all.
Sweep sweep(const ModelFiles& files, const LoadOptions& load, const std::vector<SweepAxis>& axes,
            const SweepControl& control = {});
Sweep sweep(const std::string& path, const LoadOptions& load, const std::vector<SweepAxis>& axes,
            const SweepControl& control = {});

}  // namespace deltaflow
