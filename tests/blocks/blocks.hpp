// Blocks of the catalogue with their arguments, as a model file would give them.
#pragma once

#include "blocks/catalogue.hpp"
#include "tests/blocks/formulas.hpp"

#include <string>
#include <vector>

namespace deltaflow::testing {

using Row = std::vector<double>;

inline std::vector<Number> numbers(const Row& row) {
    std::vector<Number> list;
    for (const double x : row) list.push_back(number_from_double(x));
    return list;
}

inline Argument matrix(std::string_view name, const std::vector<Row>& rows) {
    Argument a{name, {}, "", {}};
    for (const Row& row : rows) a.numbers.push_back(numbers(row));
    return a;
}

inline Argument list(std::string_view name, const Row& row) { return matrix(name, {row}); }
inline Argument number(std::string_view name, double x) { return matrix(name, {{x}}); }
inline Argument exact_number(std::string_view name, std::string_view text) {
    return {name, {{evaluate(text)}}, "", {}};
}
inline Argument word(std::string_view name, const std::string& text) { return {name, {}, text, {}}; }
inline Argument train(std::vector<TrainEntry> entries) { return {"train", {}, "", std::move(entries)}; }

inline Argument fallback(const Parameter& p) {
    if (p.kind == ParameterKind::number) return {p.name, {{number_from_text(p.fallback)}}, "", {}};
    return word(p.name, std::string(p.fallback));
}

struct Block {
    Fragment fragment;
    std::vector<Ref> outputs;
    std::string text(std::size_t i = 0) const { return Printer(fragment).text(outputs[i]); }
    const Schedule& schedule() const { return fragment.schedules.at(0); }
    // The parameters of the node that is the output.
    Row parameters() const {
        const Node& n = fragment.nodes[outputs[0].index];
        const auto first = fragment.parameters.begin() + n.first_parameter;
        return {first, first + n.parameter_count};
    }
    std::size_t count(Primitive op) const {
        const auto& nodes = fragment.nodes;
        return static_cast<std::size_t>(
            std::count_if(nodes.begin(), nodes.end(), [op](const Node& n) { return n.op == op; }));
    }
};

// Every port reads x, y, z ...; ports that take lists get `inputs` of them.
inline Block make_block(std::string_view name, std::vector<Argument> given, std::uint32_t inputs = 1) {
    const BlockType* type = find_block_type(name);
    if (!type) throw std::out_of_range(std::string(name));
    Arguments arguments;
    std::uint32_t next = 0;
    for (const Port& port : type->inputs) {
        arguments.inputs.emplace_back();
        arguments.conditions.emplace_back();
        if (port.condition)
            arguments.conditions.back() = {
                .kind = Condition::Kind::least, .signal = {Ref::Kind::port, next++}, .plain = true};
        for (std::uint32_t i = 0; !port.condition && i < (port.many ? inputs : 1); ++i)
            arguments.inputs.back().push_back({Ref::Kind::port, next++});
    }
    arguments.parameters = std::move(given);
    for (const Parameter& p : type->parameters)
        if (!arguments.has(p.name) && !p.fallback.empty()) arguments.parameters.push_back(fallback(p));
    Block block;
    Builder builder(block.fragment);
    block.outputs = type->lower(arguments, builder);
    return block;
}

// "parameter: message" of the ArgumentError
inline std::string argument_error(std::string_view name, std::vector<Argument> given,
                                  std::uint32_t inputs = 1) {
    try {
        make_block(name, std::move(given), inputs);
    } catch (const ArgumentError& e) {
        return e.parameter + ": " + e.what();
    }
    return "no error";
}

}  // namespace deltaflow::testing
