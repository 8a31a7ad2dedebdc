// Symbolic against numeric impulses: the same model both ways, one signal, several steps.
#pragma once

#include "deltaflow/trace.hpp"
#include "engine/model/model.hpp"
#include "engine/simulate.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace deltaflow {

struct ComparisonRow {
    double step = 0;
    Riemann riemann = Riemann::right;
    double max_error = 0;  // against the symbolic run, outside the samples that an impulse occupies; NaN: no
                           // sample is left
    double delay = 0;      // the shift in time that fits the symbolic run best
    double late = 0;       // the most that a jump of the signal comes after that of the symbolic run
    std::size_t samples = 0, left_out = 0;  // compared with each other, and of them without a say
    double max_magnitude = 0;               // of the numeric signal, impulses and all
    double estimate = 0;  // of that magnitude: D C(m, floor(m/2)) / h^(m+1), (003:39) corrected
    double numeric_seconds = 0, symbolic_seconds = 0;  // of computing, per simulated second
    std::string trouble;                               // why the numeric run ended early, if it did
};

struct Comparison {
    std::string model, signal;
    int signal_order = -1;   // highest derivative of delta on the signal; -1: no impulse
    int highest_order = -1;  // on any signal that this one depends on
    double size = 0;         // the largest value of the symbolic signal, without impulses
    std::vector<ComparisonRow> rows;
    Trace symbolic;                // of the signal
    std::vector<Trace> numeric;    // of the signal, at the first step: one trace a sum
    std::vector<RunError> errors;  // of the symbolic run
    bool right_only = false;       // the left sum has no meaning: modes change
    bool interrupted = false;
    std::vector<std::string> others;  // recorded, and not compared
};

// How the symbolic run that is shown is run: somebody may want to look.
using Runner = std::function<Trace(const FlatModel&)>;

// Compares on `one`, the model that records that signal and nothing else; `all` is the same model with what
// it usually records, for its cost. Throws ModelError.
Comparison compare(const FlatModel& all, const FlatModel& one, std::span<const Rational> steps,
                   const Runner& run_symbolic = {}, const RunControl& control = {});

// The first recorded signal that impulses reach: by the paths of the diagram, or, in a bond graph, by what
// jumps with them in a run. Without such a signal the first; nothing if none is recorded. Throws ModelError.
std::string signal_to_compare(const FlatModel& all, const RunControl& control = {});

}  // namespace deltaflow
