// TOML text to a document; the only reader of toml++.
#include "engine/load_document.hpp"
#include "engine/toml.hpp"

#include <algorithm>
#include <tuple>

namespace deltaflow::front {
namespace {

Place place_of(const toml::source_region& region, std::uint32_t file) {
    Place place{file, region.begin.line, region.begin.column, 1};
    if (region.end.line == region.begin.line && region.end.column > region.begin.column)
        place.length = region.end.column - region.begin.column;
    return place;
}

Value convert(const toml::node& node, std::uint32_t file);

void convert_scalar(const toml::node& node, Value& value) {
    if (const auto* text = node.as_string()) {
        value.kind = Value::Kind::string;
        value.text = text->get();
    } else if (const auto* integer = node.as_integer()) {
        value.kind = Value::Kind::integer;
        value.integer = integer->get();
        value.real = static_cast<double>(value.integer);
    } else if (const auto* real = node.as_floating_point()) {
        value.kind = Value::Kind::real;
        value.real = real->get();
    } else {
        value.kind = node.is_boolean() ? Value::Kind::boolean : Value::Kind::date;
    }
}

void convert_array(const toml::array& array, Value& value) {
    value.kind = Value::Kind::array;
    value.items.reserve(array.size());
    for (const auto& item : array) value.items.push_back(convert(item, value.place.file));
}

// toml++ keeps its tables in alphabetical order; ours follow the file.
void convert_table(const toml::table& table, Value& value) {
    value.kind = Value::Kind::table;
    const std::uint32_t file = value.place.file;
    std::vector<std::pair<const toml::key*, const toml::node*>> order;
    order.reserve(table.size());
    for (const auto& [key, item] : table) order.emplace_back(&key, &item);
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
        const auto& p = a.first->source().begin;
        const auto& q = b.first->source().begin;
        return std::tie(p.line, p.column) < std::tie(q.line, q.column);
    });
    value.entries.reserve(order.size());
    for (const auto& [key, item] : order)
        value.entries.push_back(
            {std::string(key->str()), place_of(key->source(), file), convert(*item, file)});
}

Value convert(const toml::node& node, std::uint32_t file) {
    Value value;
    value.place = place_of(node.source(), file);
    if (const auto* table = node.as_table())
        convert_table(*table, value);
    else if (const auto* array = node.as_array())
        convert_array(*array, value);
    else
        convert_scalar(node, value);
    return value;
}

// "Error while parsing array: encountered end-of-file" -> "array: encountered end-of-file"
std::string shorten(std::string_view description) {
    constexpr std::string_view lead = "Error while parsing ";
    if (description.substr(0, lead.size()) == lead) description.remove_prefix(lead.size());
    return "this is no TOML: " + std::string(description);
}

}  // namespace

std::optional<Value> parse_document(std::string_view text, std::uint32_t file, Diagnostic& error) {
    try {
        return convert(toml::parse(text), file);
    } catch (const toml::parse_error& e) {
        error = {place_of(e.source(), file), shorten(e.description()), {}};
        return std::nullopt;
    }
}

}  // namespace deltaflow::front
