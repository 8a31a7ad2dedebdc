// Values as they would stand under [elements] and [automata], made of those of a two-pole.
#pragma once

#include "engine/front/read/network.hpp"

namespace deltaflow::front {

Value string_value(std::string text, const Place& place);
// { type = "..." }
Value typed_table(std::string_view type, const Place& place);
void put(Value& table, std::string_view key, Value value);
Value without(const Value& table, std::string_view key);

// A number or an expression, in brackets if need be.
std::string text_of(const Value* value, std::string_view fallback);
// a - b, where nothing is zero.
std::string difference_of(const std::string& a, const std::string& b);

Expression named(std::string text);
Expression operation(std::string_view text, Expression a);
Expression operation(std::string_view text, Expression a, Expression b);

// What it becomes: MR, or R where the value is a number.
std::string_view element_type(const PoleDraft& draft);
// The keys that the element has, too.
void forward(const PoleDraft& draft, Value& element);
// What follows from several keys; `apart`: the distance of the points at the start, first minus second.
void work_out(const PoleDraft& draft, const std::string& apart, Value& element);

// The automaton of a switch that a signal closes.
Value gate(const Value& closed, const Place& place);

}  // namespace deltaflow::front
