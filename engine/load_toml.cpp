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

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

// The message without "Error while parsing array: ", on one line.
std::string plain(std::string_view description) {
    const std::size_t lead =
        contains(description, "Error while parsing") ? description.find(": ") : std::string_view::npos;
    std::string text(lead == std::string_view::npos ? description : description.substr(lead + 2));
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20) c = ' ';
    const std::size_t newline = text.find("'\\n'");
    return newline == std::string::npos ? text : text.replace(newline, 4, "the end of the line");
}

// What toml++ says of the commonest mistakes, in the words of this program.
std::string explain(std::string_view description) {
    if (contains(description, "cannot redefine existing")) return "this name is defined twice";
    if (contains(description, "control characters")) return "this string has no closing quote on its line";
    for (const char* word : {"expected 'inf'", "expected 'nan'", "expected 'true'", "expected 'false'"})
        if (contains(description, word)) return "this is no value; an expression stands in quotes";
    if (contains(description, "could not determine value type"))
        return "this is no value; a number, a \"string\", a [list] or a {table} belongs here";
    if (contains(description, "end-of-file")) return "the file ends too early: something is not closed";
    return "this is no TOML: " + plain(description);
}

std::string_view line_at(std::string_view text, std::uint32_t line) {
    std::size_t begin = 0;
    for (std::uint32_t i = 1; i < line; ++i) begin = text.find('\n', begin) + 1;
    return text.substr(begin, text.find('\n', begin) - begin);
}

// The column of the first letter of a line.
std::uint32_t indent(std::string_view line) {
    return static_cast<std::uint32_t>(std::min(line.find_first_not_of(" \t\r"), line.size())) + 1;
}

// toml++ notices a second definition only behind it: a key at its value, some headers on a later line.
Place refine(std::string_view description, Place place, std::string_view text) {
    if (!contains(description, "cannot redefine existing")) return place;
    const auto is_header = [&] {
        return line_at(text, place.line).substr(indent(line_at(text, place.line)) - 1, 1) == "[";
    };
    const bool header = contains(description, "table header");
    while (header && place.line > 1 && !is_header()) --place.line;
    const std::string_view line = line_at(text, place.line);
    if (!header && contains(line, "{")) return place;  // inside an inline table: its value must do
    return {place.file, place.line, indent(line), 1};
}

}  // namespace

std::optional<Value> parse_document(std::string_view text, std::uint32_t file, Diagnostic& error) {
    try {
        return convert(toml::parse(text), file);
    } catch (const toml::parse_error& e) {
        const Place place = refine(e.description(), place_of(e.source(), file), text);
        error = {place, explain(e.description()), {}};
        return std::nullopt;
    }
}

}  // namespace deltaflow::front
