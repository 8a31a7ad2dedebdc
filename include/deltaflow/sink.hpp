// Those who are told what happens in a run, while it goes on. They look, and change nothing.
#pragma once

#include "deltaflow/trace.hpp"
#include "deltaflow/version.hpp"

#include <utility>
#include <vector>

namespace deltaflow {

class DELTAFLOW_API Sink {
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
class DELTAFLOW_API TraceSink final : public Sink {
public:
    void begin(const Trace& heading) override {
        if (!std::exchange(goes_on_, false)) trace_ = heading;
    }
    void take(const Trace& part) override;
    void end(const Trace& closing) override;
    // What a run has left that is gone on with.
    void take_up(Trace trace) {
        trace_ = std::move(trace);
        goes_on_ = true;
    }
    const Trace& so_far() const { return trace_; }
    // Leaves out events `from` .. `to` - 1.
    void forget_events(std::size_t from, std::size_t to);
    std::size_t event_count() const { return trace_.events.size(); }
    Trace&& trace() { return std::move(trace_); }

private:
    Trace trace_;
    bool goes_on_ = false;
};

// Keeps the first and the last events and no samples: what a summary shows.
class DELTAFLOW_API Digest final : public Sink {
public:
    Digest(std::size_t first, std::size_t last) : first_(first), last_(last) {}
    void begin(const Trace& heading) override { kept_.begin(heading); }
    void take(const Trace& part) override;
    void end(const Trace& closing) override { kept_.end(closing); }
    void take_up(Trace trace) { kept_.take_up(std::move(trace)); }
    const Trace& so_far() const { return kept_.so_far(); }
    Trace&& trace() { return kept_.trace(); }

private:
    std::size_t first_, last_;
    TraceSink kept_;
};

// Several at once, in order.
class DELTAFLOW_API Sinks final : public Sink {
public:
    void add(Sink& sink) { all_.push_back(&sink); }
    void begin(const Trace& heading) override {
        for (Sink* sink : all_) sink->begin(heading);
    }
    void take(const Trace& part) override {
        for (Sink* sink : all_) sink->take(part);
    }
    void end(const Trace& closing) override {
        for (Sink* sink : all_) sink->end(closing);
    }

private:
    std::vector<Sink*> all_;
};

}  // namespace deltaflow
