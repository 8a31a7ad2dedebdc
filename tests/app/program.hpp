// Runs the program as a user would: a folder of its own, arguments, and what came out.
#pragma once

#include "tests/folder.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

struct Result {
    int code = -1;
    std::string out, err;
    double seconds = 0;  // of the processor
};

struct Obeyed {
    Result result;
    double seconds;  // of the processor, from the signal to the end
};

using Environment = std::vector<std::pair<std::string, std::string>>;

// A folder that is removed in the end; the program runs in it.
class Workplace {
public:
    void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
    std::string read(const std::string& name) const;
    std::filesystem::path path(const std::string& name) const { return folder() / name; }
    bool has(const std::string& name) const { return std::filesystem::exists(folder() / name); }
    std::size_t file_count() const;

    const std::filesystem::path& folder() const { return folder_.path(); }

    // Words are separated by blanks; quotes, '...' or "...", keep blanks together. The program runs in a
    // UTF-8 locale and 80 columns unless `environment` says otherwise.
    Result deltaflow(const std::string& arguments, const Environment& environment = {}) const;
    // The same, with a file of the folder as standard input.
    Result reading(const std::string& input, const std::string& arguments) const;
    // The same, with an interrupt (^C) after so many seconds.
    Result interrupted(const std::string& arguments, double seconds) const;
    Result signalled(const std::string& arguments, double seconds, int signal) const;
    // A signal once the program has worked for `busy` seconds of the processor.
    Obeyed obeyed(const std::string& arguments, double busy, int signal) const;
    // Killed as soon as `when` holds.
    Result killed(const std::string& arguments, const std::function<bool()>& when) const;
    // By bash, with redirections and pipes; `before` stands before the program.
    Result shell(const std::string& arguments, const std::string& before = "") const;

private:
    deltaflow::test::Folder folder_;
};

// A ball that falls from 10 m, with restitution 0.8.
extern const std::string ball;
// An impulse of size 2 at t = 1 and its integral.
extern const std::string kick;
