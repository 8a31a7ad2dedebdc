// Those who are told what happens in a run, while it goes on. They look, and change nothing.
#pragma once

#include "engine/model/trace.hpp"

namespace deltaflow {

class Sink {
public:
    virtual ~Sink() = default;
    // Before anything else: names of signals and automata, impulse orders that signals may have.
    virtual void begin(const Trace&) {}
    // The next samples and events, in order of time. Nothing that belongs to one time is parted.
    virtual void take(const Trace& part) = 0;
    // The run has ended: how, and with what in its ledger.
    virtual void end(const Trace&) {}
};

// Keeps everything.
class TraceSink final : public Sink {
public:
    void begin(const Trace& heading) override { trace_ = heading; }
    void take(const Trace& part) override;
    void end(const Trace& closing) override;
    Trace&& trace() { return std::move(trace_); }

private:
    Trace trace_;
};

}  // namespace deltaflow
