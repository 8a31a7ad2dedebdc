// Markdown as far as the tests of the manual need it: listings and links.
#pragma once

#include <string>
#include <vector>

namespace deltaflow::test {

struct Listing {
    std::string language;
    std::vector<std::string> lines;
};

std::string text_of(const std::string& path);
std::vector<std::string> split(const std::string& text);
std::string joined(const std::vector<std::string>& lines);

// Everything between two lines of ```.
std::vector<Listing> listings(const std::string& text);
// What stands in ](...), outside of listings.
std::vector<std::string> links(const std::string& text);
// The headings as links name them: small letters, no punctuation, - for a blank.
std::vector<std::string> anchors(const std::string& text);

}  // namespace deltaflow::test
