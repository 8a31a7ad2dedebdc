// Traces as CSV.
#pragma once

#include "deltaflow/sink.hpp"
#include "report/text/output.hpp"

namespace deltaflow::report {

// `t,epsilon,index,side`, then for each signal its value and its impulses `name.delta`, `name.delta1`, ...
void write_csv(const Trace& trace, Output& output);

// The same while the run goes on. Impulse orders that only a later mode shows have no column.
class CsvSink final : public Sink {
public:
    explicit CsvSink(Output& output) : output_(output) {}
    void begin(const Trace& heading) override;
    void take(const Trace& part) override;

private:
    Output& output_;
    std::vector<int> orders_;
};

// RFC 4180: a field with a comma, a quote or a line break is quoted, and its quotes are doubled.
std::string csv_field(const std::string& text);

}  // namespace deltaflow::report
