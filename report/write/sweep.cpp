// Rows of a sweep as table, CSV and JSON.
#include "report/write/sweep.hpp"

#include "blocks/json_text.hpp"
#include "report/text/columns.hpp"
#include "report/text/notation.hpp"
#include "report/text/numbers.hpp"
#include "report/write/csv.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace deltaflow::report {

namespace {

bool is_known(const std::optional<double>& x) { return x && std::isfinite(*x); }

// Runs that could not be loaded have none.
std::optional<double> measure(const SweepRow& row, std::size_t m) {
    return m < row.measures.size() && is_known(row.measures[m]) ? row.measures[m] : std::nullopt;
}

std::string json_of(const Sweep& sweep, const SweepRow& row, std::optional<std::size_t> index = {}) {
    using namespace json_text;
    Members parameters, signals;
    for (std::size_t p = 0; p < row.values.size(); ++p) {
        const std::string text = value_text(row.values[p]);
        parameters.emplace_back(sweep.parameters[p], finite_number(text) ? text : string(text));
    }
    for (std::size_t s = 0; s < row.finals.size(); ++s)
        signals.emplace_back(sweep.signals[s],
                             is_known(row.finals[s]) ? fmt::format("{:.17g}", *row.finals[s]) : "null");
    Members measures;
    for (std::size_t m = 0; m < sweep.measures.size(); ++m)
        measures.emplace_back(sweep.measures[m], measure(row, m) ? fmt::format("{:.17g}", *measure(row, m))
                                                                 : std::string("null"));
    Members members{{"parameters", object(parameters)},
                    {"signals", object(signals)},
                    {"events", std::to_string(row.events)},
                    {"end", object({{"t", fmt::format("{:.17g}", row.end_t)},
                                    {"reason", string(name_of(row.end_reason))}})}};
    if (!measures.empty()) members.insert(members.begin() + 2, {"measures", object(measures)});
    if (!row.errors.empty()) members.emplace_back("error", string(row.errors.front().text));
    if (index) members.insert(members.begin(), {"run", std::to_string(*index)});
    return object(members);
}

}  // namespace

std::string value_text(const std::string& value) {
    const auto number = finite_number(value);
    return number ? fmt::format("{}", *number) : value;
}

std::string csv_heading(const Sweep& sweep) {
    std::string line;
    for (const auto* names : {&sweep.parameters, &sweep.signals, &sweep.measures})
        for (const std::string& name : *names) line += csv_field(name) + ",";
    return line + "events,end";
}

std::string csv_line(const Sweep& sweep, const SweepRow& row) {
    std::string line;
    for (const std::string& value : row.values) line += csv_field(value_text(value)) + ",";
    for (std::size_t s = 0; s < sweep.signals.size(); ++s)
        line +=
            s < row.finals.size() && is_known(row.finals[s]) ? fmt::format("{:.17g},", *row.finals[s]) : ",";
    for (std::size_t m = 0; m < sweep.measures.size(); ++m)
        line += measure(row, m) ? fmt::format("{:.17g},", *measure(row, m)) : ",";
    return line + fmt::format("{},{}", row.events, name_of(row.end_reason));
}

std::string json_line(const Sweep& sweep, const SweepRow& row, std::size_t index) {
    return json_of(sweep, row, index);
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
    for (const auto& names : {sweep.parameters, sweep.signals, sweep.measures, {"events", "end"}})
        rows.front().insert(rows.front().end(), names.begin(), names.end());
    for (const SweepRow& run : sweep.rows) {
        Row& row = rows.emplace_back();
        for (const std::string& value : run.values) row.push_back(value_text(value));
        for (const auto& x : run.finals) row.push_back(is_known(x) ? number_text(*x) : "");
        row.resize(sweep.parameters.size() + sweep.signals.size());
        for (std::size_t m = 0; m < sweep.measures.size(); ++m)
            row.push_back(measure(run, m) ? number_text(*measure(run, m)) : "");
        row.push_back(std::to_string(run.events));
        row.emplace_back(name_of(run.end_reason));
    }
    write_columns(rows, 0, output);
}

void write_count(const SweepCount& count, Output& output) {
    std::map<std::string_view, std::size_t> ends;
    std::size_t runs = 0;
    for (const auto& [reason, n] : count) {
        ends[name_of(reason)] += n;
        runs += n;
    }
    std::string text = fmt::format("{} run{}: ", runs, runs == 1 ? "" : "s");
    const char* separator = "";
    for (const auto& [reason, n] : ends) {
        text += fmt::format("{}{} {}", separator, n, reason);
        separator = ", ";
    }
    output.write(line_text(text));
}

}  // namespace deltaflow::report
