#include "blocks/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace deltaflow {

namespace {

void require_finite(const Number& n, std::string_view name) {
    require(std::isfinite(n.value), name, fmt::format("{} has to be a finite number", name));
}

}  // namespace

const Argument* Arguments::find(std::string_view name) const {
    const auto found =
        std::find_if(parameters.begin(), parameters.end(), [&](const Argument& a) { return a.name == name; });
    return found == parameters.end() ? nullptr : &*found;
}

Number Arguments::number(std::string_view name) const {
    const Argument* argument = find(name);
    assert(argument && !argument->numbers.empty() && !argument->numbers.front().empty());
    return argument->numbers.front().front();
}

std::vector<Number> Arguments::numbers(std::string_view name) const {
    const Argument* argument = find(name);
    assert(argument);
    return argument->numbers.empty() ? std::vector<Number>{} : argument->numbers.front();
}

void require(bool holds, std::string_view name, const std::string& message) {
    if (!holds) throw ArgumentError(name, message);
}

Number finite_number(const Arguments& a, std::string_view name) {
    Number n = a.number(name);
    require_finite(n, name);
    return n;
}

double finite(const Arguments& a, std::string_view name) { return finite_number(a, name).value; }

std::vector<Number> finite_numbers(const Arguments& a, std::string_view name) {
    std::vector<Number> list = a.numbers(name);
    for (const Number& n : list) require_finite(n, name);
    return list;
}

std::vector<double> doubles(const std::vector<Number>& numbers) {
    std::vector<double> values;
    for (const Number& n : numbers) values.push_back(n.value);
    return values;
}

Rational positive(const Arguments& a, std::string_view name) {
    const Number n = finite_number(a, name);
    require(sign(n) > 0 && n.value > 0, name, fmt::format("{} has to be greater than 0", name));
    return n.rational();
}

std::optional<Rational> positive_if_given(const Arguments& a, std::string_view name) {
    if (!a.has(name)) return {};
    return positive(a, name);
}

int whole_between(const Arguments& a, std::string_view name, int low, int high) {
    const auto n = whole(finite_number(a, name));
    require(n && *n >= low && *n <= high, name,
            fmt::format("{} has to be a whole number from {} to {}", name, low, high));
    return *n;
}

std::string choice(const Arguments& a, std::string_view name) {
    const Argument* argument = a.find(name);
    return argument ? argument->text : "";
}

}  // namespace deltaflow
