// Runs the commands that a page shows, as a reader would who stands in the folder of the sources.
//
// In a listing that begins with "$ " each such line is a command and the lines below it are what it prints;
// "..." stands for any lines. How long something took, and the last digits of long numbers, do not count.
#pragma once

#include "tests/app/program.hpp"
#include "tests/docs/markdown.hpp"

namespace deltaflow::test {

struct Shown {
    std::string command;
    std::size_t line;  // of the page on which the output begins, from 0
    Lines output;
};

std::vector<Shown> shown_commands(const std::string& text);
bool fits(const Lines& shown, const Lines& printed);
// What a page should show where `shown` does not fit: with "..." in the same place.
Lines brought_up_to_date(const Lines& shown, const Lines& printed);

// With DELTAFLOW_REFRESH in the environment (./dev docs) pages and pictures are brought up to date, not
// compared.
bool refreshing();
void write(const std::filesystem::path& path, const std::string& text);

// A folder that looks like the sources, but for the pictures below docs/: these have to be drawn.
class Replay {
public:
    Replay();
    Lines run(const std::string& command);
    // What a command wrote to the file, or nothing.
    std::string written(const std::string& path) const { return place_.read(path); }

private:
    const Workplace place_;
    int code_ = 0;
};

}  // namespace deltaflow::test
