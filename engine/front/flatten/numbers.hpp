// Numbers of a model: parameters and the expressions of them.
#pragma once

#include "engine/front/flatten/templates.hpp"

namespace deltaflow::front {

// Looks a parameter up, from the inside out; nothing if there is none of that name. Throws Reported for
// one that could not be evaluated.
std::optional<Number> find_parameter(const Environment& environment, std::string_view name);

// Parameters that can be seen from a diagram, for "did you mean".
void append_parameter_names(const Environment& environment, std::vector<std::string_view>& names);

// The value of a formula of parameters, and of i where it counts. Reports errors and throws Reported.
Number evaluate(const Formula& formula, const Environment& environment, Report& report,
                std::optional<std::uint64_t> i = {});
// The same for a value that is read here; `wanted` says what it should have been.
Number evaluate(const Value& value, std::string_view wanted, const Environment& environment, Report& report);

// A whole number, 1 or more. Reports errors and throws Reported.
std::uint64_t read_count(const Value& count, const Environment& environment, Report& report);

// A parameter with a value of its own instead of the default.
struct Override {
    std::uint32_t parameter;
    std::optional<Number> value;  // nothing: it could not be evaluated
};

// Evaluates all parameters of a diagram: they may use each other in any order, and those further out.
Environment evaluate_parameters(const DiagramDeclaration& diagram, const Environment* outer,
                                const std::vector<Override>& overrides, Report& report,
                                const Replacements& replaced = {});

}  // namespace deltaflow::front
