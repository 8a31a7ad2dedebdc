// A model as sections of lines, so that it can be permuted, renamed, wrapped and cut down.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace deltaflow::campaign {

// "[header]" and its "key = value" lines.
struct Section {
    std::string header;
    std::vector<std::string> lines;
};

struct Draft {
    std::vector<std::string> remarks;  // comments at the top
    std::vector<Section> sections;

    std::vector<std::string>& operator[](std::string_view header);  // made where it is missing
    const Section* find(std::string_view header) const;
    // The value of a key, as text; empty if there is none.
    std::string value(std::string_view header, std::string_view key) const;
    void set(std::string_view header, std::string_view key, const std::string& value);
    std::string text() const;
};

// A model of sections and lines; anything else is std::invalid_argument.
Draft read_draft(std::string_view text);

std::string key_of(std::string_view line);
std::string value_of(std::string_view line);

// The words of a text that could be names, each with what stands before it.
struct Word {
    std::size_t at, length;
};
std::vector<Word> words_of(std::string_view text);
std::string replace_words(std::string_view text, const std::vector<std::pair<std::string, std::string>>& by);

// The strings of a list such as ["a", "b"].
std::vector<std::string> strings_of(std::string_view list);
std::string list_of(const std::vector<std::string>& strings);

}  // namespace deltaflow::campaign
