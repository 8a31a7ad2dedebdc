// Traces and reports as JSON; numbers with 17 digits, null where they are not finite.
#pragma once

#include "deltaflow/sink.hpp"
#include "engine/simulate.hpp"
#include "report/text/output.hpp"

#include <cstdint>
#include <memory>

namespace deltaflow::report {

void write_json(const Trace& trace, Output& output);

// Where text waits until its place in a file is known.
class Spool {
public:
    virtual ~Spool() = default;
    virtual void add(std::string_view text) = 0;
    virtual void hand_on(std::uint64_t from, std::uint64_t size, Output& output) = 0;
};

// Writes what write_json(trace) does, and keeps no trace: numbers become text as they come, and the columns
// are put together in the end.
class JsonSink final : public Sink {
public:
    JsonSink(Output& output, std::unique_ptr<Spool> spool) : output_(output), spool_(std::move(spool)) {}
    void begin(const Trace& heading) override;
    void take(const Trace& part) override;
    void end(const Trace& closing) override;

private:
    struct Piece {
        std::uint64_t from, size;
    };
    struct Column {
        std::string name, waiting;
        bool empty = true;
        std::vector<Piece> spooled;
    };
    void add(Column& column, std::string_view separator, std::string_view text);
    void spool_up();
    void hand_on(const Column& column);

    Output& output_;
    std::unique_ptr<Spool> spool_;
    std::uint64_t spooled_ = 0, waiting_ = 0;
    std::vector<Column> columns_;  // times, then signals
    Column events_;
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
