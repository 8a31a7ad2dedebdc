// Many runs of one model over ranges of its parameters, side by side.
#pragma once

#include "engine/front/load.hpp"
#include "engine/measure.hpp"
#include "engine/simulate.hpp"
#include "engine/study/points.hpp"
#include "engine/study/to_do.hpp"

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace deltaflow {

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

// One run that has come to its end, whichever.
struct SweptRun {
    SweepRow row;
    std::string model;
    std::vector<std::string> signals;  // of row.finals
    bool loaded = true;                // there was a model at this point
};

struct SweepControl {
    const std::atomic<bool>* interrupt = nullptr;   // set it to end early; runs not begun have no row
    std::function<void(double fraction)> progress;  // called from one thread at a time
    unsigned jobs = 0;                              // runs at a time; 0: as many as there are processors
    std::vector<Measure> measures = {};
};

// Told of each run as it ends.
using TakeRun = std::function<void(std::size_t index, SweptRun run)>;

class Ensemble;

// Runs a model at points of a study; threads may share it. What it is made of must stay.
class Sweeper {
public:
    Sweeper(const ModelFiles& files, const LoadOptions& load, const Points& points,
            const SweepControl& control)
        : files_(files), load_(load), points_(points), control_(control) {}

    // Final values are those at the end of the run; where it ended early, those that it had got to, after its
    // last whole step or event.
    SweptRun run(std::size_t index) const;
    // Several at once: where they differ in numbers alone they are compiled once. Each thread has an ensemble
    // of its own. What was not begun when it was interrupted is not told of.
    void run(std::span<const std::size_t> indices, Ensemble& ensemble, const TakeRun& take) const;
    // The model at a point. Throws ModelError if there is none.
    FlatModel model(std::size_t index) const { return model_at(index).model; }
    const Points& points() const { return points_; }
    const SweepControl& control() const { return control_; }
    bool is_interrupted() const {
        return control_.interrupt && control_.interrupt->load(std::memory_order_relaxed);
    }

private:
    struct Measured {
        FlatModel model;
        std::size_t recorded;  // signals that are asked for; the others are there for measures
    };
    Measured model_at(std::size_t index) const;

    const ModelFiles& files_;
    const LoadOptions& load_;
    const Points& points_;
    const SweepControl& control_;
};

// Runs what there is to do; `take` is told in any order, one at a time.
void run_points(const Sweeper& sweeper, ToDo& to_do, const TakeRun& take);

// Puts rows together, in the order of their numbers.
class SweepRows {
public:
    explicit SweepRows(const Sweeper& sweeper);
    void take(std::size_t index, SweptRun run) { runs_.insert_or_assign(index, std::move(run)); }
    // A column for each signal that a run has. Throws ModelError if no run could be loaded at all.
    Sweep result() &&;

private:
    const Sweeper& sweeper_;
    std::map<std::size_t, SweptRun> runs_;
};

// Reads the files once and runs the model at every combination of values. Throws ModelError if no run can be
// loaded at all.
Sweep sweep(const ModelFiles& files, const LoadOptions& load, const Points& points,
            const SweepControl& control = {});

}  // namespace deltaflow
