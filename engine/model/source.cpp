// Shows errors where they are.
#include "engine/model/source.hpp"

#include "blocks/spelling.hpp"
#include "engine/model/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow {
namespace {

constexpr std::size_t widest_line = 160;  // of a shown source line; longer ones are cut around the place

std::string_view line_of(std::string_view text, std::uint32_t line) {
    std::size_t begin = 0;
    for (std::uint32_t i = 1; i < line; ++i) {
        begin = text.find('\n', begin);
        if (begin == std::string_view::npos) return {};
        ++begin;
    }
    return text.substr(begin, text.find('\n', begin) - begin);
}

// Code points that steer a terminal, turn writing round, or have no place in XML.
bool is_control(char32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x2028 && c <= 0x202E) ||
           (c >= 0x2066 && c <= 0x2069) || c == 0xFFFE || c == 0xFFFF;
}

char32_t code_point(std::string_view c) {
    constexpr unsigned char payload[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    char32_t code = static_cast<unsigned char>(c[0]) & payload[c.size()];
    for (std::size_t i = 1; i < c.size(); ++i) code = code << 6 | (static_cast<unsigned char>(c[i]) & 0x3F);
    return code;
}

// The characters of a line, one string each: control characters are blanked, broken ones replaced.
std::vector<std::string> characters(std::string_view line) {
    std::vector<std::string> list;
    for (std::size_t at = 0; at < line.size(); at += std::max<std::size_t>(1, character_length(line, at))) {
        const std::size_t length = character_length(line, at);
        const bool control = length > 0 && is_control(code_point(line.substr(at, length)));
        list.emplace_back(control ? " " : length == 0 ? "\uFFFD" : std::string(line.substr(at, length)));
    }
    while (!list.empty() && list.back() == " ") list.pop_back();
    return list;
}

struct Excerpt {
    std::string line, caret;
};

Excerpt excerpt(std::string_view line, const Place& place) {
    const auto all = characters(line);
    const std::size_t column = std::clamp<std::size_t>(place.column, 1, all.size() + 1) - 1;
    const std::size_t first = column < widest_line ? 0 : column - widest_line / 4;
    const std::size_t last = std::min(all.size(), first + widest_line);
    Excerpt e{first == 0 ? "" : "...", ""};
    const std::size_t indent = e.line.size() + column - first;
    for (std::size_t i = first; i < last; ++i) e.line += all[i];
    if (last < all.size()) e.line += "...";
    const std::size_t room = last > column ? last - column : 1;
    const std::size_t length = std::clamp<std::size_t>(place.length, 1, room);
    e.caret = std::string(indent, ' ') + '^' + std::string(length - 1, '~');
    return e;
}

std::string join(const Sources& sources, const std::vector<Diagnostic>& diagnostics) {
    std::string text;
    for (const auto& d : diagnostics) text += render(sources, d);
    return text;
}

}  // namespace

std::string clean_text(std::string_view text, bool lines) {
    std::string clean;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = character_length(text, at);
        const std::string_view c = text.substr(at, std::max<std::size_t>(1, length));
        const bool good = length > 0 && (!is_control(code_point(c)) || (lines && c == "\n"));
        clean += good ? c : "\uFFFD";
        at += c.size();
    }
    return clean;
}

std::string render(const Sources& sources, const Place& place) {
    const std::string path =
        place.file < sources.files.size() ? clean_text(sources.files[place.file].path) : "model";
    if (place.line == 0) return path;
    return fmt::format("{}:{}:{}", path, place.line, place.column);
}

std::string render(const Sources& sources, const Diagnostic& diagnostic) {
    const Place& place = diagnostic.place;
    std::string text = fmt::format("{}: {}\n", render(sources, place), clean_text(diagnostic.message));
    if (place.line > 0 && place.file < sources.files.size()) {
        const Excerpt e = excerpt(line_of(sources.files[place.file].text, place.line), place);
        text += fmt::format("{:5} | {}\n      | {}\n", place.line, e.line, e.caret);
    }
    for (const auto& note : diagnostic.notes) text += fmt::format("      = {}\n", clean_text(note, true));
    return text;
}

ModelError::ModelError(ErrorKind kind_, Sources sources_, std::vector<Diagnostic> diagnostics_)
    : std::runtime_error(join(sources_, diagnostics_)),
      kind(kind_),
      sources(std::move(sources_)),
      diagnostics(std::move(diagnostics_)) {}

std::string nearest(std::string_view name, const std::vector<std::string_view>& known) {
    return nearest_name(name, known);
}

}  // namespace deltaflow
