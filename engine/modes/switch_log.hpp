// The transitions of the instant at hand and what their guards read, for messages about cycles of modes.
#pragma once

#include "bonds/graph.hpp"

#include <string>
#include <vector>

namespace deltaflow {

// What a comparison looks at, left side minus right side.
struct GuardReading {
    double value = 0;
    int impulse = -1;  // it is the coefficient of this derivative of delta; -1: a plain value
};

class SwitchLog {
public:
    void clear() {
        taken_.clear();
        readings_.clear();
    }
    bool empty() const { return taken_.empty(); }
    void begin_round() { ++round_; }  // transitions of one round are taken together
    template <class Read>
    void note(std::size_t automaton, const bonds::Transition& t, const Read& read) {
        taken_.push_back({round_, automaton, &t, readings_.size()});
        note_readings(t.when, read);
    }
    // Those that led from a mode back to it.
    std::vector<std::string> back_to(const bonds::Graph& graph, const bonds::Mode& mode) const;

private:
    struct Taken {
        std::uint32_t round;
        std::size_t automaton;
        const bonds::Transition* transition;
        std::size_t first_reading;
    };
    template <class Read>
    void note_readings(const bonds::Guard& guard, const Read& read) {
        if (guard.kind == bonds::Guard::Kind::compare) readings_.push_back(read(guard.difference));
        for (const bonds::Guard& part : guard.parts) note_readings(part, read);
    }
    std::string describe(const bonds::Graph& graph, std::size_t i) const;

    std::vector<Taken> taken_;
    std::vector<GuardReading> readings_;
    std::uint32_t round_ = 0;
};

}  // namespace deltaflow
