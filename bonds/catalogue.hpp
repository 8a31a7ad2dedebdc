// The catalogue of elements: one entry says all there is to say of a type of element.
#pragma once

#include "bonds/graph.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace deltaflow::bonds {

// The signals that elements and bonds may have.
enum class Signal : std::uint8_t { effort, flow, momentum, displacement, energy, power, on, gap };
std::string_view name_of(Signal signal);
// Those that no state of an automaton may be called like.
std::span<const std::string_view> signal_names();

// What may be written to a parameter.
enum class Takes : std::uint8_t {
    number,     // or an expression of parameters
    signal,     // an expression of signals
    law,        // an expression of the type's own variable, instead of the first parameter
    automaton,  // the name of one
    off,        // "effort" or "flow"
};

struct ElementParameter {
    std::string_view name;
    Takes takes = Takes::number;
    std::string_view fallback{};  // as text; empty: no default
    bool required = true;         // with no default: must it be given?
    std::string_view about{};
    int dimensions = 0;  // of the array that a field has instead of the number: 1 or 2
};

// How many bonds an element takes.
enum class Joins : std::uint8_t {
    one,
    in_and_out,
    some,
    one_or_two,  // or one in and one out, between two junctions of one kind
};

struct ElementType {
    std::string_view type;  // as in model files
    Type kind;
    std::string_view about;  // one line
    std::string_view rule;   // the constitutive relation, with its section in paper 002
    Joins joins = Joins::one;
    std::vector<ElementParameter> parameters{};  // the first is the number of the rule, but of ideal elements
    std::vector<Signal> signals{};
    std::string_view variable{};   // of its law
    std::string_view modulated{};  // the type whose first parameter is a signal
    std::string_view example{};    // of a model file
};

// All types, in the order in which they are printed.
std::span<const ElementType> elements();
const ElementType* find_element_type(std::string_view type);

// The signals of every bond.
std::span<const Signal> bond_signals();

// What `deltaflow blocks` prints of elements, all or one, and its JSON schema of model files.
std::string describe_elements();
std::string describe_element_type(const ElementType& type);
std::string model_schema();
// Blocks and elements as a page of the manual, in Markdown.
std::string manual_page();

}  // namespace deltaflow::bonds
