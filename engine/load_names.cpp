// What may be a name, and what may be a formula.
#include "blocks/function_table.hpp"
#include "engine/load_declarations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace deltaflow::front {
namespace {

bool is_taken(std::string_view name) {
    return name == "t" || name == "pi" || name == "and" || name == "or" || name == "not" ||
           find_function(name);
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_identifier(std::string_view name) {
    const auto fits = [](char c) { return is_letter(c) || is_digit(c); };
    return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), fits);
}

}  // namespace

bool check_identifier(std::string_view name, const Place& place, std::string_view what, Report& report) {
    if (is_identifier(name)) return true;
    report.add(place, fmt::format("\"{}\" cannot be the name of {}: letters, digits and _ make a name, "
                                  "and no digit begins it",
                                  name, what));
    return false;
}

bool check_name(std::string_view name, const Place& place, std::string_view what, Report& report) {
    if (!check_identifier(name, place, what, report)) return false;
    if (!is_taken(name)) return true;
    report.add(place,
               fmt::format("\"{}\" cannot be the name of {}: it means something in expressions", name, what));
    return false;
}

Formula read_formula(const Value& value, std::string_view wanted, Report& report) {
    if (value.is_number()) {
        if (std::isfinite(value.real)) return {&value, {}};
        report.add(value.place, "a finite number is wanted here");
        return {};
    }
    if (value.kind != Value::Kind::string) {
        report.add(value.place, fmt::format("{} is wanted here, not {}", wanted, kind_name(value)));
        return {};
    }
    try {
        return {&value, parse_expression(value.text)};
    } catch (const ExpressionError& e) {
        report.add(value, e);
        return {};
    }
}

}  // namespace deltaflow::front
