#include "tests/docs/replay.hpp"

#include "tests/paths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <regex>

namespace fs = std::filesystem;

namespace deltaflow::test {

namespace {

bool is_command(const std::string& line) { return line.rfind("$ ", 0) == 0; }

// Numbers with more than 12 digits are cut to 12.
std::string rounded(const std::string& line) {
    static const std::regex number(R"(\d+\.\d{9,}(e[-+]\d+)?)");
    std::string result;
    std::size_t end = 0;
    for (std::sregex_iterator at(line.begin(), line.end(), number), none; at != none; ++at) {
        const auto begin = static_cast<std::size_t>(at->position());
        result += line.substr(end, begin - end) + fmt::format("{:.12g}", std::stod(at->str()));
        end = begin + at->str().size();
    }
    return result + line.substr(end);
}

std::string comparable(std::string line) {
    static const std::regex cost(R"(: \d+ steps?, .*| *"statistics": .*)");
    static const std::regex seconds(R"(( +\S+ s/s)+$| +numeric +symbolic$)");  // of a comparison
    line = rounded(std::regex_replace(std::regex_replace(line, seconds, ""), cost, ""));
    return line.substr(0, line.find_last_not_of(' ') + 1);
}

Lines comparable(Lines lines) {
    for (std::string& line : lines) line = comparable(line);
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    return lines;
}

// Do the lines from `i` on fit the lines from `j` on?
bool fits_from(const Lines& shown, const Lines& printed, std::size_t i, std::size_t j) {
    if (i == shown.size()) return j == printed.size();
    if (shown[i] != "...")
        return j < printed.size() && shown[i] == printed[j] && fits_from(shown, printed, i + 1, j + 1);
    for (; j <= printed.size(); ++j)
        if (fits_from(shown, printed, i + 1, j)) return true;
    return false;
}

// Folders become folders, so that commands may write into them; files become links.
void mirror(const fs::path& from, const fs::path& to) {
    for (const auto& entry : fs::directory_iterator(from)) {
        const fs::path copy = to / entry.path().filename();
        if (entry.is_directory()) {
            fs::create_directory(copy);
            mirror(entry.path(), copy);
        } else if (entry.path().extension() != ".svg") {
            fs::create_symlink(entry.path(), copy);
        }
    }
}

}  // namespace

std::vector<Shown> shown_commands(const std::string& text) {
    std::vector<Shown> result;
    for (const Listing& listing : listings(text)) {
        if (listing.lines.empty() || !is_command(listing.lines.front())) continue;
        for (std::size_t i = 0; i < listing.lines.size(); ++i)
            if (is_command(listing.lines[i]))
                result.push_back({listing.lines[i].substr(2), listing.line + i + 1, {}});
            else
                result.back().output.push_back(listing.lines[i]);
    }
    return result;
}

bool fits(const Lines& shown, const Lines& printed) {
    return fits_from(comparable(shown), comparable(printed), 0, 0);
}

Lines brought_up_to_date(const Lines& shown, const Lines& printed) {
    const auto dots = std::find(shown.begin(), shown.end(), "...");
    const auto head = dots - shown.begin(), tail = shown.end() - dots - 1;
    const auto all = static_cast<std::ptrdiff_t>(printed.size());
    if (dots == shown.end() || head + tail >= all) return printed;
    Lines result(printed.begin(), printed.begin() + head);
    result.emplace_back("...");
    result.insert(result.end(), printed.end() - tail, printed.end());
    return result;
}

bool refreshing() { return std::getenv("DELTAFLOW_REFRESH") != nullptr; }

void write(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

Replay::Replay() {
    const fs::path root = project_folder();
    for (const char* folder : {"diagrams", "examples", "tests"})
        if (fs::exists(root / folder)) fs::create_directory_symlink(root / folder, place_.path(folder));
    fs::create_directory(place_.path("docs"));
    mirror(root / "docs", place_.path("docs"));
}

Lines Replay::run(const std::string& command) {
    if (command == "echo $?") return {std::to_string(code_)};
    const std::string program = "deltaflow";
    if (command.substr(0, command.find(' ')) != program)
        return {fmt::format("pages may show commands of {} only", program)};
    const Result result = place_.deltaflow(command.substr(program.size()));
    code_ = result.code;
    return split(result.out + result.err);
}

}  // namespace deltaflow::test
