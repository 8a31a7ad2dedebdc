// One island under way: its state, its flow and its instants.
#pragma once

#include "engine/run/flow/flow.hpp"
#include "engine/run/instants/accumulation.hpp"
#include "engine/run/rounded/commits.hpp"

#include <memory>

namespace deltaflow {

class Island final : public HeldRun {
public:
    Island(const Settings& settings, const System& system, const SampleTimes& sample_times,
           SampleColumns& samples);
    // With a bond graph: starts in its first mode.
    Island(const Settings& settings, ModeSystems& modes, const SampleTimes& sample_times,
           SampleColumns& samples);
    Island(const Island&) = delete;
    ~Island() override;

    void start() override;
    // One flow, at most one step long or up to the next instant, and the instant.
    Going advance(double until) override;
    void feed(Fed fed, double t) override;
    void look(double t, std::span<double> out) override { flow_.look(t, out); }
    void sample_until(double t) override { flow_.sample_until(t); }
    void keep_germs() override { commits_.record().keep_germs(); }
    const MetGerm* met(std::size_t output, double t) const override {
        return commits_.record().met(output, t);
    }
    double next_event() const override { return flow_.next_event(); }
    double end_of_step() const override { return flow_.end_of_step(); }
    void archive(Archive& a) override;
    double time() const override { return state_.t; }
    double sampled_to() const override { return flow_.sampled_to(); }
    bool stopped_by_zeno() const override { return state_.zeno_stop; }
    bool terminated() const override { return state_.terminated; }
    double end_time() const override { return state_.zeno_stop ? state_.zeno.accumulation() : state_.t; }
    Recorder& recorder() override { return recorder_; }
    using IslandRun::recorder;
    const System& system() const override { return *at_.s; }
    std::uint64_t instants() const override { return state_.instants; }
    void close_ledger() {
        if (modes_) commits_.ledger().close(germs_);
    }
    const EnergyLedger& ledger() const { return book_.ledger; }
    const std::vector<std::string>& warnings() const { return warnings_; }
    std::size_t samples_written() const override { return state_.next_sample; }
    std::vector<double> values_at_end(double t) override;
    std::uint64_t evaluations() const override { return machineries_.evaluations(); }
    std::optional<double> stiff_since() const override { return machineries_.stiff_since(); }
    // The germ of a node at the last instant looked at, for messages: "left | right + impulses".
    std::string describe_germ(NodeId n) const override;
    // Tells `log` from now on what happens at instants.
    void observe(InstantLog& log) { commits_.teller().observe(log); }

private:
    Island(const Settings& settings, const System* system, ModeSystems* modes,
           const SampleTimes& sample_times, SampleColumns& samples);
    void prepare();
    void instant();
    bool is_at_stop() const;
    // The instant that a flow has led to; what becomes of the run if they accumulate there.
    std::optional<Going> happen();
    Going accumulate(NodeId condition);
    // island_save.cpp
    void archive(Archive& a, OneSidedGerm& g);
    void write_machineries(Archive& a);
    void read_machineries(Archive& a);
    const System& system_of(const bonds::Mode& mode, bool plain, const std::vector<Held>& held);

    const Settings& settings_;
    ModeSystems* modes_;  // only with a bond graph
    State state_;
    Running at_;
    Machineries machineries_;
    Germs germs_;
    GraphGerms graph_;
    Slides slides_;
    Recorder recorder_;
    EnergyBook book_;
    std::vector<std::string> warnings_;
    Flow flow_;
    Commits commits_;
    Accumulation accumulation_;
};

}  // namespace deltaflow
