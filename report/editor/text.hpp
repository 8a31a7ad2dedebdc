// The text of a document, and places in it as editors count them.
#pragma once

#include "engine/model/source.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace deltaflow::editor {

// A line and a column in UTF-16 units, both from 0.
struct Position {
    std::size_t line = 0, character = 0;
    bool operator==(const Position&) const = default;
};
struct Range {
    Position start, end;
    bool operator==(const Range&) const = default;
};
// Bytes from `begin` to before `end`.
struct Span {
    std::size_t begin = 0, end = 0;
    bool contains(std::size_t at) const { return begin <= at && at <= end; }
    bool operator==(const Span&) const = default;
};

// What names are made of.
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_word(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

// UTF-8, kept whole with the beginnings of its lines. Lines end in \n, \r\n or \r.
class Text {
public:
    explicit Text(std::string text = "");

    const std::string& string() const { return text_; }
    std::string_view view(Span span) const;
    std::size_t lines() const { return starts_.size(); }

    // Positions behind the end of a line are its end; those behind the last line the end of the text.
    std::size_t offset(Position position) const;
    Position position(std::size_t offset) const;
    Range range(Span span) const { return {position(span.begin), position(span.end)}; }
    // A place of the engine, whose lines end in \n and whose columns are characters.
    Span span(const Place& place) const;

    // The text with a part of it replaced.
    Text replaced(Range range, std::string_view by) const;

private:
    std::size_t end_of_line(std::size_t line) const;

    std::string text_;
    std::vector<std::size_t> starts_;
};

// Text whose bytes may be anything as UTF-8: what is none becomes U+FFFD.
std::string valid_utf8(std::string_view bytes);

}  // namespace deltaflow::editor
