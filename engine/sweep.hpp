// Many runs of one model over ranges of its parameters, side by side.
#pragma once

#include "engine/front/load.hpp"
#include "engine/measure.hpp"
#include "engine/simulate.hpp"

#include <optional>
#include <string>
#include <vector>

namespace deltaflow {

// A parameter, or simulation.KEY, and the values it takes, as LoadOptions::set has them.
struct SweepAxis {
    // How values are drawn by chance: a mean and a deviation, or two ends.
    struct Draw {
        enum class Kind : std::uint8_t { normal, uniform } kind;
        double first, second;
    };
    std::string name;
    std::vector<std::string> values;
    std::optional<Draw> draw;  // such axes are not combined with each other: a run has one draw of each
};

// So many values by chance. Each depends on seed, name and number alone, not on what else there is.
std::vector<std::string> drawn_values(const std::string& name, const SweepAxis::Draw& draw, std::size_t runs,
                                      std::uint64_t seed);
// Runs that a sweep over these axes has.
double combinations(const std::vector<SweepAxis>& axes);

struct SweepRow {
    std::vector<std::string> values;            // one an axis
    std::vector<std::optional<double>> finals;  // one a signal; none: this run does not have it
    std::vector<std::optional<double>> measures;
    std::uint64_t events = 0;
    double end_t = 0;
    EndReason end_reason = EndReason::stop;
    std::vector<RunError> errors;  // of the model or of the run
};

struct Sweep {
    std::string model;
    std::vector<std::string> parameters, signals;  // of all runs
    std::vector<std::string> measures;             // "max(y)"
    std::vector<bool> drawn;                       // per parameter: by chance
    std::vector<SweepRow> rows;                    // the last axis runs fastest
};

struct SweepControl {
    const std::atomic<bool>* interrupt = nullptr;   // set it to end early; runs not begun have no row
    std::function<void(double fraction)> progress;  // called from one thread at a time
    unsigned jobs = 0;                              // runs at a time; 0: as many as there are processors
    std::vector<Measure> measures = {};
};

// Reads the files once and runs the model at every combination of values. Final values are those at the end
// of the run; where it ended early, those that it had got to, after its last whole step or event. Throws
// ModelError if no run can be loaded at all.
Sweep sweep(const ModelFiles& files, const LoadOptions& load, const std::vector<SweepAxis>& axes,
            const SweepControl& control = {});
Sweep sweep(const std::string& path, const LoadOptions& load, const std::vector<SweepAxis>& axes,
            const SweepControl& control = {});

}  // namespace deltaflow
