// Model files as bytes: reading them, and refusing what no TOML reader should see.
#include "engine/front/read/text.hpp"

#include "engine/model/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

namespace deltaflow::front {
namespace {

[[noreturn]] void refuse(ErrorKind kind, const std::string& path, std::string message,
                         std::vector<std::string> notes = {}) {
    throw ModelError(kind, Sources{{{path, ""}}},
                     {{Place{0, 0, 0, 1}, std::move(message), std::move(notes)}});
}

std::string too_large() {
    return fmt::format("the file is larger than {} MB; write repeated parts as a diagram with `count`",
                       largest_file >> 20);
}

// The place of a byte; what comes before it is UTF-8.
Place place_of(std::string_view text, std::size_t at, std::uint32_t file) {
    const std::string_view before = text.substr(0, at);
    const auto line = std::count(before.begin(), before.end(), '\n');
    const std::string_view row = before.substr(before.rfind('\n') + 1);
    const auto column = std::count_if(row.begin(), row.end(), starts_character);
    return {file, static_cast<std::uint32_t>(line + 1), static_cast<std::uint32_t>(column + 1), 1};
}

std::size_t first_broken_character(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t length =
            static_cast<unsigned char>(text[at]) < 0x80 ? 1 : character_length(text, at);
        if (length == 0) break;
        at += length;
    }
    return at;
}

// Passes a comment or a string that starts at `at`; other characters one by one.
std::size_t skip(std::string_view text, std::size_t at) {
    const char c = text[at];
    if (c == '#') return std::min(text.find('\n', at), text.size());
    if (c != '"' && c != '\'') return at + 1;
    const bool triple = text.substr(at, 3) == std::string(3, c);
    const std::string quotes(triple ? 3 : 1, c);
    for (at += quotes.size(); at < text.size(); ++at) {
        if (!triple && text[at] == '\n') return at;
        if (c == '"' && text[at] == '\\')
            ++at;
        else if (text[at] == c && text.substr(at, quotes.size()) == quotes)
            return at + quotes.size();
    }
    return text.size();
}

// Where brackets and dotted keys together go too deep, or the end of the text.
std::size_t first_too_deep(std::string_view text) {
    std::vector<int> levels{0};  // the dots of the key at hand, for each bracket that is open
    int depth = 0;
    for (std::size_t at = 0; at < text.size(); at = skip(text, at)) {
        const char c = text[at];
        if (c == '.') ++levels.back(), ++depth;
        if (c == '\n' || c == ',') depth -= std::exchange(levels.back(), 0);
        if (c == '[' || c == '{') levels.push_back(0), ++depth;
        if ((c == ']' || c == '}') && levels.size() > 1) depth -= levels.back() + 1, levels.pop_back();
        if (depth > deepest_nesting) return at;
    }
    return text.size();
}

}  // namespace

namespace {

// Why nothing came out of a file.
[[noreturn]] void refuse_unreadable(const std::string& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status))
        refuse(ErrorKind::file, path, "there is no such file", advice_for_missing(path));
    if (std::filesystem::is_directory(status))
        refuse(ErrorKind::file, path, "this is a folder; a model file (.toml) is wanted",
               advice_for_folder(path));
    refuse(ErrorKind::file, path, "the file cannot be read");
}

}  // namespace

std::string read_text(const std::string& path) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(path.c_str(), "rb"), std::fclose);
    if (!stream) refuse_unreadable(path);
    std::setvbuf(stream.get(), nullptr, _IONBF, 0);
    std::string text;
    for (std::size_t room = 1 << 12;; room = 1 << 16) {  // most models fit into the first one
        const std::size_t before = text.size();
        text.resize(before + room);
        const std::size_t n = std::fread(text.data() + before, 1, room, stream.get());
        text.resize(before + n);
        if (text.size() > largest_file) refuse(ErrorKind::model, path, too_large());
        if (n < room) break;
    }
    if (std::ferror(stream.get())) refuse_unreadable(path);  // a folder, for one
    return text;
}

std::optional<Diagnostic> check_text(std::string_view text, std::uint32_t file) {
    if (text.size() > largest_file) return Diagnostic{{file, 0, 0, 1}, too_large(), {}};
    if (const std::string kind = stranger(text); !kind.empty())
        return Diagnostic{
            {file, 0, 0, 1}, fmt::format("this is {}; a model file (.toml) is wanted", kind), {}};
    const std::size_t broken = first_broken_character(text);
    if (broken < text.size()) {
        const auto byte = static_cast<unsigned char>(text[broken]);
        return Diagnostic{place_of(text, broken, file),
                          fmt::format("the file is not UTF-8: byte 0x{:02X} makes no character", byte),
                          {"save it with the encoding UTF-8"}};
    }
    const std::size_t deep = first_too_deep(text);
    if (deep == text.size()) return {};
    return Diagnostic{
        place_of(text, deep, file),
        fmt::format("more than {} levels within each other; no model needs that", deepest_nesting),
        {}};
}

}  // namespace deltaflow::front
