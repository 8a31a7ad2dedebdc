// A flat diagram: primitive blocks, each with one output, and what they are called.
#pragma once

#include "signal/rational.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace deltaflow {

// The blocks that everything is lowered to; kernels.hpp holds their rules.
enum class Primitive : std::uint8_t {
    constant,    //                       [value]
    time,        //
    sine,        //                       [amplitude, omega, phase]: amplitude sin(omega t + phase)
    polynomial,  //                       [c0, c1, ...] of t
    schedule,    //                       extra: index of a Schedule
    affine,      // u1 ... un             [c0, c1, ..., cn]: c0 + sum ci ui
    product,     // u v
    inverse,     // u
    exp,         // u
    log,         // u
    sqrt,        // u
    sin,         // u, cos(u)             the partner is read below the rung that is asked for
    cos,         // u, sin(u)
    tan,         // u, 1 + tan(u)^2
    asin,        // u, sqrt(1 - u^2)
    atan,        // u, 1 + u^2
    sinh,        // u, cosh(u)
    cosh,        // u, sinh(u)
    tanh,        // u, 1 - tanh(u)^2
    power,       // u                     [exponent]: for exponents that are not whole numbers
    atan2,       // y, x, x^2 + y^2       [side]: +1 on and above the cut, -1 below it
    integrator,  // u                     [initial]
                 // u, trigger, to        [initial, side]: where the trigger strikes it becomes `to`, as that
                 // is
                 //                       before (-1) or after (+1)
    derivative,  // u
    delay,       // u                     [by, initial]
    piecewise,   // u                     [m, x1..xm, then m+1 times (y, slope, x)]: y + slope (u - x)
    floor,       // u                     the greatest whole number that is not greater
    decision,    // if, then, else
    sign,        // u                     -1, 0 or 1
    hysteresis,  // u                     [low, high, initial]
    crossing,    // u                     [direction]: -1 falling, +1 rising, 0 both
               //                       [direction, kind]: a trigger, an infinitesimal after u went from below
               //                       zero to zero or above, or back; and where u has an impulse: with it
               //                       (1), or an infinitesimal later, too (2)
    pre,         // u
    hold,        // u                     [initial], extra: index of a Clock
    unit_delay,  // u                     [initial], extra: index of a Clock
    assertion,   // u                     extra: index of a message; its output is u
                 //                       [1]: where it fails the run ends, and that is no error
    strength,    // u                     the coefficient of delta on u at an instant, 0 in flow: for guards
    free,        //                       a signal of a bond graph, until a mode defines it
    held,        // c, itself             [order, threshold, scale]: what keeps c at the threshold, in sliding
};
inline constexpr int primitive_count = static_cast<int>(Primitive::held) + 1;

using NodeId = std::uint32_t;
inline constexpr NodeId no_node = std::numeric_limits<NodeId>::max();

// One primitive block; the node's index is the name of its output.
struct Node {
    Primitive op;
    std::uint32_t first_input = 0, input_count = 0;
    std::uint32_t first_parameter = 0, parameter_count = 0;
    std::uint32_t extra = 0;

    bool is_trigger() const { return op == Primitive::crossing && parameter_count > 1; }
    bool ends_run() const { return op == Primitive::assertion && parameter_count > 0; }
    bool is_reset() const { return op == Primitive::integrator && input_count > 1; }
};

// From t on (t' >= t) a scheduled source is value + slope (t' - t); at t it carries the impulses.
struct Breakpoint {
    Rational t;
    double value = 0, slope = 0;
    std::vector<double> impulses;  // [i] is the coefficient of the i-th derivative of delta
};

// Values of a schedule that look random, and are the same on every machine: uniform in [-size, size].
struct Noise {
    std::uint64_t seed = 0;
    double size = 1;
    double value(std::uint64_t n) const;  // of period n
};

// A piecewise linear source: `before` until the first point. With a period the whole list comes
// again at t + n period, n = 1, 2, ... Points are sorted by t and fit into one period.
struct Schedule {
    double before = 0;
    std::vector<Breakpoint> points;
    std::optional<Rational> period;
    // From outside come other values, and impulses with so many rungs, at times that nobody knows before.
    int fed = 0;
    bool set = false;                 // its value is what automata set it to ...
    bool timer = false;               // ... or the time since a transition has been due
    std::optional<Noise> noise = {};  // instead of the value of its one point, in each period another one
};

// Ticks at phase + n period, n = 0, 1, ...
struct Clock {
    Rational period{1}, phase{0};
};

// Where something stands in a model file. Lines and columns count from 1; line 0 is "nowhere".
struct Place {
    std::uint32_t file = 0, line = 0, column = 0, length = 1;
};

// Gives nodes their names and places; the front end knows how.
struct Naming {
    virtual ~Naming() = default;
    virtual std::string name(NodeId node) const = 0;  // the block that a user wrote, "many[3].x"
    virtual Place place(NodeId node) const = 0;       // where she wrote it
};

struct Diagram {
    std::vector<Node> nodes;
    std::vector<NodeId> inputs;
    std::vector<double> parameters;
    std::vector<Schedule> schedules;
    std::vector<Clock> clocks;
    std::vector<std::string> messages;
    std::vector<std::pair<NodeId, double>> guesses;  // where Newton starts, if the user said so

    std::span<const NodeId> inputs_of(NodeId n) const {
        return {inputs.data() + nodes[n].first_input, nodes[n].input_count};
    }
    std::span<const double> parameters_of(NodeId n) const {
        return {parameters.data() + nodes[n].first_parameter, nodes[n].parameter_count};
    }
};

}  // namespace deltaflow
