#include "tests/docs/markdown.hpp"

#include <cctype>
#include <fstream>
#include <regex>
#include <sstream>

namespace deltaflow::test {

std::string text_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

namespace {

bool is_fence(const std::string& line) { return line.rfind("```", 0) == 0; }

std::vector<std::string> without_listings(const std::string& text) {
    std::vector<std::string> lines;
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

}  // namespace

std::vector<Listing> listings(const std::string& text) {
    std::vector<Listing> result;
    bool inside = false;
    for (const std::string& line : split(text))
        if (is_fence(line)) {
            inside = !inside;
            if (inside) result.push_back({line.substr(3), {}});
        } else if (inside) {
            result.back().lines.push_back(line);
        }
    return result;
}

std::vector<std::string> links(const std::string& text) {
    static const std::regex link(R"(\]\(([^)]+)\))");
    const std::string body = joined(without_listings(text));
    std::vector<std::string> result;
    for (std::sregex_iterator at(body.begin(), body.end(), link), none; at != none; ++at)
        result.push_back((*at)[1]);
    return result;
}

std::vector<std::string> anchors(const std::string& text) {
    std::vector<std::string> result;
    for (const std::string& line : without_listings(text))
        if (line.rfind("#", 0) == 0) result.push_back(anchor(line.substr(line.find(' ') + 1)));
    return result;
}

}  // namespace deltaflow::test
