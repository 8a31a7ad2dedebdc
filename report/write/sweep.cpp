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

std::string json_of(const Sweep& sweep, const SweepRow& row) {
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
    return object(members);
}

}  // namespace

std::string value_text(const std::string& value) {
    const auto number = finite_number(value);
    return number ? fmt::format("{}", *number) : value;
}

void write_csv(const Sweep& sweep, Output& output) {
    for (const std::string& name : sweep.parameters) output.print("{},", csv_field(name));
    for (const std::string& name : sweep.signals) output.print("{},", csv_field(name));
    for (const std::string& name : sweep.measures) output.print("{},", csv_field(name));
    output.write("events,end\n");
    for (const SweepRow& row : sweep.rows) {
        for (const std::string& value : row.values) output.print("{},", csv_field(value_text(value)));
        for (std::size_t s = 0; s < sweep.signals.size(); ++s)
            output.write(s < row.finals.size() && is_known(row.finals[s])
                             ? fmt::format("{:.17g},", *row.finals[s])
                             : ",");
        for (std::size_t m = 0; m < sweep.measures.size(); ++m)
            output.write(measure(row, m) ? fmt::format("{:.17g},", *measure(row, m)) : ",");
        output.print("{},{}\n", row.events, name_of(row.end_reason));
    }
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

}  // namespace deltaflow::report
