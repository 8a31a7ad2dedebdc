// One island under way on plain samples: an impulse is a large value over one step (003 section 4).
//
// Samples stand on the grid start + k step, with one more at each event; then the grid goes on. A sample is
// one solve of the sampled diagram: with the right sum the integrator x = x0 + h u is implicit, so feedback
// is an algebraic loop. Branches are frozen over a step; where a condition would change its side the step is
// shortened. With the right sum a sample stands for the step that ends in it, so what an event changes shows
// in the next sample; with the left sum it stands for the step that follows and shows at once.
//
// With a bond graph each mode has a sampled diagram of its own, over the same nodes. Modes change between
// samples: which one the next step is taken in, a very short step from the last sample decides.
#pragma once

#include "engine/run/sampled/numeric_calendar.hpp"
#include "engine/run/sampled/numeric_events.hpp"
#include "engine/run/sampled/numeric_modes.hpp"
#include "engine/run/sampled/numeric_roots.hpp"

namespace deltaflow {

class NumericIsland final : public HeldRun {
public:
    // With a bond graph `system` is that of its first mode.
    NumericIsland(const Settings& settings, const System& system, ModeSystems* modes,
                  const SampleTimes& sample_times, SampleColumns& samples);
    NumericIsland(const NumericIsland&) = delete;

    void start() override;
    Going advance(double until) override;
    void feed(Fed fed, double t) override;
    void look(double t, std::span<double> out) override;
    void sample_until(double t) override { writer_.write_until(t, *at_.s, state_.a); }
    double next_event() const override { return state_.agenda.next(); }
    double end_of_step() const override { return std::min(plan().t, pace_.stop()); }
    void archive(Archive& a) override;
    double time() const override { return pace_.time(); }
    bool stopped_by_zeno() const override { return state_.zeno_stop; }
    bool terminated() const override { return state_.terminated; }
    double end_time() const override { return state_.zeno_stop ? state_.zeno.accumulation() : time(); }
    Recorder& recorder() override { return teller_.record().recorder(); }
    using IslandRun::recorder;
    const System& system() const override { return *at_.s; }
    std::uint64_t instants() const override { return state_.instants; }
    std::size_t samples_written() const override { return writer_.next(); }
    std::vector<double> values_at_end(double) override { return teller_.outputs(); }
    std::uint64_t evaluations() const override { return sheets_.evaluations(); }
    std::string describe_germ(NodeId n) const override;
    // Instead of samples at given times: all samples there are, with their times.
    void record_own_samples() { writer_.keep_own(); }

private:
    void prepare();
    Pace::Plan plan() const { return pace_.plan(calendar_.next_approach()); }
    std::optional<double> solve_to_root(const Pace::Plan& p);
    void accept(double t, double h);
    void take_root(double h);
    void take_step(const Pace::Plan& p, std::vector<double> left);
    void take_due(const Pace::Plan& p);
    Going finish();

    NumericState state_;
    NumericRunning at_;
    SampleWriter writer_;
    Pace pace_;
    NumericTeller teller_;
    NumericSheets sheets_;
    NumericSolver solver_;
    NumericCalendar calendar_;
    NumericWatches watches_;
    NumericRoots roots_;
    NumericModes modes_;
    NumericEvents events_;
};

}  // namespace deltaflow
