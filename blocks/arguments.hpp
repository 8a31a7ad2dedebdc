// Arguments of a block, checked: each of these throws ArgumentError.
#pragma once

#include "blocks/catalogue.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace deltaflow {

using Refs = std::vector<Ref>;

inline Ref input(const Arguments& a, std::size_t port = 0) { return a.inputs[port].front(); }

// A finite number, as a double or exactly.
double finite(const Arguments& a, std::string_view name);
Number finite_number(const Arguments& a, std::string_view name);
std::vector<Number> finite_numbers(const Arguments& a, std::string_view name);
std::vector<double> doubles(const std::vector<Number>& numbers);

Rational positive(const Arguments& a, std::string_view name);
std::optional<Rational> positive_if_given(const Arguments& a, std::string_view name);
int whole_between(const Arguments& a, std::string_view name, int low, int high);
std::string choice(const Arguments& a, std::string_view name);

// `message` about one of the arguments unless `holds`.
void require(bool holds, std::string_view name, const std::string& message);

}  // namespace deltaflow
