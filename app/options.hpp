// The command line.
#pragma once

#include "engine/model.hpp"

#include <string>
#include <variant>
#include <vector>

namespace deltaflow::app {

struct RunOptions {
    std::string model;
    LoadOptions load;
    std::vector<double> at;      // sorted; empty: the model's grid
    std::string csv, json, svg;  // files, "-" for standard output; empty: not asked for
    bool table = false, quiet = false;
};

struct CheckOptions {
    std::string model;
    LoadOptions load;
    std::string json;
    bool quiet = false;
};

struct CompareOptions {
    std::string model;
    LoadOptions load;
    std::vector<Rational> steps;  // empty: parts of the run
    std::string signal;           // empty: the first that is recorded
    std::string json, svg;
    bool quiet = false;
};

struct HypaOptions {
    std::string model;
    LoadOptions load;
    bool latex = false;
    std::uint64_t most_modes = 16;
};

struct BlocksOptions {
    std::string name;  // empty: all of them
    bool schema = false, markdown = false;
};

// Nothing is left to do but print: help (code 0, to standard output) or wrong usage (2, to standard error).
struct Message {
    int code = 0;
    std::string text;
};

using Command = std::variant<Message, RunOptions, CheckOptions, CompareOptions, HypaOptions, BlocksOptions>;

Command parse_command_line(int argc, const char* const* argv);

}  // namespace deltaflow::app
