// An island under way, whichever way it carries impulses: what the run asks of it.
#pragma once

#include "deltaflow/trace.hpp"
#include "engine/compile/system.hpp"
#include "engine/model/archive.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace deltaflow {

// A block that was held; NaN: it is still.
struct Slid {
    NodeId block;  // of the whole diagram
    double from, to;
};

// Samples and events of one island; the trace puts islands together.
struct Recorder {
    std::vector<Event> events;
    std::vector<NodeId> causes;  // of events, as nodes of the whole diagram
    std::vector<Jump> jumps;
    std::vector<double> impulses;
    std::vector<std::uint32_t> modes;       // of events: the state of each automaton
    std::vector<std::uint32_t> first_mode;  // with the states that ideal elements have at the start
    std::vector<Slid> slid;                 // kept to the end
    Statistics statistics;
    Proved proved;
    NodeId last_cause = no_node;  // of events that were dropped

    // Forgets the first n events: somebody has them.
    void drop(std::size_t n);
    void archive(Archive& a) {
        a(events, causes, jumps, impulses, modes, first_mode, slid, statistics, proved, last_cause);
    }
};

// What comes from outside into one of the inputs.
struct Fed {
    NodeId node;
    std::optional<double> value;  // from now on
    std::vector<double> impulses;
    void archive(Archive& a) { a(node, value, impulses); }
};

// All that has come into one input, as one; it is taken out of the list.
Fed take_all(std::vector<Fed>& list, NodeId node);

// A signal at one time: values on both sides, and the coefficients of delta, delta', ...
struct MetGerm {
    double left = 0, right = 0;
    std::vector<double> impulses;
    void archive(Archive& a) { a(left, right, impulses); }
};

enum class Going { on, waits, ended };

class IslandRun {
public:
    virtual ~IslandRun() = default;
    virtual void start() = 0;
    // One step at most, and what happens at its end. A step that leads beyond `until` is left for later: then
    // the island waits.
    virtual Going advance(double until) = 0;
    virtual double time() const = 0;
    virtual bool stopped_by_zeno() const = 0;
    // Has a block of the model ended the run?
    virtual bool terminated() const = 0;
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

// One that can be held: looked at, fed, saved and gone on with.
class HeldRun : public IslandRun {
public:
    // Something comes from outside at t, which no step has passed yet.
    virtual void feed(Fed fed, double t) = 0;
    // All outputs at t, within the step at hand.
    virtual void look(double t, std::span<double> out) = 0;
    // Samples up to t, within the step at hand.
    virtual void sample_until(double t) = 0;
    // What they did at the last instant, if that was at t; only if somebody wants to know.
    virtual void keep_germs() {}
    virtual const MetGerm* met(std::size_t, double) const { return nullptr; }
    // When something happens next, as far as is known: by the calendar, or within the step at hand.
    virtual double next_event() const = 0;
    // Where the step at hand leads.
    virtual double end_of_step() const = 0;
    // Where it stands, all of it, as bytes and back.
    virtual void archive(Archive& a) = 0;
};

}  // namespace deltaflow
