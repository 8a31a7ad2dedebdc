// Bytes, characters and UTF-16 units.
#include "report/editor/text.hpp"

#include "engine/model/utf8.hpp"

#include <algorithm>

namespace deltaflow::editor {

namespace {

// Bytes of the character at `at`; one where it is broken.
std::size_t length_at(std::string_view text, std::size_t at) {
    return std::max<std::size_t>(1, character_length(text, at));
}

// Characters beyond the first plane are two units.
std::size_t units(std::size_t bytes) { return bytes == 4 ? 2 : 1; }

}  // namespace

Text::Text(std::string text) : text_(std::move(text)), starts_{0} {
    for (std::size_t i = 0; i < text_.size(); ++i)
        if (text_[i] == '\n' || (text_[i] == '\r' && (i + 1 == text_.size() || text_[i + 1] != '\n')))
            starts_.push_back(i + 1);
}

std::string_view Text::view(Span span) const {
    const std::size_t begin = std::min(span.begin, text_.size());
    return std::string_view(text_).substr(begin, span.end - std::min(span.begin, span.end));
}

std::size_t Text::end_of_line(std::size_t line) const {
    std::size_t end = line + 1 < starts_.size() ? starts_[line + 1] : text_.size();
    while (end > starts_[line] && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
    return end;
}

std::size_t Text::offset(Position position) const {
    if (position.line >= starts_.size()) return text_.size();
    const std::size_t end = end_of_line(position.line);
    std::size_t at = starts_[position.line];
    for (std::size_t passed = 0; at < end;) {
        const std::size_t length = length_at(text_, at);
        passed += units(length);
        if (passed > position.character) break;
        at += length;
    }
    return std::min(at, end);
}

Position Text::position(std::size_t offset) const {
    offset = std::min(offset, text_.size());
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
    const auto line = static_cast<std::size_t>(after - starts_.begin()) - 1;
    std::size_t character = 0;
    const std::size_t end = std::min(offset, end_of_line(line));
    for (std::size_t at = starts_[line]; at < end;) {
        const std::size_t length = length_at(text_, at);
        character += units(length);
        at += length;
    }
    return {line, character};
}

Span Text::span(const Place& place) const {
    if (place.line == 0) return {0, 0};
    std::size_t at = 0;
    for (std::uint32_t line = 1; line < place.line && at < text_.size(); ++line)
        at = std::min(text_.find('\n', at), text_.size() - 1) + 1;
    const auto step = [&](std::uint32_t count) {
        for (; count > 0 && at < text_.size() && text_[at] != '\n'; --count) at += length_at(text_, at);
    };
    step(place.column > 0 ? place.column - 1 : 0);
    const std::size_t begin = at;
    step(std::max(1u, place.length));
    return {begin, at};
}

Text Text::replaced(Range range, std::string_view by) const {
    const std::size_t begin = offset(range.start), end = std::max(begin, offset(range.end));
    std::string text = text_;
    text.replace(begin, end - begin, by);
    return Text(std::move(text));
}

std::string valid_utf8(std::string_view bytes) {
    std::string text;
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t length = character_length(bytes, at);
        text += length == 0 ? std::string_view("\xEF\xBF\xBD") : bytes.substr(at, length);
        at += std::max<std::size_t>(1, length);
    }
    return text;
}

}  // namespace deltaflow::editor
