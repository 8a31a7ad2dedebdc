// The command line.
#pragma once

#include "engine/model/model.hpp"
#include "engine/sweep.hpp"
#include "report/plot/picture.hpp"
#include "report/write/formats.hpp"

#include <string>
#include <variant>
#include <vector>

namespace deltaflow::app {

struct RunOptions {
    std::string model;
    LoadOptions load;
    std::vector<double> at;  // sorted; empty: the model's grid
    // Files, "-" for standard output; empty: not asked for. Of each format, and a picture.
    std::vector<std::string> written = std::vector<std::string>(report::trace_formats().size());
    std::string svg;
    std::string checkpoint, resume;  // files with states; empty: none
    double checkpoint_seconds = 60;
    std::optional<unsigned> threads;    // islands side by side, instead of those that the model asks for
    std::vector<report::Group> groups;  // what pictures show; empty: a panel each signal
    report::View view;                  // how they show it
    std::vector<std::string> also;      // further runs in the same picture: "e=0.5,g=1.62"
    bool plot = false;                  // draw in the terminal
    bool table = false, quiet = false;

    // Who says what to show and not where sees it in the terminal.
    bool draws_here() const { return plot || (svg.empty() && !groups.empty()); }
    std::vector<std::string> outputs() const {
        std::vector<std::string> all = written;
        all.push_back(svg);
        return all;
    }
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

struct ExactOptions {
    std::string model;
    LoadOptions load;
    std::string json;
    bool latex = false, quiet = false;
};

struct HypaOptions {
    std::string model;
    LoadOptions load;
    bool latex = false;
    std::uint64_t most_modes = 16;
};

struct ShowOptions {
    std::string model;
    LoadOptions load;
    std::string svg, dot;    // files; both empty: a list is printed
    std::string mode;        // "touch=together,contact=on"
    std::vector<double> at;  // times at which the shapes of [animation] are drawn instead
    bool flat = false, primitives = false;
    std::size_t most = 150;
};

struct ExplainOptions {
    std::string model;
    LoadOptions load;
    std::optional<double> at;
    std::uint64_t event = 0;  // counted from 1; 0: by its time
    bool latex = false, all = false;
    std::string json, svg;
};

struct SweepOptions {
    std::string model;
    LoadOptions load;
    std::vector<SweepAxis> over;
    std::vector<Measure> measures;
    Draws draws{.runs = 0};  // 0: not said how many
    std::string csv, jsonl, json, svg;
    Share share;          // of all runs
    bool resume = false;  // go on with the files that are there
    bool plot = false;    // draw in the terminal
    unsigned jobs = 0;
    bool quiet = false;

    // Rows go into files as they end, and nowhere else.
    bool only_appends() const {
        return !(csv.empty() && jsonl.empty()) && json.empty() && svg.empty() && !plot && csv != "-";
    }
};

struct MergeOptions {
    std::vector<std::string> parts;
    std::string output = "-";
};

struct BlocksOptions {
    std::string name;  // empty: all of them
    bool schema = false, markdown = false;
};

struct NewOptions {
    std::string path;  // "-" for standard output
    std::string kind;  // name of a starter
    bool force = false;
};

struct CompletionOptions {
    std::string shell;                // whose script is printed, or
    std::string parameters, signals;  // the model whose names are
};

struct StudioOptions {
    std::string model;       // empty: the folder alone
    std::string page;        // folder; empty: where it is installed
    std::uint16_t port = 0;  // 0: any that is free
    bool no_browser = false;
};

struct ManOptions {};
struct LspOptions {};

struct HelpOptions {
    std::string command;
};

// Nothing is left to do but print: help (code 0, to standard output) or wrong usage (2, to standard error).
struct Message {
    int code = 0;
    std::string text;
};

using Command = std::variant<Message, RunOptions, CheckOptions, CompareOptions, ExactOptions, HypaOptions,
                             ShowOptions, ExplainOptions, SweepOptions, MergeOptions, BlocksOptions,
                             NewOptions, CompletionOptions, StudioOptions, ManOptions, LspOptions>;

Command parse_command_line(int argc, const char* const* argv);

// Lets an error speak of the options that were given.
void name_options(ModelError& error, int argc, const char* const* argv);

// What the command line takes, as --help has it; for manual page and completion.
struct Argument {
    std::string name;   // "--svg", or "MODEL" for one without a dash
    std::string value;  // what follows: "FILE"; empty for flags
    std::string about;
    std::vector<std::string> words;  // all that it may be, if they are few
    std::string names;               // "parameters" or "signals": of the model at hand
    bool required = false, repeatable = false;
    bool is_option() const { return name.front() == '-'; }
};
struct CommandHelp {
    std::string name, about, footer;
    std::vector<Argument> arguments;
};
struct CommandLineHelp {
    CommandHelp all;  // options of every command
    std::vector<CommandHelp> commands;
};
CommandLineHelp describe_command_line();

}  // namespace deltaflow::app
