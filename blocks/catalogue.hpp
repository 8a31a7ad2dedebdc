// The catalogue of block types: one entry says all there is to say of a block.
#pragma once

#include "blocks/builder.hpp"
#include "blocks/condition.hpp"
#include "blocks/json_text.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace deltaflow {

// What a parameter may be in a model file.
enum class ParameterKind : std::uint8_t {
    number,   // a number, or a string with an expression of parameters
    numbers,  // a list of numbers
    matrix,   // a list of rows (a single number or row is accepted)
    choice,   // one of a few words
    text,     // any string
    label,    // a name, or a whole number
    file,     // a path, relative to the model file
    train,    // a list of tables {at, size, order}
};

struct Parameter {
    std::string_view name;
    ParameterKind kind = ParameterKind::number;
    std::string_view fallback{};  // as text; empty: no default
    bool required = true;         // with no default: must it be given?
    std::string_view about{};
    std::vector<std::string_view> choices{};
};

struct Port {
    std::string_view name;
    bool many = false;  // in = ["a", "-b"]
    int at_least = 1;   // 0: it need not be given
    bool condition =
        false;  // a comparison, and, or, not: where it is true; any other signal: where it is >= 0
};

// An example that is also a test: the block between sources, looked at t = 1. Inputs are expressions of
// t, H (a unit step at 1), d, d1, d2 (delta and its derivatives at 1). `out` is "left | right + impulses".
struct Example {
    std::vector<std::string_view> in{};
    std::string_view parameters{};  // as TOML: "k = 3"
    std::string_view out{};
    std::string_view fails{};  // instead of out: a part of the error message
};

// One train entry of an impulse block.
struct TrainEntry {
    Number at, size;
    int order = 0;
};

// An argument as the loader read it.
struct Argument {
    std::string_view name;                     // of the parameter, as in the catalogue
    std::vector<std::vector<Number>> numbers;  // number: [0][0]; numbers: [0]; matrix: rows
    std::string text;                          // choice, text, file (resolved path)
    std::vector<TrainEntry> train;
};

// What an entry throws when its arguments make no sense together: the loader adds the place.
struct ArgumentError : std::runtime_error {
    ArgumentError(std::string_view parameter_, const std::string& message)
        : std::runtime_error(message), parameter(parameter_) {}
    std::string parameter;  // which one to point at; empty: the whole block
};

// An ArgumentError about a file that is not there or cannot be read.
struct UnreadableFile : ArgumentError {
    using ArgumentError::ArgumentError;
};

struct Arguments {
    std::vector<std::vector<Ref>> inputs;  // in the order of BlockType::inputs; none of a condition
    std::vector<Condition> conditions;     // likewise, of those that are conditions
    std::vector<Argument> parameters;      // those given, and those with a default

    const Argument* find(std::string_view name) const;
    Number number(std::string_view name) const;  // the loader made sure it is there
    std::vector<Number> numbers(std::string_view name) const;
    bool has(std::string_view name) const { return find(name) != nullptr; }
};

struct BlockType {
    std::string_view type;
    std::string_view group;  // sources, arithmetic, functions, dynamics, decisions, discrete
    std::string_view about;  // one line
    std::string_view rule;   // the formula on rungs, with its number in the paper
    std::vector<Port> inputs{};
    std::vector<Parameter> parameters{};
    std::vector<Example> examples{};
    // Gives the outputs: one, or several for state_space. Throws ArgumentError.
    std::vector<Ref> (*lower)(const Arguments&, Builder&) = nullptr;
    // No primitives alone: its output and its input are a pair, and what they are is a matter of modes.
    bool pairs = false;
};

// All block types, in the order in which they are printed.
std::span<const BlockType> catalogue();
const BlockType* find_block_type(std::string_view type);

// What `deltaflow blocks`, `deltaflow blocks NAME` and `deltaflow blocks --schema` print.
std::string describe_catalogue();
std::string describe_block_type(const BlockType& type);
// The same as Markdown: a section a type, and a list of links to them.
std::string catalogue_markdown();
std::string markdown_contents();
// An example as it stands in a model file: { type = "gain", in = "2*d", k = 3 }
std::string example_block(const BlockType& type, const Example& example);
// A JSON schema of model files; `graph` defines their tables elements, bonds and automata.
std::string catalogue_schema(const json_text::Members& graph);
// A heading in a column of its own, the lines beside it, as descriptions have them.
std::string described(std::string_view heading, const std::vector<std::string>& lines);

}  // namespace deltaflow
