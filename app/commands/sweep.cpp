// `deltaflow sweep`: many runs, a row each.
#include "engine/sweep.hpp"

#include "app/arguments.hpp"
#include "app/commands/commands.hpp"
#include "app/interrupt.hpp"
#include "app/progress.hpp"
#include "blocks/json_text.hpp"
#include "report/text/columns.hpp"
#include "report/text/notation.hpp"
#include "report/write/csv.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace deltaflow::app {

namespace {

// Fractions as decimals, words as they are.
std::string value_text(const std::string& value) {
    return complaint_about_number(value).empty() ? fmt::format("{}", number_of(value)) : value;
}

bool is_known(const std::optional<double>& x) { return x && std::isfinite(*x); }

void write_csv(const Sweep& sweep, Output& output) {
    for (const std::string& name : sweep.parameters) output.print("{},", csv_field(name));
    for (const std::string& name : sweep.signals) output.print("{},", csv_field(name));
    output.write("events,end\n");
    for (const SweepRow& row : sweep.rows) {
        for (const std::string& value : row.values) output.print("{},", csv_field(value_text(value)));
        for (const auto& x : row.finals) output.write(is_known(x) ? fmt::format("{:.17g},", *x) : ",");
        output.print("{},{}\n", row.events, name_of(row.end_reason));
    }
}

std::string json_of(const Sweep& sweep, const SweepRow& row) {
    using namespace json_text;
    Members parameters, signals;
    for (std::size_t p = 0; p < row.values.size(); ++p) {
        const std::string text = value_text(row.values[p]);
        parameters.emplace_back(sweep.parameters[p],
                                complaint_about_number(text).empty() ? text : string(text));
    }
    for (std::size_t s = 0; s < row.finals.size(); ++s)
        signals.emplace_back(sweep.signals[s],
                             is_known(row.finals[s]) ? fmt::format("{:.17g}", *row.finals[s]) : "null");
    Members members{{"parameters", object(parameters)},
                    {"signals", object(signals)},
                    {"events", std::to_string(row.events)},
                    {"end", object({{"t", fmt::format("{:.17g}", row.end_t)},
                                    {"reason", string(name_of(row.end_reason))}})}};
    if (!row.errors.empty()) members.emplace_back("error", string(row.errors.front().text));
    return object(members);
}

void write_json(const Sweep& sweep, Output& output) {
    output.print("{{\n  \"model\": {},\n  \"rows\": [", json_text::string(sweep.model));
    const char* separator = "\n    ";
    for (const SweepRow& row : sweep.rows) {
        output.print("{}{}", separator, json_of(sweep, row));
        separator = ",\n    ";
    }
    output.write("\n  ]\n}\n");
}

void write_table(const Sweep& sweep, Output& output) {
    std::vector<Row> rows(1);
    for (const auto& names : {sweep.parameters, sweep.signals, {"events", "end"}})
        rows.front().insert(rows.front().end(), names.begin(), names.end());
    for (const SweepRow& run : sweep.rows) {
        Row& row = rows.emplace_back();
        for (const std::string& value : run.values) row.push_back(value_text(value));
        for (const auto& x : run.finals) row.push_back(is_known(x) ? number_text(*x) : "");
        row.push_back(std::to_string(run.events));
        row.emplace_back(name_of(run.end_reason));
    }
    write_columns(rows, 0, output);
}

// "101 runs: 100 stop, 1 zeno"
void write_count(const Sweep& sweep, Output& output) {
    std::map<std::string_view, std::size_t> ends;
    for (const SweepRow& row : sweep.rows) ++ends[name_of(row.end_reason)];
    std::string text = fmt::format("{} run{}: ", sweep.rows.size(), sweep.rows.size() == 1 ? "" : "s");
    const char* separator = "";
    for (const auto& [reason, count] : ends) {
        text += fmt::format("{}{} {}", separator, count, reason);
        separator = ", ";
    }
    output.write(line_text(text));
}

// The first failure in full, the others by their number.
void tell_failures(const Sweep& sweep) {
    const auto failed = [](const SweepRow& row) { return !row.errors.empty(); };
    const auto first = std::find_if(sweep.rows.begin(), sweep.rows.end(), failed);
    if (first == sweep.rows.end()) return;
    std::string at;
    for (std::size_t p = 0; p < sweep.parameters.size(); ++p)
        at += fmt::format("{}{} = {}", p > 0 ? ", " : "", sweep.parameters[p], value_text(first->values[p]));
    fmt::print(stderr, "with {}:\n{}", at, line_text(first->errors.front().text));
    if (const auto count = std::count_if(sweep.rows.begin(), sweep.rows.end(), failed); count > 1)
        fmt::print(stderr, "{} runs failed; this was the first\n", count);
}

// What is wrong with a value stands where it was given.
Sweep sweep_named(const SweepOptions& options, const SweepControl& control) {
    try {
        return deltaflow::sweep(options.model, options.load, options.over, control);
    } catch (ModelError& error) {
        for (auto& source : error.sources.files)
            for (const SweepAxis& axis : options.over)
                if (source.path == "--set" && source.text.starts_with(axis.name + "="))
                    source.path = "--over";
        throw;
    }
}

}  // namespace

int sweep(const SweepOptions& options) {
    for (const std::string& path : {options.csv, options.json})
        if (!path.empty()) require_writable(path);
    listen_for_interrupts();
    Sweep result;
    {
        Progress progress;
        const auto show = [&progress](double fraction) { progress.show(fraction); };
        result = sweep_named(options, {&interrupt_flag(), show, options.jobs});
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
    return interrupt_flag() ? 130 : 0;
}

}  // namespace deltaflow::app
