// Traces and reports as JSON; numbers with 17 digits, null where they are not finite.
#pragma once

#include "deltaflow/sink.hpp"
#include "engine/simulate.hpp"
#include "report/text/output.hpp"

namespace deltaflow::report {

void write_json(const Trace& trace, Output& output);
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
