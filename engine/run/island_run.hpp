// An island under way, whichever way it carries impulses: what the run asks of it.
#pragma once

#include "deltaflow/trace.hpp"
#include "engine/compile/system.hpp"

#include <optional>
#include <string>
#include <vector>

namespace deltaflow {

// Samples and events of one island; the trace puts islands together.
struct Recorder {
    std::vector<Event> events;
    std::vector<NodeId> causes;  // of events, as nodes of the whole diagram
    std::vector<Jump> jumps;
    std::vector<double> impulses;
    std::vector<std::uint32_t> modes;  // of events: the state of each automaton
    Statistics statistics;
    Proved proved;
    NodeId last_cause = no_node;  // of events that were dropped

    // Forgets the first n events: somebody has them.
    void drop(std::size_t n);
};

class IslandRun {
public:
    virtual ~IslandRun() = default;
    virtual void start() = 0;
    // One step at most, and what happens at its end. False at the end of the run.
    virtual bool advance() = 0;
    virtual double time() const = 0;
    virtual bool stopped_by_zeno() const = 0;
    virtual double end_time() const = 0;
    virtual Recorder& recorder() = 0;
    const Recorder& recorder() const { return const_cast<IslandRun*>(this)->recorder(); }
    virtual const System& system() const = 0;
    virtual std::uint64_t instants() const = 0;
    virtual std::size_t samples_written() const = 0;
    // What its outputs are where it ended, at `t` of the step that could not be finished or else at time();
    // nothing where they have no value.
    virtual std::vector<double> values_at_end(double) { return {}; }
    virtual std::uint64_t evaluations() const = 0;
    // Since when stability, not accuracy, has limited the steps.
    virtual std::optional<double> stiff_since() const { return std::nullopt; }
    // A signal at the last instant looked at, for messages.
    virtual std::string describe_germ(NodeId n) const = 0;
};

}  // namespace deltaflow
