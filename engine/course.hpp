// A run under way: its islands, brought forward together, and what they did, handed on in order of time.
#pragma once

#include "deltaflow/sink.hpp"
#include "engine/course/merging.hpp"
#include "engine/limits.hpp"
#include "engine/model/patience.hpp"
#include "engine/modes/ready.hpp"
#include "engine/run/island_run.hpp"
#include "engine/run/samples.hpp"
#include "engine/simulate.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace deltaflow {

// Settings as a run needs them: checked, whoever set them, and with all defaults.
Settings complete(const FlatModel& model);
// Throws ModelError where clocks and sources would bring far more than max_events.
void check_periods(const FlatModel& model);

// All blocks are computed, recorded or not: where one of them has no value the run ends, whatever is shown.
FlatModel computing_all(FlatModel model);

class Course {
public:
    // `model` must stay. Signals beyond the first `shown` of its record are computed and not handed on.
    // `systems`: what was compiled of it before.
    Course(const FlatModel& model, std::size_t shown, const RunControl& control,
           std::shared_ptr<const std::vector<System>> systems = {});
    ~Course();
    Course(const Course&) = delete;

    void observe(Sink& sink) { sinks_.push_back(&sink); }
    // Everything at the start. Throws ModelError where the model cannot begin.
    void start();
    // Brings all islands to `t`, or as far as they come, and hands on what is known then.
    void advance_to(double t);
    // To the end, in parts.
    void run();

    // For those who hold the run in their hands. Not a step beyond t: what comes from outside can come then.
    // `leave_due`: what is due then in islands with inputs is left, until it is carried out with what comes
    // in.
    void advance_exactly_to(double t, bool leave_due = false);
    void carry_out();
    // To the nearest end of a step of any island.
    void step();
    void keep_germs() {
        for (Lane& lane : lanes_) lane.island->keep_germs();
    }
    double next_event() const;
    // Something comes now into an input, once it is carried out; the island of a node of the model, and its
    // number there.
    struct Inside {
        std::size_t lane;
        NodeId node;
    };
    std::optional<Inside> find(NodeId node) const;
    void feed(std::size_t lane, Fed fed);
    // Signals by their place in the record. Throws RunError where one has no value.
    double value(std::size_t signal);
    MetGerm germ(std::size_t signal);
    // Where it stands, all of it, as bytes and back.
    void archive(Archive& a);
    std::vector<std::byte> save();
    // Throws ModelError for what this model did not save.
    void restore(std::span<const std::byte> state);
    const Trace& so_far() const { return closing_; }
    bool has_ended() const { return end_ != HUGE_VAL || reached_ >= settings_.stop; }
    double time() const { return reached_; }
    // How far the one has come that has come farthest.
    double farthest() const;
    // All events before this have been handed on.
    double told_to() const { return told_to_; }
    Statistics& statistics() { return closing_.statistics; }
    // It goes no further.
    void end_here();
    // Tells the sinks how it ended.
    const Trace& finish();

private:
    // Everything before this is known when all islands have passed t: what belongs to one time stays
    // together.
    static double safe_before(double t) {
        return t - 4 * limits::same_time_ulps * rounding::unit * std::abs(t);
    }
    void add_islands(std::vector<ReadyIsland> ready);

    void bring(std::size_t island, double t, double until);
    void bring_all(double t, double until, bool leave_due = false);
    double brought_to(double t, bool leave_due = false) const;
    void deliver();
    void hand_on(double before);
    void add_events(Trace& part, double before);
    void add_samples(Trace& part, double before);
    void add_sliding();
    void end_by(RunError error);
    void end_by_block(const IslandRun& island);
    void end_by_zeno(const IslandRun& island);
    std::unique_ptr<HeldRun> make_island(ReadyIsland& ready, const Settings& settings,
                                         const SampleTimes& times, SampleColumns& samples) const;
    struct Lane;
    Lane again_to_end(std::size_t island, ReadyIsland ready) const;
    void close_islands();
    void close(const Lane& lane, bool with_values);
    bool interrupted();
    bool is_worth_telling();
    bool wants_checkpoint() const;
    void make_checkpoint();
    void interrupt(const std::string& words);
    void tell_progress(double t) const;

    // One island with what became of it; nobody else touches it while it moves.
    struct Lane {
        ReadyIsland ready;
        std::unique_ptr<HeldRun> island;
        SampleColumns samples;
        std::vector<std::uint32_t> signals;  // of its columns
        std::uint64_t steps = 0;
        bool is_fed = false;         // it has inputs
        bool stopped = false;        // it has come to its end, whichever
        bool waits = false;          // its next step leads beyond where all shall be brought
        std::vector<double> values;  // of its columns ...
        double looked = NAN;         // ... at this time
        // What it met since the last look; put into words by one thread.
        std::optional<RunFailure> failure;
        std::optional<ModelError> mistake;
    };

    const FlatModel& model_;
    const RunControl& control_;
    const Settings settings_;
    Patience patience_;
    std::size_t shown_;
    SampleTimes times_;
    std::vector<Lane> lanes_;
    struct Column {
        std::size_t lane = 0, column = 0;
    };
    std::vector<Column> places_;  // per signal of the record
    struct Given {
        std::size_t lane;
        Fed fed;
        void archive(Archive& a) { a(lane, fed); }
    };
    struct Outside {
        std::vector<Given> given;  // and not carried out
        bool due_is_left = false;
    } outside_;
    std::vector<Sink*> sinks_;
    Trace closing_;  // what is known of the whole run
    Merging merging_;
    double told_to_ = -HUGE_VAL;
    double end_ = HUGE_VAL;  // earliest end by error, Zeno or interrupt
    double reached_;
    std::size_t next_sample_ = 0;
    struct Last {
        std::chrono::steady_clock::time_point checkpoint = std::chrono::steady_clock::now(),
                                              told = checkpoint;
    } last_;
};

}  // namespace deltaflow
