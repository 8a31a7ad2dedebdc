// Indices that are expressions: stage[i + 1].out
#pragma once

#include "engine/front/flatten/templates.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace deltaflow::front {

// Where one line stands for many, i counts them from 0. Names of the model come first: one that has an i of
// its own keeps it.
inline constexpr std::string_view index_name = "i";
Number number_of_index(std::uint64_t i);

// Does a name have an index that is not a mere number?
bool has_open_index(std::string_view name);

// The name with all indices as numbers. Throws ExpressionError (offsets count from the start of the name).
std::string close_indices(std::string_view name, std::optional<std::uint64_t> i,
                          const Environment& environment, Report& report);

// Does an expression speak of all of an array: many[*].x?
bool mentions_all(const Expression& e);
// sum(many[*].x) as sum(many[0].x, many[1].x, ...); likewise product, min and max. Throws ExpressionError.
Expression spread(const Expression& e, const Template& shape);

// Does an expression speak of i, itself or in an index?
bool mentions_index(const Expression& e);

}  // namespace deltaflow::front
