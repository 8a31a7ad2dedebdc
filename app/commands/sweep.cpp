// `deltaflow sweep`: many runs, a row each.
#include "engine/sweep.hpp"

#include "app/commands/commands.hpp"
#include "app/files.hpp"
#include "app/input.hpp"
#include "app/interrupt.hpp"
#include "app/progress.hpp"
#include "report/text/notation.hpp"
#include "report/write/sweep.hpp"

#include <algorithm>

namespace deltaflow::app {

using namespace report;

namespace {

// The first failure in full, the others by their number.
void tell_failures(const Sweep& sweep) {
    const auto failed = [](const SweepRow& row) { return !row.errors.empty(); };
    const auto first = std::find_if(sweep.rows.begin(), sweep.rows.end(), failed);
    if (first == sweep.rows.end()) return;
    std::string at;
    for (std::size_t p = 0; p < sweep.parameters.size(); ++p)
        at += fmt::format("{}{} = {}", p > 0 ? ", " : "", sweep.parameters[p], value_text(first->values[p]));
    tell(fmt::format("with {}:\n{}", at, line_text(first->errors.front().text)));
    if (const auto count = std::count_if(sweep.rows.begin(), sweep.rows.end(), failed); count > 1)
        tell(fmt::format("{} runs failed; this was the first\n", count));
}

// What is wrong with a value stands where it was given.
Sweep sweep_named(const SweepOptions& options, const ModelFiles& files, const SweepControl& control) {
    try {
        return deltaflow::sweep(files, options.load, options.over, control);
    } catch (ModelError& error) {
        for (auto& source : error.sources.files)
            for (const SweepAxis& axis : options.over)
                if (source.path == "--set" && source.text.starts_with(axis.name + "="))
                    source.path = "--over";
        throw;
    }
}

// All files that the first run reads.
std::vector<std::string> inputs_of(const SweepOptions& options, const ModelFiles& files) {
    LoadOptions load = options.load;
    for (const SweepAxis& axis : options.over) load.set.emplace_back(axis.name, axis.values.front());
    try {
        return files_of(load_model(files, load));
    } catch (const ModelError&) {  // others may be good
        return {options.model};
    }
}

}  // namespace

int sweep(const SweepOptions& options) {
    const ModelFiles files = read_input(options.model, options.load.allow);
    claim_outputs({options.csv, options.json}, inputs_of(options, files));
    keep_order();
    Sweep result;
    {
        Progress progress;
        const auto show = [&progress](double fraction) { progress.show(fraction); };
        result = sweep_named(options, files, {&interrupt_flag(), show, options.jobs});
    }
    if (!options.csv.empty()) write_file(options.csv, [&](Output& output) { write_csv(result, output); });
    if (!options.json.empty()) write_file(options.json, [&](Output& output) { write_json(result, output); });
    const bool data_here = options.csv == "-" || options.json == "-";
    if (!options.quiet && !data_here)
        write_file("-", [&](Output& output) {
            if (options.csv.empty() && options.json.empty()) write_table(result, output);
            write_count(result, output);
        });
    tell_failures(result);
    return unless_interrupted(0);
}

}  // namespace deltaflow::app
