// One instant as the solver worked it: every block's numbers, in the order in which they were found.
#pragma once

#include "engine/compile/instant_program.hpp"
#include "engine/model/model.hpp"

#include <optional>
#include <string>
#include <vector>

namespace deltaflow {

// A primitive block at one solve. Rungs are Taylor coefficients u^(k)/k!, as many as were looked at.
struct WorkedBlock {
    NodeId node = no_node;  // of the whole diagram
    Primitive op = Primitive::constant;
    std::string name;                   // of its signal; of a part of a block: of the block
    bool named = true;                  // no part
    std::vector<std::string> also;      // further names under which it is recorded
    std::vector<std::uint32_t> inputs;  // in WorkedSolve::blocks; a part's inputs are all there
    std::vector<double> parameters;
    std::vector<double> left, right, impulses;  // impulses[i]: of delta^(i), no trailing zeros
    bool jumps = false;                         // left and right value differ by more than rounding
    double after = 0;                           // the value that the trace has: behind pre(...) the next one
    bool changes = false;                       // and it differs from the left value
    bool of_graph = false;                      // a signal of a bond graph
    bool of_bond = false;                       // and of no element
    bool solved = false;                        // a step of the solve computes it
    bool acts = false;      // a crossing that fires, a clock that ticks, a source or delay that is due
    bool recorded = false;  // the model records it
    bool shown = false;     // the instant does something to it; others are there because they are read
    int branch_before = 0, branch = 0;
    std::vector<double> roots;  // thresholds that it was located on: there it is zero by definition
};

struct WorkedStep {
    std::uint32_t block;  // in WorkedSolve::blocks
    RungKind kind;
    std::uint8_t order;
    std::int32_t loop = -1;  // steps of one loop stand side by side
};

// A comparison in a guard: the rung that decided it (-1 - i: the coefficient of delta^(i)), or zero for good.
struct WorkedComparison {
    std::string text;
    bool holds = false;
    int order = 0;
    double value = 0;
    bool located = false;  // on this root the flow ended
};

// A transition that fired, on the left germ or on the solved values.
struct WorkedSwitch {
    std::string automaton, from, to, when;
    std::vector<WorkedComparison> comparisons;
    bool exchanged = false;  // of an ideal element, whose state what was solved with it contradicts
};

struct WorkedStorage {
    std::string name;
    bool inertia = false;    // the state is a momentum, else a displacement
    bool dependent = false;  // in derivative causality
    double before = 0, after = 0, energy_before = 0, energy_after = 0;
};

// A block that is held between its two sides, or that takes one of them here.
struct WorkedSlide {
    std::string block;
    std::uint32_t condition = 0;  // in WorkedSolve::blocks
    double threshold = 0;
    int order = 0;  // of the derivative of the condition that is held at zero
    bool before = false, after = false;
    double value = 0;  // that the block gives
};

struct WorkedJunction {
    std::string name;
    bool on = false;
};

struct WorkedSolve {
    std::uint32_t epsilon = 0, index = 0;
    bool committed = false;
    bool complete = true;  // the solve came to its end
    std::vector<std::string> causes;
    std::vector<std::pair<std::string, std::string>> mode;  // automaton, state
    std::vector<WorkedSwitch> because;                      // guards that led here
    std::vector<WorkedSwitch> left_by;                      // guards that hold on what came out
    std::vector<WorkedSwitch> then;                         // behind an impulse, within the same event
    std::vector<WorkedBlock> blocks;
    std::vector<WorkedStep> steps;
    std::vector<std::uint8_t> loop_is_linear;
    std::uint64_t left_out = 0;  // signals that nothing happens to
    std::vector<WorkedSlide> slides;
    std::vector<WorkedJunction> junctions;
    std::vector<WorkedStorage> storages;
    bool has_energy = false;
    double stored_before = 0, stored_after = 0, supplied = 0;
    std::vector<std::pair<std::string, double>> dissipated;
};

// What ended the run at the instant.
struct WorkedFailure {
    ErrorKind kind = ErrorKind::model;
    std::string what, advice, block;
    std::int32_t at = -1;  // the block, in the last solve
};

// All solves of one island at one time.
struct WorkedInstant {
    double t = 0;
    bool at_start = false;
    std::vector<WorkedSolve> solves;
    std::optional<WorkedFailure> failure;
};

// Islands write here what they do at instants.
struct InstantLog {
    const FlatModel& model;
    double from = 1, to = 0;         // these times are worked in full
    bool all = false;                // with every block of the instant
    std::vector<double> times = {};  // of all instants at which something happens
    std::vector<WorkedInstant> worked = {};
    std::vector<WorkedSwitch> switched = {};  // transitions on the way to the next solve
    bool wants(double t) const { return from <= t && t <= to; }
};

}  // namespace deltaflow
