// TOML text to a document; the only reader of toml++.
#include "engine/front/read/toml.hpp"
#include "engine/front/read/text.hpp"

#include <algorithm>
#include <vector>

namespace deltaflow::front {
namespace {

Place place_of(const toml::source_region& region, std::uint32_t file) {
    Place place{file, region.begin.line, region.begin.column, 1};
    if (region.end.line == region.begin.line && region.end.column > region.begin.column)
        place.length = region.end.column - region.begin.column;
    return place;
}

// Escapes may stand for anything: what steers a terminal, or has no place in a document, is replaced here,
// once for all. Blanks and line breaks are part of expressions.
std::string without_controls(const std::string& text) {
    const auto is_harmless = [](char c) {
        return (c >= 0x20 && c < 0x7F) || c == '\n' || c == '\t' || c == '\r';
    };
    if (std::all_of(text.begin(), text.end(), is_harmless)) return text;
    std::string clean;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find_first_of("\n\t\r", at), text.size());
        clean += clean_text(std::string_view(text).substr(at, end - at));
        if (end < text.size()) clean += text[end];
        at = end + 1;
    }
    return clean;
}

// A tree of toml++ as a tree of values, in place.
class Conversion {
public:
    explicit Conversion(std::uint32_t file) : file_(file) {}

    void convert(const toml::node& node, Value& value) {
        value.place = place_of(node.source(), file_);
        if (const auto* table = node.as_table())
            convert_table(*table, value);
        else if (const auto* array = node.as_array())
            convert_array(*array, value);
        else
            convert_scalar(node, value);
    }

private:
    struct Item {
        std::uint64_t at;  // line and column
        const toml::key* key;
        const toml::node* node;
    };

    static void convert_scalar(const toml::node& node, Value& value) {
        if (const auto* text = node.as_string()) {
            value.kind = Value::Kind::string;
            value.text = without_controls(text->get());
        } else if (const auto* integer = node.as_integer()) {
            value.kind = Value::Kind::integer;
            value.integer = integer->get();
            value.real = static_cast<double>(value.integer);
        } else if (const auto* real = node.as_floating_point()) {
            value.kind = Value::Kind::real;
            value.real = real->get();
        } else if (const auto* truth = node.as_boolean()) {
            value.kind = Value::Kind::boolean;
            value.integer = truth->get() ? 1 : 0;
        } else {
            value.kind = Value::Kind::date;
        }
    }

    void convert_array(const toml::array& array, Value& value) {
        value.kind = Value::Kind::array;
        value.items.reserve(array.size());
        for (const auto& item : array) convert(item, value.items.emplace_back());
    }

    static Item item(const toml::key& key, const toml::node& node) {
        const auto& begin = key.source().begin;
        return {std::uint64_t{begin.line} << 32 | begin.column, &key, &node};
    }
    static bool stands_before(const Item& a, const Item& b) { return a.at < b.at; }

    // toml++ keeps its tables in alphabetical order; ours follow the file.
    void convert_table(const toml::table& table, Value& value) {
        value.kind = Value::Kind::table;
        const std::size_t first = order_.size();  // tables around this one stand before it
        for (const auto& [key, node] : table) order_.push_back(item(key, node));
        const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(first);
        if (!std::is_sorted(begin, order_.end(), stands_before))
            std::sort(begin, order_.end(), stands_before);
        value.entries.reserve(table.size());
        for (std::size_t i = first; i < first + table.size(); ++i) {
            const Item next = order_[i];
            Entry& entry = value.entries.emplace_back();
            entry.key = next.key->str();
            entry.place = place_of(next.key->source(), file_);
            convert(*next.node, entry.value);
        }
        order_.resize(first);
    }

    std::uint32_t file_;
    std::vector<Item> order_;
};

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
    if (contains(description, "inline table") && contains(description, "'\\n'"))
        return "a table in {braces} stands on one line";
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

std::optional<Value> parse_any(std::string_view text, std::uint32_t file, Diagnostic& error) {
    try {
        Value document;
        Conversion(file).convert(toml::parse(text), document);
        return document;
    } catch (const toml::parse_error& e) {
        const Place place = refine(e.description(), place_of(e.source(), file), text);
        error = {place, explain(e.description()), {}};
        return std::nullopt;
    }
}

}  // namespace deltaflow::front
