// Expressions and fragments as text, for tests.
#pragma once

#include "blocks/builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace deltaflow::testing {

// (+ a (* b c)), sin(x)
inline std::string tree(const Expression& e) {
    std::string arguments;
    const bool call = e.kind == Expression::Kind::call;
    for (const Expression& argument : e.arguments)
        arguments += (call && arguments.empty() ? "" : call ? ", " : " ") + tree(argument);
    if (call) return fmt::format("{}({})", e.text, arguments);
    return e.arguments.empty() ? e.text : fmt::format("({}{})", e.text, arguments);
}

inline std::string tree(std::string_view text) { return tree(parse_expression(text)); }

// Signals x, y, z, force, v are ports 0, 1, ...; k = 2, c = 3, m = 4, third = 1/3 are parameters.
inline const std::vector<std::string> port_names{"x", "y", "z", "force", "v", "many[3].x"};

inline Meaning meaning(const Expression& name) {
    const auto port = std::find(port_names.begin(), port_names.end(), name.text);
    if (port != port_names.end())
        return Ref{Ref::Kind::port, static_cast<std::uint32_t>(port - port_names.begin())};
    if (name.text == "k") return number_from_double(2);
    if (name.text == "c") return number_from_double(3);
    if (name.text == "m") return number_from_double(4);
    if (name.text == "third") return number_from_text("1/3");
    throw ExpressionError(name.offset, name.length, fmt::format("there is no \"{}\"", name.text));
}

inline Number evaluate(std::string_view text) { return evaluate_expression(parse_expression(text), meaning); }

inline std::string_view primitive_name(Primitive op) {
    constexpr std::string_view names[] = {
        "constant",  "time",    "sine",       "polynomial", "schedule",   "affine",
        "product",   "inverse", "exp",        "log",        "sqrt",       "sin",
        "cos",       "tan",     "asin",       "atan",       "sinh",       "cosh",
        "tanh",      "power",   "atan2",      "integrator", "derivative", "delay",
        "piecewise", "floor",   "decision",   "sign",       "hysteresis", "crossing",
        "pre",       "hold",    "unit_delay", "assertion",  "strength",   "free"};
    return names[static_cast<std::size_t>(op)];
}

// What a signal is: x, 5, (1 + 2 x - 3 y), [x * y], sin(x). Partners are left out; loops end in "...".
class Printer {
public:
    explicit Printer(const Fragment& f) : f_(f) {}

    std::string text(Ref r, int depth = 0) const {
        if (r.kind == Ref::Kind::port) return port_names[r.index];
        if (depth > 8) return "...";
        const Node& node = f_.nodes[r.index];
        if (node.op == Primitive::constant) return fmt::format("{}", parameter(node, 0));
        if (node.op == Primitive::time) return "t";
        if (node.op == Primitive::affine) return affine(node, depth);
        if (node.op == Primitive::product)
            return fmt::format("[{} * {}]", input(node, 0, depth), input(node, 1, depth));
        return call(node, depth);
    }

private:
    double parameter(const Node& node, std::size_t i) const {
        return f_.parameters[node.first_parameter + i];
    }

    std::string input(const Node& node, std::size_t i, int depth) const {
        return text(f_.inputs[node.first_input + i], depth + 1);
    }

    std::string affine(const Node& node, int depth) const {
        std::string sum = parameter(node, 0) != 0 ? fmt::format("{}", parameter(node, 0)) : "";
        for (std::size_t i = 0; i < node.input_count; ++i) {
            const double k = parameter(node, i + 1);
            const std::string sign = k < 0 ? (sum.empty() ? "-" : " - ") : (sum.empty() ? "" : " + ");
            const std::string size = std::abs(k) == 1 ? "" : fmt::format("{} ", std::abs(k));
            sum += sign + size + input(node, i, depth);
        }
        return "(" + sum + ")";
    }

    std::string call(const Node& node, int depth) const {
        const bool all = node.op == Primitive::decision;
        const std::size_t count = all ? 3 : node.op == Primitive::atan2 ? 2 : std::min(node.input_count, 1u);
        std::string arguments;
        for (std::size_t i = 0; i < count; ++i) arguments += (i ? ", " : "") + input(node, i, depth);
        const bool shown = node.parameter_count > 0 && node.op != Primitive::piecewise;
        for (std::size_t i = 0; shown && i < node.parameter_count; ++i)
            arguments += fmt::format("{}{}", i ? ", " : "; ", parameter(node, i));
        return fmt::format("{}({})", primitive_name(node.op), arguments);
    }

    const Fragment& f_;
};

struct Lowered {
    Fragment fragment;
    Ref y;
    std::string text() const { return Printer(fragment).text(y); }
    std::size_t count() const { return fragment.nodes.size(); }
};

inline Lowered lower(std::string_view text) {
    Lowered result;
    Builder builder(result.fragment);
    result.y = lower_expression(parse_expression(text), meaning, builder);
    return result;
}

}  // namespace deltaflow::testing
