// Titles and margins of the page.
#pragma once

#include <cctype>
#include <string>

namespace deltaflow::report::hypa {

// "Two bodies collide" is TwoBodiesCollide.
inline std::string process_name(const std::string& title) {
    std::string name;
    bool start = true;
    for (const char c : title) {
        const bool letter = std::isalnum(static_cast<unsigned char>(c)) != 0;
        if (letter) name += start ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
        start = !letter && c != '\'';
    }
    return name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) ? "Model" + name : name;
}

inline std::string indented(const std::string& text) {
    std::string result;
    std::size_t begin = 0;
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
        result += end == begin ? "\n" : "  " + text.substr(begin, end - begin + 1);
        begin = end + 1;
    }
    return result;
}

inline std::string latex_escaped(const std::string& text) {
    std::string result;
    for (const char c : text)
        result += (c == '_' || c == '%' || c == '#' || c == '&') ? std::string{'\\', c} : std::string{c};
    return result;
}

}  // namespace deltaflow::report::hypa
