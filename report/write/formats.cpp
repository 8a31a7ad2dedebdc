// A row a format.
#include "report/write/formats.hpp"

#include "report/write/csv.hpp"

#include <array>

namespace deltaflow::report {

namespace {

template <class Writer>
std::unique_ptr<Sink> sink_of(Output& output, const MakeSpool&) {
    return std::make_unique<Writer>(output);
}

std::unique_ptr<Sink> json_sink(Output& output, const MakeSpool& spool) {
    return std::make_unique<JsonSink>(output, spool());
}

bool always(const FlatModel&, bool) { return true; }
// Which impulses a signal of a bond graph carries shows in its modes: then the columns are known in the end.
bool without_bonds(const FlatModel& model, bool) { return model.graph.elements.empty(); }
// Who may go on later has to have the whole trace.
bool in_one_go(const FlatModel&, bool resumes) { return !resumes; }

constexpr std::array formats{
    TraceFormat{"--csv", "write the trace as CSV", false, without_bonds, sink_of<CsvSink>, write_csv},
    TraceFormat{"--json", "write the trace as JSON", false, in_one_go, json_sink,
                [](const Trace& trace, Output& output) { write_json(trace, output); }},
    TraceFormat{"--jsonl", "write a line of JSON for each sample and event, as it happens", true, always,
                sink_of<JsonLinesSink>, nullptr},
};

}  // namespace

std::span<const TraceFormat> trace_formats() { return formats; }

}  // namespace deltaflow::report
