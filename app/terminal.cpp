// Asks the system and the environment.
#include "app/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>

namespace deltaflow::app {

namespace {

constexpr std::size_t least = 40, most = 250;

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

bool is_terminal() { return ::isatty(STDOUT_FILENO) == 1; }

std::size_t width() {
    winsize size{};
    if (is_terminal() && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    const unsigned long columns = std::strtoul(variable("COLUMNS").c_str(), nullptr, 10);
    return columns > 0 ? columns : 80;
}

bool speaks_utf8() {
    std::string locale;
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
        if (locale.empty()) locale = variable(name);
    std::erase(locale, '-');
    for (char& c : locale) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return locale.find("utf8") != std::string::npos;
}

bool shows_colour() { return is_terminal() && variable("NO_COLOR").empty() && variable("TERM") != "dumb"; }

}  // namespace

report::Terminal terminal() { return {std::clamp(width(), least, most), speaks_utf8(), shows_colour()}; }

}  // namespace deltaflow::app
