// What automata remember beside their states: since when they are in them, and which guards have to wait.
#pragma once

#include "bonds/graph.hpp"
#include "engine/model/archive.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace deltaflow {

struct AutomataMemory {
    // Per automaton; nothing where no transition has a timer, sets a value or happens once at a time.
    std::vector<Rational> entered;    // since when, exactly: timers that follow each other do not drift
    std::vector<std::uint8_t> fresh;  // entered at this instant
    std::vector<double> alone;        // when it took a transition that allows no other at the same time
    std::vector<std::vector<std::uint8_t>> held_back;  // per transition: it waits until its guard is false

    bool empty() const { return entered.empty(); }
    void begin(const bonds::Graph& graph, const Rational& start);
    bool allows(std::size_t automaton, std::size_t transition, double t) const {
        return empty() || (alone[automaton] != t && !held_back[automaton][transition]);
    }
    // `near`: so much earlier or later is the same time.
    void enter(std::size_t automaton, const bonds::Transition& by, double t, double near);
    Rational due(std::size_t automaton, const bonds::Transition& timed) const {
        return entered[automaton] + *timed.after;
    }
    // At the end of an instant. `holds`: does a guard hold now?
    template <class Holds>
    void settle(const bonds::Graph& graph, const bonds::Mode& mode, double t, const Holds& holds) {
        for (std::size_t a = 0; a < held_back.size(); ++a) {
            const auto& transitions = graph.automata[a].transitions;
            for (std::size_t k = 0; k < transitions.size(); ++k) {
                const bool waits = (alone[a] == t || held_back[a][k]) && transitions[k].from == mode[a];
                held_back[a][k] = waits && holds(transitions[k].when);
            }
        }
    }

    void archive(Archive& a);
};

}  // namespace deltaflow
