// The formats that a run can be written in, each once: the command line and `run` are led by this table.
#pragma once

#include "deltaflow/sink.hpp"
#include "engine/model/model.hpp"
#include "report/text/sheet.hpp"

#include <memory>
#include <span>

namespace deltaflow::report {

struct TraceFormat {
    const char* option;  // whose value is the file
    const char* about;
    bool live;        // readers see each line as it is written; else the file appears whole
    bool tells_past;  // a run that goes on after a checkpoint tells what was before it, too
    // Writes while the run goes on.
    std::unique_ptr<Sink> (*sink)(const FlatModel& model, Output& output, const MakeSheet& sheet);
};

std::span<const TraceFormat> trace_formats();

}  // namespace deltaflow::report
