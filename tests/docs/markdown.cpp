#include "tests/docs/markdown.hpp"

#include "tests/paths.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <regex>
#include <sstream>

namespace fs = std::filesystem;

namespace deltaflow::test {

std::string text_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

Lines split(const std::string& text) {
    Lines lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::string joined(const Lines& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

namespace {

bool is_fence(const std::string& line) { return line.rfind("```", 0) == 0; }

Lines without_listings(const std::string& text) {
    Lines lines;
    bool inside = false;
    for (const std::string& line : split(text))
        if (is_fence(line))
            inside = !inside;
        else if (!inside)
            lines.push_back(line);
    return lines;
}

std::string anchor(const std::string& heading) {
    std::string result;
    for (const char c : heading)
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-')
            result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else if (c == ' ')
            result += '-';
    return result;
}

// What the first group matches, outside of listings.
std::vector<std::string> found(const std::string& text, const std::regex& pattern) {
    const std::string body = joined(without_listings(text));
    std::vector<std::string> result;
    for (std::sregex_iterator at(body.begin(), body.end(), pattern), none; at != none; ++at)
        result.push_back((*at)[1]);
    return result;
}

}  // namespace

std::vector<fs::path> manual() {
    const fs::path root = project_folder();
    std::vector<fs::path> pages{root / "README.md"};
    for (const auto& entry : fs::recursive_directory_iterator(root / "docs"))
        if (entry.path().extension() == ".md") pages.push_back(entry.path());
    for (const char* const room : {"signal", "blocks", "bonds", "engine", "report", "app"})
        for (const auto& entry : fs::recursive_directory_iterator(root / room))
            if (entry.path().filename() == "README.md") pages.push_back(entry.path());
    std::sort(pages.begin(), pages.end());
    return pages;
}

std::vector<Listing> listings(const std::string& text) {
    std::vector<Listing> result;
    const Lines lines = split(text);
    bool inside = false;
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (is_fence(lines[i])) {
            inside = !inside;
            if (inside) result.push_back({lines[i].substr(3), i + 1, {}});
        } else if (inside) {
            result.back().lines.push_back(lines[i]);
        }
    return result;
}

std::vector<std::string> links(const std::string& text) {
    return found(text, std::regex(R"(\]\(([^)]+)\))"));
}

std::vector<std::string> pictures(const std::string& text) {
    return found(text, std::regex(R"(!\[[^\]]*\]\(([^)]+)\))"));
}

std::vector<std::string> anchors(const std::string& text) {
    std::vector<std::string> result;
    for (const std::string& line : without_listings(text))
        if (line.rfind("#", 0) == 0) result.push_back(anchor(line.substr(line.find(' ') + 1)));
    return result;
}

}  // namespace deltaflow::test
