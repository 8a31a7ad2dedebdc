// Sections and lines of a model, and the names in them.
#include "tests/campaign/draft.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace deltaflow::campaign {

namespace {

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string trimmed(std::string_view s) {
    const auto from = s.find_first_not_of(" \t\r"), to = s.find_last_not_of(" \t\r");
    return from == std::string_view::npos ? "" : std::string(s.substr(from, to - from + 1));
}

}  // namespace

std::vector<std::string>& Draft::operator[](std::string_view header) {
    for (Section& s : sections)
        if (s.header == header) return s.lines;
    sections.push_back({std::string(header), {}});
    return sections.back().lines;
}

const Section* Draft::find(std::string_view header) const {
    for (const Section& s : sections)
        if (s.header == header) return &s;
    return nullptr;
}

std::string Draft::value(std::string_view header, std::string_view key) const {
    if (const Section* section = find(header))
        for (const std::string& line : section->lines)
            if (key_of(line) == key) return value_of(line);
    return "";
}

void Draft::set(std::string_view header, std::string_view key, const std::string& value) {
    auto& lines = (*this)[header];
    const std::string line = std::string(key) + " = " + value;
    for (std::string& old : lines)
        if (key_of(old) == key) {
            old = line;
            return;
        }
    lines.push_back(line);
}

std::string Draft::text() const {
    std::string text;
    for (const std::string& remark : remarks) text += remark + "\n";
    for (const Section& section : sections) {
        if (section.lines.empty()) continue;
        text += "[" + section.header + "]\n";
        for (const std::string& line : section.lines) text += line + "\n";
    }
    return text;
}

Draft read_draft(std::string_view text) {
    Draft draft;
    while (!text.empty()) {
        const auto end = text.find('\n');
        const std::string line = trimmed(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.empty()) continue;
        if (line.front() == '#')
            draft.remarks.push_back(line);
        else if (line.front() == '[' && line.back() == ']')
            draft.sections.push_back({line.substr(1, line.size() - 2), {}});
        else if (draft.sections.empty() || key_of(line).empty())
            throw std::invalid_argument("not a line of a section: " + line);
        else
            draft.sections.back().lines.push_back(line);
    }
    return draft;
}

std::string key_of(std::string_view line) { return trimmed(line.substr(0, line.find('='))); }

std::string value_of(std::string_view line) {
    const auto at = line.find('=');
    return at == std::string_view::npos ? "" : trimmed(line.substr(at + 1));
}

// A word begins with a letter; 1e5 and 0x1f are none.
std::vector<Word> words_of(std::string_view text) {
    std::vector<Word> words;
    for (std::size_t i = 0; i < text.size();) {
        if (!in_word(text[i])) {
            ++i;
            continue;
        }
        std::size_t end = i;
        while (end < text.size() && in_word(text[end])) ++end;
        if (std::isdigit(static_cast<unsigned char>(text[i])) == 0) words.push_back({i, end - i});
        i = end;
    }
    return words;
}

std::string replace_words(std::string_view text, const std::vector<std::pair<std::string, std::string>>& by) {
    std::string out;
    std::size_t done = 0;
    for (const Word& word : words_of(text)) {
        const std::string_view name = text.substr(word.at, word.length);
        const auto found = std::find_if(by.begin(), by.end(), [&](const auto& p) { return p.first == name; });
        if (found == by.end()) continue;
        out += text.substr(done, word.at - done);
        out += found->second;
        done = word.at + word.length;
    }
    out += text.substr(done);
    return out;
}

std::vector<std::string> strings_of(std::string_view list) {
    std::vector<std::string> strings;
    for (std::size_t i = list.find('"'); i != std::string_view::npos;) {
        const auto end = list.find('"', i + 1);
        if (end == std::string_view::npos) break;
        strings.emplace_back(list.substr(i + 1, end - i - 1));
        i = list.find('"', end + 1);
    }
    return strings;
}

std::string list_of(const std::vector<std::string>& strings) {
    std::string list;
    for (const std::string& s : strings) list += (list.empty() ? "\"" : ", \"") + s + "\"";
    return "[" + list + "]";
}

}  // namespace deltaflow::campaign
