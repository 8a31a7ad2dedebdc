// A hybrid bond graph after flattening: elements, bonds and automata over the nodes of one flat diagram.
//
// Every signal of the graph is a node of the diagram whose primitive is `free` until a mode defines it
// (lower.hpp). Modes differ in those definitions and in nothing else: nodes keep their numbers and names.
#pragma once

#include "blocks/diagram.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace deltaflow::bonds {

enum class Type : std::uint8_t { R, C, I, Se, Sf, TF, GY, zero, one, Sw, D, contact, friction, stop };

// What causality has to know of a kind: what it is among the others, and whether it would rather compute the
// effort. A source always does, a storage if it can, a junction on all of its bonds but one.
enum class Role : std::uint8_t { resistor, storage, source, two_port, junction, switching, ideal };
struct Family {
    Role role;
    bool effort;
};
constexpr Family family_of(Type type) {
    switch (type) {
        case Type::R:
            return {Role::resistor, true};
        case Type::C:
            return {Role::storage, true};
        case Type::I:
            return {Role::storage, false};
        case Type::Se:
            return {Role::source, true};
        case Type::Sf:
            return {Role::source, false};
        case Type::TF:
        case Type::GY:
            return {Role::two_port, false};
        case Type::zero:
            return {Role::junction, true};
        case Type::one:
            return {Role::junction, false};
        case Type::Sw:
            return {Role::switching, false};
        case Type::D:
        case Type::contact:
        case Type::friction:
        case Type::stop:
            break;
    }
    return {Role::ideal, false};
}

// What an inactive controlled junction imposes on all of its bonds: no effort or no flow (002: X/E, X/F).
enum class Off : std::uint8_t { effort, flow };

// What an ideal element imposes in a state of its automaton: an effort or a flow, this signal or nothing.
struct Imposed {
    bool effort = false;
    NodeId signal = no_node;
};

// Where a contact or stop closes: the room before it, and the displacement at which there is none.
struct Side {
    std::uint32_t open = 0, closed = 0;  // states
    NodeId room = no_node;
    double at = 0;
};

struct Element {
    Type type;
    std::string name;  // as in model files, "ball[3].body"
    Place place;
    // R, C, I, TF, GY, Se, Sf: a number, or for modulated elements the node that gives it.
    double value = 0;
    NodeId parameter = no_node;
    NodeId inverse = no_node;  // 1 / parameter, for modulated R, TF and GY
    // Nonlinear R: e = law(f), C: e = law(q), I: f = law(p); the node reads flow, displacement or momentum.
    NodeId law = no_node;
    bool law_of_effort = false;  // R: f = law(e) instead
    // Both as they were written, for people: "m1", "e * pre(v1.flow)"; empty: the value.
    std::string parameter_text = {}, law_text = {};
    // Its own signals (free nodes). Junctions: `effort` of a 0, `flow` of a 1. TF, GY and Sw have no own ones
    // but Sw, which has both.
    NodeId effort = no_node, flow = no_node;
    // Of a 1-junction in a graph with modulated transformers: the rate of its flow, where that is a state of
    // its own (causality.hpp). Of a contact: the rate of its gap.
    NodeId rate = no_node;
    // Storages only. One of the first two is the state (C: displacement, I: momentum).
    NodeId momentum = no_node, displacement = no_node, energy = no_node;
    double initial_momentum = 0, initial_displacement = 0;
    // Controlled junctions and switches, ideal elements.
    int automaton = -1;
    Off off = Off::effort;
    // Ideal elements only: their laws, per state. `displacement` is what they measure, the gap of a contact
    // or the displacement of a stop.
    std::vector<Imposed> imposed = {};
    std::vector<Side> sides = {};
    NodeId on = no_node, gap = no_node;  // signals, for readers
    // Where the mode contradicts itself: what its other variable is, times the infinitesimal leak.
    NodeId excess = no_node;

    bool is_storage() const { return family_of(type).role == Role::storage; }
    bool is_junction() const { return family_of(type).role == Role::junction; }
    bool is_source() const { return family_of(type).role == Role::source; }
    bool is_ideal() const { return family_of(type).role == Role::ideal; }
    bool is_two_port() const { return family_of(type).role == Role::two_port; }
    bool is_resistor() const { return family_of(type).role == Role::resistor; }
    bool prefers_effort() const { return family_of(type).effort; }
};

template <class Visit>
void for_each_node(Element& e, const Visit& visit) {
    for (NodeId* node : {&e.parameter, &e.inverse, &e.law, &e.effort, &e.flow, &e.rate, &e.momentum,
                         &e.displacement, &e.energy, &e.on, &e.gap, &e.excess})
        if (*node != no_node) visit(*node);
    for (Imposed& imposed : e.imposed)
        if (imposed.signal != no_node) visit(imposed.signal);
    for (Side& side : e.sides) visit(side.room);
}

// "from -> to": positive power flows along the half arrow.
struct Bond {
    std::string name;
    Place place;
    std::uint32_t from = 0, to = 0;  // elements
    NodeId effort = no_node, flow = no_node, power = no_node;
};

template <class Visit>
void for_each_node(Bond& b, const Visit& visit) {
    for (NodeId* node : {&b.effort, &b.flow, &b.power})
        if (*node != no_node) visit(*node);
}

// A guard: comparisons joined by and, or, not. A comparison is about the sign of `difference`, a node of the
// diagram (left side minus right side).
struct Guard {
    enum class Kind : std::uint8_t { always, never, compare, all, any, none } kind = Kind::never;
    enum class Relation : std::uint8_t {
        less,
        less_equal,
        greater,
        greater_equal,
        equal,
        unequal
    } relation = Relation::greater;
    NodeId difference = no_node;
    // Of an ideal element: where this is not zero the difference is infinite, with its sign times that of
    // `towards`.
    NodeId excess = no_node;
    int towards = 1;
    bool by_value = false;     // impulses and value count, and nothing above
    std::vector<Guard> parts;  // of all (and), any (or), none (not)
    std::string text;          // as it was written, for messages
};

template <class Visit>
void for_each_node(Guard& guard, const Visit& visit) {
    for (NodeId* node : {&guard.difference, &guard.excess})
        if (*node != no_node) visit(*node);
    for (Guard& part : guard.parts) for_each_node(part, visit);
}

// What a transition makes of a value of its automaton: `to`, as that was before.
struct Setting {
    NodeId value = no_node, to = no_node;
};

struct Transition {
    std::uint32_t from = 0, to = 0;
    Guard when;
    Place place;
    // So long after its state was entered; `timer` is the time since then, a schedule, and part of the guard.
    std::optional<Rational> after = {};
    NodeId timer = no_node;
    bool once = false;  // no other transition of the automaton at the same time
    std::vector<Setting> set = {};
};

struct Automaton {
    std::string name;
    Place place;
    std::vector<std::string> states;
    std::vector<std::uint8_t> on;  // per state: are its junctions on?
    std::vector<NodeId> signals;   // per state: 1 while the automaton is in it, else 0 (free nodes)
    std::uint32_t initial = 0;
    std::vector<Transition> transitions;  // in the order of the file
    std::vector<NodeId> values = {};      // schedules that transitions set
    // Of an ideal element: its state is no choice of the modeller, it follows from the network.
    bool ideal = false;
    std::vector<std::uint8_t> passing = {};  // per state, if ideal: it lasts no time, an impact

    // Of a block `complement`: 0 <= w, 0 <= z, one of them zero (complement.hpp).
    NodeId w = no_node, z = no_node;
    std::vector<NodeId> levels = {};  // w and its derivatives, while w is kept at zero

    bool is_pair() const { return z != no_node; }
    bool passes(std::uint32_t state) const { return ideal && passing[state] != 0; }
    bool looks_alike(std::uint32_t a, std::uint32_t b) const { return a == b || states[a] == states[b]; }
};

template <class Visit>
void for_each_node(Automaton& a, const Visit& visit) {
    for (NodeId& node : a.signals) visit(node);
    for (NodeId& node : a.values) visit(node);
    for (NodeId& node : a.levels) visit(node);
    for (NodeId* node : {&a.w, &a.z})
        if (*node != no_node) visit(*node);
    for (Transition& transition : a.transitions) {
        for_each_node(transition.when, visit);
        if (transition.timer != no_node) visit(transition.timer);
        for (Setting& setting : transition.set) {
            visit(setting.value);
            visit(setting.to);
        }
    }
}

struct Graph {
    std::vector<Element> elements;
    std::vector<Bond> bonds;
    std::vector<Automaton> automata;
    NodeId total_energy = no_node;  // free
    bool empty() const { return elements.empty(); }
};

// The state of each automaton.
using Mode = std::vector<std::uint32_t>;
inline Mode initial_mode(const Graph& g) {
    Mode mode;
    for (const Automaton& a : g.automata) mode.push_back(a.initial);
    return mode;
}

}  // namespace deltaflow::bonds
