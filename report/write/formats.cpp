// A row a format.
#include "report/write/formats.hpp"

#include "report/write/csv.hpp"
#include "report/write/json.hpp"

#include <array>

namespace deltaflow::report {

namespace {

// Which impulses a signal of a bond graph carries shows in its modes.
std::unique_ptr<Sink> csv_sink(const FlatModel& model, Output& output, const MakeSheet& sheet) {
    if (model.graph.elements.empty()) return std::make_unique<CsvSink>(output);
    return std::make_unique<WideningCsvSink>(output, sheet);
}

std::unique_ptr<Sink> json_sink(const FlatModel&, Output& output, const MakeSheet& sheet) {
    return std::make_unique<JsonSink>(output, sheet);
}

std::unique_ptr<Sink> json_lines_sink(const FlatModel&, Output& output, const MakeSheet&) {
    return std::make_unique<JsonLinesSink>(output);
}

constexpr std::array formats{
    TraceFormat{"--csv", "write the trace as CSV", false, false, csv_sink},
    TraceFormat{"--json", "write the trace as JSON", false, true, json_sink},
    TraceFormat{"--jsonl", "write a line of JSON for each sample and event, as it happens", true, false,
                json_lines_sink},
};

}  // namespace

std::span<const TraceFormat> trace_formats() { return formats; }

}  // namespace deltaflow::report
