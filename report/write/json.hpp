// Traces and reports as JSON; numbers with 17 digits, null where they are not finite.
#pragma once

#include "deltaflow/sink.hpp"
#include "engine/simulate.hpp"
#include "report/text/sheet.hpp"

#include <vector>

namespace deltaflow::report {

void write_json(const Trace& trace, Output& output);

// Writes what write_json(trace) does, and keeps no trace: numbers become text as they come. Where the output
// has no sheet, or none from `make`, the text is kept until the end.
class JsonSink final : public Sink {
public:
    JsonSink(Output& output, const MakeSheet& make) : sheet_(output, make), regions_(*sheet_) {}
    void begin(const Trace& heading) override;
    void take(const Trace& part) override;
    void end(const Trace& closing) override;

private:
    void add(std::size_t region, std::string_view separator, std::string_view text);

    SheetOf sheet_;
    Regions regions_;
    std::vector<bool> begun_;  // of the times, the signals and the events: is anything in it?
};

// A line for the heading, for each sample and event in order of time, and for the end; as they happen.
class JsonLinesSink final : public Sink {
public:
    explicit JsonLinesSink(Output& output) : output_(output) {}
    void begin(const Trace& heading) override;
    void take(const Trace& part) override;
    void end(const Trace& closing) override;

private:
    Output& output_;
};

void write_json(const CheckReport& report, const Sources& sources, Output& output);

}  // namespace deltaflow::report
