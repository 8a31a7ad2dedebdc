// How a block type or an expression is lowered: it asks a builder for primitive blocks.
#pragma once

#include "blocks/diagram.hpp"
#include "blocks/expression.hpp"
#include "blocks/number.hpp"

#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace deltaflow {

// A signal while a diagram is being built: a node, an input port of the diagram, or a name that is
// not resolved yet (`slot`: definitions may come in any order).
struct Ref {
    enum class Kind : std::uint8_t { node, port, slot } kind = Kind::node;
    std::uint32_t index = 0;
    friend bool operator==(const Ref&, const Ref&) = default;
};

// A piece of flat diagram with inputs still open. Node inputs are Refs; everything else is final.
struct Fragment {
    std::vector<Node> nodes;
    std::vector<Ref> inputs;
    std::vector<double> parameters;
    std::vector<Schedule> schedules;
    std::vector<Clock> clocks;
    std::vector<std::string> messages;
    std::vector<std::pair<NodeId, double>> guesses;
};

class Builder {
public:
    explicit Builder(Fragment& fragment) : fragment_(fragment) {}

    Ref node(Primitive op, std::vector<Ref> inputs, std::vector<double> parameters = {},
             std::uint32_t extra = 0);
    Ref constant(double value);
    // c0 + sum ci ui; flattens constants and affine inputs that were made here and have no other reader
    // is left to lower_expression; this one just emits.
    Ref affine(double c0, const std::vector<std::pair<double, Ref>>& terms);
    Ref schedule(Schedule s);
    std::uint32_t clock(Clock c);
    std::uint32_t message(std::string text);
    // Sets input j of a node made earlier: partners such as sin and cos read each other.
    void set_input(Ref node, std::size_t j, Ref input);

    Fragment& fragment() { return fragment_; }

private:
    Fragment& fragment_;
};

// What names mean inside an expression. `find` gives a signal, a number, or throws ExpressionError
// (with the nearest known name) for an unknown one.
using Meaning = std::variant<Ref, Number>;
using Scope = std::function<Meaning(const Expression& name)>;

// Lowers an expression of signals; throws ExpressionError. A lone name gives that signal itself.
Ref lower_expression(const Expression& e, const Scope& scope, Builder& builder);

struct Condition;  // condition.hpp
// An expression that is read as a condition: a comparison, and, or, not; or any other, where it is >= 0.
Condition lower_condition(const Expression& e, const Scope& scope, Builder& builder);

// left - right, for the comparisons of guards: they know a function more, impulse(x).
Ref lower_difference(const Expression& left, const Expression& right, const Scope& scope, Builder& builder);

// Evaluates an expression of parameters alone; throws ExpressionError where it meets a signal.
Number evaluate_expression(const Expression& e, const Scope& scope);

}  // namespace deltaflow
