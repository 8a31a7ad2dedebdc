// Reads and writes headers.
#include "app/server/frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace deltaflow::app {

namespace {

constexpr std::size_t longest_line = 4096, chunk = 1 << 16;

bool equal_letters(std::string_view a, std::string_view lower) {
    return a.size() == lower.size() && std::equal(a.begin(), a.end(), lower.begin(), [](char x, char y) {
               return (x >= 'A' && x <= 'Z' ? static_cast<char>(x - 'A' + 'a') : x) == y;
           });
}

// "Content-Length: 12", whatever its letters; nothing if the line says something else.
std::optional<std::size_t> content_length(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == line.npos || !equal_letters(line.substr(0, colon), "content-length")) return std::nullopt;
    line.remove_prefix(colon + 1);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), length);
    const std::string_view rest(end, static_cast<std::size_t>(line.data() + line.size() - end));
    if (error != std::errc() || rest.find_first_not_of(" \t") != rest.npos) return std::nullopt;
    return length;
}

}  // namespace

bool FrameReader::fill() {
    if (at_ > 0) buffer_.erase(0, at_), at_ = 0;
    const std::size_t size = buffer_.size();
    buffer_.resize(size + chunk);
    const std::size_t count = source_(buffer_.data() + size, chunk);
    buffer_.resize(size + count);
    return count > 0;
}

// Without its end; of a line that is too long, its beginning.
std::optional<std::string> FrameReader::line() {
    std::string text;
    while (true) {
        if (at_ == buffer_.size() && !fill()) return std::nullopt;
        const char c = buffer_[at_++];
        if (c == '\n') break;
        if (text.size() < longest_line) text += c;
    }
    if (!text.empty() && text.back() == '\r') text.pop_back();
    return text;
}

// The length that a header tells; headers without one are passed over.
std::optional<std::size_t> FrameReader::length_of_header() {
    std::optional<std::size_t> length;
    while (const auto text = line()) {
        if (text->empty() && length) return length;
        if (const auto told = content_length(*text)) length = told;
    }
    return std::nullopt;
}

bool FrameReader::take(std::size_t count, std::string* to) {
    while (count > 0) {
        if (at_ == buffer_.size() && !fill()) return false;
        const std::size_t part = std::min(count, buffer_.size() - at_);
        if (to) to->append(buffer_, at_, part);
        at_ += part;
        count -= part;
    }
    return true;
}

std::optional<Frame> FrameReader::next() {
    const auto length = length_of_header();
    if (!length) return std::nullopt;
    Frame frame;
    frame.too_large = *length > largest_;
    if (!take(*length, frame.too_large ? nullptr : &frame.content)) return std::nullopt;
    return frame;
}

std::string framed(std::string_view content) {
    return fmt::format("Content-Length: {}\r\n\r\n{}", content.size(), content);
}

}  // namespace deltaflow::app
