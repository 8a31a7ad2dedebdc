#include "engine/front/read/network_values.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::front {

Value string_value(std::string text, const Place& place) {
    Value value;
    value.kind = Value::Kind::string;
    value.place = place;
    value.text = std::move(text);
    return value;
}

Value typed_table(std::string_view type, const Place& place) {
    Value value;
    value.place = place;
    put(value, "type", string_value(std::string(type), place));
    return value;
}

void put(Value& table, std::string_view key, Value value) {
    const Place place = value.place;
    table.entries.push_back({std::string(key), place, std::move(value)});
}

Value without(const Value& table, std::string_view key) {
    Value copy = table;
    const auto is_key = [&](const Entry& entry) { return entry.key == key; };
    copy.entries.erase(std::remove_if(copy.entries.begin(), copy.entries.end(), is_key), copy.entries.end());
    return copy;
}

std::string text_of(const Value* value, std::string_view fallback) {
    if (!value) return std::string(fallback);
    std::string text = value->text;
    if (value->kind == Value::Kind::integer) text = fmt::format("{}", value->integer);
    if (value->kind == Value::Kind::real) text = fmt::format("{}", value->real);
    const auto is_plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
               c == '.';
    };
    return std::all_of(text.begin(), text.end(), is_plain) ? text : fmt::format("({})", text);
}

std::string difference_of(const std::string& a, const std::string& b) {
    return b.empty() ? a : fmt::format("{} - {}", a, b);
}

Expression named(std::string text) {
    Expression e;
    e.kind = Expression::Kind::name;
    e.text = std::move(text);
    return e;
}

Expression operation(std::string_view text, Expression a) {
    Expression e;
    e.kind = Expression::Kind::operation;
    e.text = text;
    e.arguments.push_back(std::move(a));
    return e;
}

Expression operation(std::string_view text, Expression a, Expression b) {
    Expression e = operation(text, std::move(a));
    e.arguments.push_back(std::move(b));
    return e;
}

std::string_view element_type(const PoleDraft& draft) {
    const std::string_view type = draft.type->element;
    const Value* value = draft.find("value");
    return type[0] == 'M' && value && value->is_number() ? type.substr(1) : type;
}

void forward(const PoleDraft& draft, Value& element) {
    for (const auto& entry : draft.entry->value.entries)
        for (const auto& [key, becomes] : draft.type->parameters)
            if (key.name == entry.key && !becomes.empty())
                element.entries.push_back({std::string(becomes), entry.place, entry.value});
}

namespace {

// key = text, where the pole gives `with`.
void put_if(const PoleDraft& draft, std::string_view with, std::string_view key, const std::string& text,
            Value& element) {
    if (const Value* given = draft.find(with)) put(element, key, string_value(text, given->place));
}

// A length has no direction: who is ahead at the start stays ahead.
std::string elongation(const PoleDraft& draft, const std::string& apart) {
    const std::string length = text_of(draft.find("length"), "");
    if (length.empty()) return apart;
    if (apart.empty()) return "-" + length;
    return fmt::format("{0} - {1} + if({0}, 0, 2*max({1}, 0))", apart, length);
}

}  // namespace

void work_out(const PoleDraft& draft, const std::string& apart, Value& element) {
    const std::string_view type = draft.type->type;
    const Place& place = draft.entry->place;
    const std::string value = text_of(draft.find("value"), "");
    if (type == "current") put_if(draft, "value", "flow", "-" + value, element);
    if (type == "capacitor")
        put_if(draft, "initial", "displacement", text_of(draft.find("initial"), "") + "*" + value, element);
    if (type == "inductor")
        put_if(draft, "initial", "momentum", text_of(draft.find("initial"), "") + "*" + value, element);
    if (type == "mass")
        put_if(draft, "velocity", "momentum", text_of(draft.find("velocity"), "") + "*" + value, element);
    if (type == "spring") {
        put_if(draft, "value", "value", "1/" + value, element);
        const std::string length = elongation(draft, apart);
        if (!length.empty()) put(element, "displacement", string_value(length, place));
    }
    if (type == "contact") {
        const std::string gap = difference_of(apart, text_of(draft.find("size"), ""));
        put(element, "gap", string_value(gap.empty() ? "0" : gap, place));
    }
    if (type == "stop" && !apart.empty()) put(element, "displacement", string_value(apart, place));
    if (draft.find("closed")) put(element, "automaton", string_value(std::string(draft.name()), place));
}

Value gate(const Value& closed, const Place& place) {
    Value automaton, states;
    automaton.place = states.place = place;
    for (const char* word : {"off", "on"}) put(states, word, string_value(word, place));
    Value transitions;
    transitions.kind = Value::Kind::array;
    transitions.place = place;
    for (const bool on : {true, false}) {
        Value transition;
        transition.place = closed.place;
        put(transition, "from", string_value(on ? "off" : "on", place));
        put(transition, "to", string_value(on ? "on" : "off", place));
        const std::string when = fmt::format("{} {} 0.5", text_of(&closed, ""), on ? ">=" : "<");
        put(transition, "when", string_value(when, closed.place));
        transitions.items.push_back(std::move(transition));
    }
    put(automaton, "initial", string_value("off", place));
    put(automaton, "states", std::move(states));
    put(automaton, "transitions", std::move(transitions));
    return automaton;
}

}  // namespace deltaflow::front
