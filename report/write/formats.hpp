// The formats that a run can be written in, each once: the command line and `run` are led by this table.
#pragma once

#include "deltaflow/sink.hpp"
#include "engine/model/model.hpp"
#include "report/text/output.hpp"
#include "report/write/json.hpp"

#include <functional>
#include <memory>
#include <span>

namespace deltaflow::report {

using MakeSpool = std::function<std::unique_ptr<Spool>()>;

struct TraceFormat {
    const char* option;  // whose value is the file
    const char* about;
    bool live;  // readers see each line as it is written; else the file appears whole
    // Can it be written while the run goes on, or does it need the whole trace? `resumes`: the run may have
    // begun, or may go on, in another program.
    bool (*streams)(const FlatModel& model, bool resumes);
    std::unique_ptr<Sink> (*sink)(Output& output, const MakeSpool& spool);
    void (*whole)(const Trace& trace, Output& output);  // nothing if it always streams
};

std::span<const TraceFormat> trace_formats();

}  // namespace deltaflow::report
