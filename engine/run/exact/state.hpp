// Where an island in exact numbers stands: everything that its future depends on, and the system that runs.
#pragma once

#include "blocks/fraction_book.hpp"
#include "engine/modes/memory.hpp"
#include "engine/modes/modes.hpp"
#include "engine/run/agenda.hpp"
#include "engine/solve/exact/history.hpp"
#include "engine/solve/exact/instant.hpp"

#include <map>
#include <memory>

namespace deltaflow::closed_form {

// A condition that the flow must watch: node - threshold.
struct ExactWatch {
    NodeId node, owner;
    Quadratic threshold;
    Watching kind;
    int direction = 0;
};

struct ExactState {
    Quadratic t, stop;
    Integer root = 0;                       // the d of the square root in use
    std::vector<Quadratic> states, stored;  // per node
    ExactDiscrete now, after;               // in force; being tried
    ExactDiscrete arrived;                  // what an instant begins with, in every mode
    bool starting = false;                  // before the start some signals have values of their own
    bool terminated = false;
    bonds::Mode mode, after_mode;  // committed; being tried
    AutomataMemory memory;
    std::vector<Quadratic> entered;  // per automaton: since when
    std::map<NodeId, int> crossing_sign;
    std::vector<NodeId> fired, pending;   // crossings
    std::vector<std::uint8_t> active;     // per node; empty: all
    std::vector<std::uint8_t> ticking;    // per node: samples at this instant
    std::vector<ScheduleCursor> cursors;  // per schedule
    std::vector<Integer> next_tick;       // per clock
    std::map<NodeId, ExactHistory> histories;
    struct Due {
        Quadratic t;
        NodeId node;
    };
    std::vector<Due> agenda;
    std::vector<ExactWatch> watches;

    double time() const { return to_double(t); }
    bool is_active(NodeId n) const { return active.empty() || active[n]; }
};

// The system of the mode, how an instant is solved in it, and the germs of its signals.
struct ExactRunning {
    const FractionBook& book;
    ModeSystems* modes;  // only with a bond graph
    const ExactSystem* x = nullptr;
    std::unique_ptr<ExactInstant> solver = {};
    Side left = {}, right = {};

    const System& system() const { return *x->s; }
    const Diagram& diagram() const { return x->s->d; }
    NodeId input(NodeId n) const { return x->s->d.inputs_of(n)[0]; }
    // Rung 0 of a germ, to be set.
    static Quadratic& value_of(Side& side, NodeId n) {
        auto& row = side.rungs[n];
        if (row.empty()) row.resize(1);
        return row[0];
    }
};

}  // namespace deltaflow::closed_form
