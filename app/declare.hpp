// Every command with its options, as CLI11 takes them.
#pragma once

#include "app/options.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

namespace deltaflow::app {

// One line each.
struct Commands {
    RunOptions run;
    CheckOptions check;
    CompareOptions compare;
    ExactOptions exact;
    HypaOptions hypa;
    ShowOptions show;
    ExplainOptions explain;
    SweepOptions sweep;
    MergeOptions merge;
    BlocksOptions blocks;
    NewOptions make_new;
    CompletionOptions completion;
    StudioOptions studio;
    ManOptions man;
    LspOptions lsp;
    bool stdio = true;  // the only way that lsp speaks
    HelpOptions help;

    // What was said of the command that was parsed.
    struct Entry {
        const CLI::App& command;
        std::function<Command()> options;
    };
    std::vector<Entry> declare(CLI::App& app);

    // About options that do not go together; empty if nothing is wrong.
    std::string complaint() const;
};

}  // namespace deltaflow::app
