// Looking things up in a document, and places inside its strings.
#include "engine/front/read/document.hpp"

#include "engine/model/utf8.hpp"

#include <algorithm>

namespace deltaflow::front {
namespace {

std::uint32_t count_characters(std::string_view text) {
    return static_cast<std::uint32_t>(std::count_if(text.begin(), text.end(), starts_character));
}

std::size_t start_of(std::string_view text, const Lines& lines, const Place& place) {
    std::size_t at = lines.begin(place.line);
    for (std::uint32_t column = 1; column < place.column && at < text.size(); ++column) do
            ++at;
        while (at < text.size() && !starts_character(text[at]));
    return std::min(at, text.size());
}

// How many characters stand before the text of a string: its quotes and, after three, a newline.
std::size_t opening(std::string_view raw) {
    const auto begins = [&](std::string_view s) { return raw.substr(0, s.size()) == s; };
    if (begins("\"\"\"\r\n") || begins("'''\r\n")) return 5;
    if (begins("\"\"\"\n") || begins("'''\n")) return 4;
    if (begins("\"\"\"") || begins("'''")) return 3;
    return begins("\"") || begins("'") ? 1 : 0;
}

Place advance(Place place, std::string_view passed) {
    const std::size_t newline = passed.rfind('\n');
    if (newline == std::string_view::npos) {
        place.column += count_characters(passed);
        return place;
    }
    place.line += static_cast<std::uint32_t>(std::count(passed.begin(), passed.end(), '\n'));
    place.column = 1 + count_characters(passed.substr(newline + 1));
    return place;
}

}  // namespace

const Entry* find(const Value& table, std::string_view key) {
    for (const auto& entry : table.entries)
        if (entry.key == key) return &entry;
    return nullptr;
}

std::string_view kind_name(const Value& value) {
    switch (value.kind) {
        case Value::Kind::string:
            return "a string";
        case Value::Kind::integer:
        case Value::Kind::real:
            return "a number";
        case Value::Kind::boolean:
            return "true or false";
        case Value::Kind::date:
            return "a date";
        case Value::Kind::array:
            return "a list";
        case Value::Kind::table:
            return "a table";
    }
    return "";
}

Lines::Lines(std::string_view text) : end_(text.size()) {
    for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
        begins_.push_back(at + 1);
}

Place place_in(const Sources& sources, const Value& string, std::uint32_t offset, std::uint32_t length) {
    const std::string_view file = sources.files[string.place.file].text;
    return place_in(file, Lines(file), string, offset, length);
}

// Strings with escapes do not stand in the file letter by letter: then the place is the whole string.
Place place_in(std::string_view file, const Lines& lines, const Value& string, std::uint32_t offset,
               std::uint32_t length) {
    const std::string_view raw = file.substr(start_of(file, lines, string.place));
    const std::size_t skip = opening(raw);
    if (raw.substr(skip, string.text.size()) != string.text || offset > string.text.size())
        return string.place;
    Place place = advance(string.place, raw.substr(0, skip + offset));
    place.length = std::max(1u, count_characters(raw.substr(skip + offset, length)));
    return place;
}

}  // namespace deltaflow::front
