// A compiled system with its numbers as fractions, and the germs of its signals in exact numbers.
#pragma once

#include "blocks/fraction_book.hpp"
#include "engine/compile/system.hpp"
#include "engine/model/run_failure.hpp"
#include "engine/solve/exact/polynomial.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace deltaflow::closed_form {

// Why a signal is not known; it counts only where the signal is needed.
using Reason = std::shared_ptr<const RunFailure>;

// The current piece of a scheduled source: value + slope (t - since).
struct Line {
    Quadratic value, slope, since;
};

struct Point {
    Rational t;
    Quadratic value, slope;
    std::vector<Quadratic> impulses;
};
struct ExactSchedule {
    Quadratic before;
    std::vector<Point> points;
};

struct ExactSystem {
    ExactSystem(const System& system, const FractionBook& book);

    const System* s;
    std::vector<std::uint8_t> wanted;                // per node: what is recorded or checked depends on it
    std::vector<std::vector<Quadratic>> parameters;  // per node
    std::vector<ExactSchedule> schedules;            // as in s->d
    std::vector<Reason> refused;  // per node: has no closed form, or a number that is no fraction
    InstantProgram instant;
    // Of the lists of the system, what is wanted.
    std::vector<NodeId> states, branchers, crossings, assertions, singular, delays, schedule_nodes, sampled;

private:
    void mark_wanted();
    void take_parameters(const FractionBook& book);
    void take_schedules(const FractionBook& book);
    void refuse(NodeId n, std::string what, std::string advice);
};

// What is frozen while time flows.
struct ExactDiscrete {
    std::vector<std::int32_t> branch;  // per node
    std::vector<Quadratic> held;       // per node
    std::vector<Line> pieces;          // per schedule
    std::vector<Held> slides;          // in the order of surfaces
    friend bool operator==(const ExactDiscrete& a, const ExactDiscrete& b) {
        return a.branch == b.branch && a.slides == b.slides;
    }
};

// One side of the germ of every signal: Taylor rungs, as far as they were asked for.
struct Side {
    const ExactSystem* system = nullptr;
    std::vector<std::vector<Quadratic>> rungs;  // per node
    std::vector<Reason> unknown;                // per node
    int stage = 0;                              // the last that was computed
    bool complete = false;                      // the rungs end by themselves: they are polynomials
    Reason why_not;                             // else

    // Rung k of a node; zero beyond the last. Throws its reason where it is not known.
    const Quadratic& at(NodeId n, int k) const;
};

}  // namespace deltaflow::closed_form
