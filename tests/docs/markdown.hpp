// Markdown as far as the tests of the manual need it: listings and links.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace deltaflow::test {

using Lines = std::vector<std::string>;

struct Listing {
    std::string language;
    std::size_t line;  // of the page on which it begins, from 0
    Lines lines;
};

std::string text_of(const std::string& path);
Lines split(const std::string& text);
std::string joined(const Lines& lines);

// README.md and every page below docs/, sorted.
std::vector<std::filesystem::path> manual();
// Everything between two lines of ```.
std::vector<Listing> listings(const std::string& text);
// What stands in ](...), outside of listings.
std::vector<std::string> links(const std::string& text);
// What stands in ![...](...).
std::vector<std::string> pictures(const std::string& text);
// The headings as links name them: small letters, no punctuation, - for a blank.
std::vector<std::string> anchors(const std::string& text);

}  // namespace deltaflow::test
