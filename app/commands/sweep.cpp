// `deltaflow sweep`: many runs, a row each.
#include "engine/sweep.hpp"

#include "app/commands/commands.hpp"
#include "app/files.hpp"
#include "app/input.hpp"
#include "app/interrupt.hpp"
#include "app/picture_file.hpp"
#include "app/progress.hpp"
#include "app/terminal.hpp"
#include "report/plot/plot.hpp"
#include "report/plot/svg.hpp"
#include "report/plot/sweep_picture.hpp"
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

// Axes with all of their values: those that are drawn by chance, too.
std::vector<SweepAxis> axes_of(const SweepOptions& options) {
    constexpr std::size_t usual_draws = 100;
    std::vector<SweepAxis> axes = options.over;
    for (SweepAxis& axis : axes)
        if (axis.draw)
            axis.values = drawn_values(axis.name, *axis.draw, options.runs > 0 ? options.runs : usual_draws,
                                       options.seed);
    return axes;
}

// What is wrong with a value stands where it was given.
Sweep sweep_named(const SweepOptions& options, const std::vector<SweepAxis>& axes, const ModelFiles& files,
                  const SweepControl& control) {
    try {
        return deltaflow::sweep(files, options.load, axes, control);
    } catch (ModelError& error) {
        for (auto& source : error.sources.files)
            for (const SweepAxis& axis : options.over)
                if (source.path == "--set" && source.text.starts_with(axis.name + "="))
                    source.path = "--over";
        throw;
    }
}

// All files that the first run reads.
std::vector<std::string> inputs_of(const SweepOptions& options, const std::vector<SweepAxis>& axes,
                                   const ModelFiles& files) {
    LoadOptions load = options.load;
    for (const SweepAxis& axis : axes) load.set.emplace_back(axis.name, axis.values.front());
    try {
        return files_of(load_model(files, load));
    } catch (const ModelError&) {  // others may be good
        return {options.model};
    }
}

void write_answer(const SweepOptions& options, const Sweep& result, Output& output) {
    const bool written = !options.csv.empty() || !options.json.empty() || !options.svg.empty();
    if (!options.quiet && !written && !options.plot) write_table(result, output);
    if (options.plot) write_plot(picture_of(result), terminal(), output);
    if (!options.quiet) write_count(result, output);
}

}  // namespace

int sweep(const SweepOptions& options) {
    const ModelFiles files = read_input(options.model, options.load.allow);
    const std::vector<SweepAxis> axes = axes_of(options);
    claim_outputs({options.csv, options.json, options.svg}, inputs_of(options, axes, files));
    keep_order();
    Sweep result;
    {
        Progress progress;
        const auto show = [&progress](double fraction) { progress.show(fraction); };
        result = sweep_named(options, axes, files, {&interrupt_flag(), show, options.jobs, options.measures});
    }
    if (!options.csv.empty()) write_file(options.csv, [&](Output& output) { write_csv(result, output); });
    if (!options.json.empty()) write_file(options.json, [&](Output& output) { write_json(result, output); });
    if (!options.svg.empty())
        write_picture(options.svg, [&](Output& output) { write_svg(picture_of(result), output); });
    const bool data_here = options.csv == "-" || options.json == "-" || options.svg == "-";
    if (!data_here && (!options.quiet || options.plot))
        write_file("-", [&](Output& output) { write_answer(options, result, output); });
    tell_failures(result);
    return unless_interrupted(0);
}

}  // namespace deltaflow::app
