// The manual is replayed: its models are written to files, its commands run, and what they print compared.
//
// A toml listing that begins with "# name.toml" is a file. In a listing that begins with "$ " each such line
// is a command and the lines below it are what it prints; "..." stands for any lines. How long something
// took, and the last digits of long numbers, do not count.
#include "tests/app/program.hpp"
#include "tests/docs/markdown.hpp"
#include "tests/paths.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <regex>

using namespace deltaflow::test;
using Lines = std::vector<std::string>;

namespace {

const std::string root = deltaflow::test::project_folder() + "/";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

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
bool fits(const Lines& shown, const Lines& printed, std::size_t i = 0, std::size_t j = 0) {
    if (i == shown.size()) return j == printed.size();
    if (shown[i] != "...")
        return j < printed.size() && shown[i] == printed[j] && fits(shown, printed, i + 1, j + 1);
    for (; j <= printed.size(); ++j)
        if (fits(shown, printed, i + 1, j)) return true;
    return false;
}

class Replay {
public:
    void play(const Listing& listing) {
        if (listing.lines.empty()) return;
        const std::string& first = listing.lines.front();
        if (listing.language == "toml" && first.rfind("# ", 0) == 0 &&
            first.find(".toml") == first.size() - 5)
            place_.write(first.substr(2), joined(listing.lines));
        if (first.rfind("$ ", 0) == 0) run(listing.lines);
    }

private:
    void run(const Lines& lines) {
        for (std::size_t i = 0; i < lines.size();) {
            const std::string command = lines[i].substr(2);
            Lines shown;
            for (++i; i < lines.size() && lines[i].rfind("$ ", 0) != 0; ++i) shown.push_back(lines[i]);
            run(command, shown);
        }
    }

    void run(const std::string& command, const Lines& shown) {
        if (command == "echo $?") return compare(command, shown, {std::to_string(code_)});
        REQUIRE(command.rfind("deltaflow ", 0) == 0);
        const Result result = place_.deltaflow(replaced(command.substr(10), "diagrams/", root + "diagrams/"));
        code_ = result.code;
        compare(command, shown, split(replaced(result.out + result.err, root, "")));
    }

    static void compare(const std::string& command, const Lines& shown, const Lines& printed) {
        INFO("$ " << command << "\n" << joined(printed));
        CHECK(fits(comparable(shown), comparable(printed)));
    }

    const Workplace place_;
    int code_ = 0;
};

}  // namespace

TEST_CASE("the manual shows what the program prints", "[docs]") {
    const std::string page =
        GENERATE("tutorial.md", "reference.md", "mathematics.md", "design.md", "symbolic_vs_numeric.md");
    CAPTURE(page);
    Replay replay;
    for (const Listing& listing : listings(text_of(root + "docs/" + page))) replay.play(listing);
}
