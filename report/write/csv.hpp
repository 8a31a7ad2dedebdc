// Traces as CSV.
#pragma once

#include "deltaflow/sink.hpp"
#include "report/text/sheet.hpp"

namespace deltaflow::report {

// `t,epsilon,index,side`, then for each signal its value and its impulses `name.delta`, `name.delta1`, ...
void write_csv(const Trace& trace, Output& output);

// The same while the run goes on, straight to the output.
class CsvSink final : public Sink {
public:
    explicit CsvSink(Output& output) : output_(output) {}
    void begin(const Trace& heading) override;
    void take(const Trace& part) override;

private:
    Output& output_;
    std::vector<int> orders_;
};

// The same where later modes may show impulses that were not thought of: then columns are put between those
// that are there.
class WideningCsvSink final : public Sink {
public:
    WideningCsvSink(Output& output, const MakeSheet& make)
        : sheet_(output, make), rows_([this](std::string_view text) { put(text); }) {}
    void begin(const Trace& heading) override;
    void take(const Trace& part) override;
    void end(const Trace& closing) override;

private:
    void put(std::string_view text);
    void widen(const std::vector<int>& orders);

    SheetOf sheet_;
    std::uint64_t size_ = 0;
    Output rows_;
    Trace heading_;
    std::size_t header_ = 0;  // its length
};

// RFC 4180: a field with a comma, a quote or a line break is quoted, and its quotes are doubled.
std::string csv_field(const std::string& text);

}  // namespace deltaflow::report
