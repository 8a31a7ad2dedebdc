// A compiled island: its diagram, its programs and the lists of what needs care.
#pragma once

#include "engine/compile/analysis.hpp"
#include "engine/compile/discrete.hpp"
#include "engine/compile/instant_program.hpp"
#include "engine/compile/islands.hpp"
#include "engine/compile/program.hpp"
#include "engine/model/model.hpp"

#include <vector>

namespace deltaflow {

// A condition on a signal: c = node - threshold.
enum class Watching : std::uint8_t {
    branch,     // leaving the sign ends the flow
    reach,      // reaching zero ends it (hysteresis)
    crossing,   // passing zero in the block's direction ends it
    assertion,  // falling below zero is an error
    singular,   // reaching zero is an error: pole or branch point
};

// A surface that a system slides along, and the block that is held there.
struct HeldSurface {
    Held held;
    NodeId block, condition;
    double threshold;
    NodeId weight;  // of the upper side, between 0 and 1
    bool leads;     // others have the same condition, and the same weight
};

struct System {
    Diagram d;
    std::vector<NodeId> origin;  // node -> node of the whole diagram
    std::vector<Reading> regularity;
    std::vector<std::int16_t> degree;

    Program series;           // states, conditions and delay inputs, as Taylor series
    Program germ;             // all that an instant looks at
    Program whole;            // that, and all that the states depend on: for analysis
    Program derivative;       // inputs of the integrators, values only
    Program output;           // recorded signals, values only
    Program conditions;       // conditions and delay inputs, values only
    Program confirmation;     // integrands, conditions and loops, values only: what a series must fulfil
    int order = 0;            // of the Taylor series
    bool polynomial = false;  // the series end by themselves

    std::vector<NodeId> states;
    std::vector<std::uint32_t> families;  // per state, those of one array and name; empty: each by itself
    std::vector<NodeId> branchers, crossings, assertions, singular, delays, schedules,
        sampled;                     // sampled: hold, unit_delay
    std::vector<NodeId> controlled;  // take part in step control
    using Output = CutIsland::Output;
    std::vector<Output> outputs;
    std::vector<NodeId> named;         // signals that are not recorded and may jump: that is an event, too
    std::vector<NodeId> unread;        // those of them that nothing reads: they are always active
    bool has_instants = false;         // anything at all can happen after the start
    std::vector<HeldSurface> held;     // where it slides ...
    const System* released = nullptr;  // ... and the same system where nothing is held

    // Bond graphs: one system for each mode, all with the same numbering.
    bonds::Mode mode;
    bool plain = false;                   // pre(x) is x
    std::vector<Regularity> at_most;      // what changes of mode do to signals; empty: no modes
    std::vector<NodeId> free_nodes;       // signals of the graph
    std::vector<NodeId> guards;           // differences that guards compare with zero
    std::vector<NodeId> guard_branchers;  // branches that nothing but guards reads
    std::vector<std::uint8_t> dependent;  // per element: a storage in derivative causality
    std::vector<NodeId> leading;          // flows of junctions that are states
    // Ideal elements whose leaks would be infinite if these were not zero: then the mode contradicts itself.
    std::vector<std::uint32_t> contradicting;
    bool keeps_ledger = false;
    std::vector<NodeId> ports;                       // efforts and flows whose work the ledger counts
    std::vector<std::uint32_t> controlled_elements;  // junctions and switches with an automaton
    std::vector<NodeId> impulsive_ports;             // their efforts and flows: impulses are wanted
    Program ledger;                                  // `ports`, values only
    bool has_modes() const { return !at_most.empty(); }
};

// One without modes. Throws ModelError for loops of derivatives.
System compile_island(const FlatModel& model, const Settings& settings, CutIsland island);

// Cuts a model without modes into islands and compiles each. Throws ModelError for loops of derivatives,
// derivatives of pre, ...
std::vector<System> compile_model(const FlatModel& model, const Settings& settings);
inline std::vector<System> compile_model(const FlatModel& model) {
    return compile_model(model, model.settings);
}

// Analyses and compiles a system whose diagram, outputs and guards are there. Throws EndlessDemand.
void compile_system(System& s, const Settings& settings);

// The same for a part of a system that is there for instants only: its germ.
void compile_part(System& s);

// Blocks with poles or branch points.
bool is_singular(Primitive op);

// A derivative of pre would lose the jump: a ModelError.
void refuse_derivative_of_pre(const FlatModel& model, std::span<const System> systems);

// A loop of derivatives without an integrator, as ModelError.
[[noreturn]] void fail_endless(const FlatModel& model, const System& s, const EndlessDemand& e);

// Errors of a pass over the flat diagram, as ModelError (code 3).
[[noreturn]] void fail_model(const FlatModel& model,
                             const std::vector<std::pair<NodeId, std::string>>& errors);

}  // namespace deltaflow
