#include "blocks/json_text.hpp"

#include <fmt/format.h>

namespace deltaflow::json_text {

namespace {

std::string escaped(char c) {
    if (c == '"' || c == '\\') return {'\\', c};
    if (static_cast<unsigned char>(c) < ' ') return fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    return {c};
}

std::string separated(const std::vector<std::string>& items) {
    std::string text;
    for (const std::string& item : items) text.append(text.empty() ? "" : ",").append(item);
    return text;
}

// Writes a JSON text anew, character by character.
class Indenter {
public:
    void read(char c) {
        if (in_string_) return read_in_string(c);
        if (c == '}' || c == ']') return close(c);
        if (opened_) line();
        opened_ = c == '{' || c == '[';
        depth_ += opened_;
        in_string_ = c == '"';
        text_ += c;
        if (c == ',') line();
        if (c == ':') text_ += ' ';
    }

    std::string text() && { return std::move(text_); }

private:
    void line() { text_.append("\n").append(2 * depth_, ' '); }

    void close(char c) {
        --depth_;
        if (!opened_) line();
        opened_ = false;
        text_ += c;
    }

    void read_in_string(char c) {
        text_ += c;
        in_string_ = escape_ || c != '"';
        escape_ = !escape_ && c == '\\';
    }

    std::string text_;
    std::size_t depth_ = 0;
    bool opened_ = false, in_string_ = false, escape_ = false;
};

}  // namespace

std::string string(std::string_view text) {
    std::string json = "\"";
    for (const char c : text) json += escaped(c);
    return json + "\"";
}

std::string object(const Members& members) {
    std::vector<std::string> items;
    for (const auto& [key, value] : members) items.push_back(fmt::format("{}:{}", string(key), value));
    return fmt::format("{{{}}}", separated(items));
}

std::string array(const std::vector<std::string>& items) { return fmt::format("[{}]", separated(items)); }

std::string pretty(std::string_view json) {
    Indenter indenter;
    for (const char c : json) indenter.read(c);
    return std::move(indenter).text() + "\n";
}

}  // namespace deltaflow::json_text
