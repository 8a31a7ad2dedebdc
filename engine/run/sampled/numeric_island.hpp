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

#include "engine/compile/sampled_diagram.hpp"
#include "engine/limits.hpp"
#include "engine/model/model.hpp"
#include "engine/modes/memory.hpp"
#include "engine/modes/modes.hpp"
#include "engine/modes/pivoting.hpp"
#include "engine/run/agenda.hpp"
#include "engine/run/island_run.hpp"
#include "engine/run/sampled/impulse_samples.hpp"
#include "engine/run/sampled/numeric_record.hpp"
#include "engine/run/sampled/pace.hpp"
#include "engine/run/sampled/writer.hpp"
#include "engine/run/zeno.hpp"

#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace deltaflow {

// A system on samples: its diagram of one step and the program that solves it.
struct SampledSystem {
    // `all`: every signal is wanted, since another mode may read it.
    SampledSystem(const System& s, bool left_sum, bool all);
    const System* system;
    SampledDiagram sampled;
    std::vector<std::uint8_t> needed;  // per node: by states, records, conditions
    Program program;
    Workspace work;
};

// A condition that a crossing, a branch or a guard watches: node - threshold, and on which side it is.
struct NumericWatch {
    NodeId node, owner;
    double threshold;
    int side;              // 0: not known yet
    int direction = 0;     // of a crossing that looks one way only
    bool located = false;  // the last sample is its root: there it counts as zero
    double zero = 0;       // what rounding left of it there
    double last = 0;       // its value in the last sample
    bool guard = false;    // a comparison of a guard; the owner is the node itself
    bool struck = false;   // of a trigger: the last sample is so high that it is an impulse
};

// The mode of the next step, while it is being decided.
struct ModeChoice {
    struct LocatedGuard {
        NodeId node;
        int side;  // where it came from
    };
    double time = 0;                    // when it begins
    std::vector<std::uint8_t> waiting;  // per automaton: must not switch within this sample
    std::vector<LocatedGuard> located;  // comparisons that are zero in the last sample
    bool contradicted = false;          // the mode would change the last sample at once
    bool switched = false;              // the step at hand is the first one of a mode
    int switching = 0;                  // samples, one after the other, that changed the mode
};

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
    void sample_until(double t) override { writer_.write_until(t, *s_, a_); }
    double next_event() const override { return agenda_.next(); }
    double end_of_step() const override { return std::min(plan().t, pace_.stop()); }
    void archive(Archive& a) override;
    double time() const override { return pace_.time(); }
    bool stopped_by_zeno() const override { return zeno_stop_; }
    bool terminated() const override { return terminated_; }
    double end_time() const override { return zeno_stop_ ? zeno_.accumulation() : time(); }
    Recorder& recorder() override { return record_.recorder(); }
    using IslandRun::recorder;
    const System& system() const override { return *s_; }
    std::uint64_t instants() const override { return instants_; }
    std::size_t samples_written() const override { return writer_.next(); }
    std::vector<double> values_at_end(double) override { return outputs(); }
    std::uint64_t evaluations() const override;
    std::string describe_germ(NodeId n) const override;
    // Instead of samples at given times: all samples there are, with their times.
    void record_own_samples() { writer_.keep_own(); }

private:
    using Watch = NumericWatch;

    // numeric_island.cpp: one sample after the other
    void prepare();
    void bind();
    double value_before(std::size_t integrator) const;
    void solve(double t, double h);
    void accept(double t, double h);
    void check_finite();
    void check_values();
    struct Past;
    void read_past(const Past& delay, double t, double h);
    void check_poles();
    Going finish();
    std::vector<double> shown(const std::vector<double>& a) const;
    std::vector<double> outputs() const { return shown(a_); }

    // numeric_pace.cpp: where the next sample stands
    struct Source;
    Pace::Plan plan() const { return pace_.plan(next_approach()); }
    std::vector<double> repeats() const;
    double next_high_impulse(NodeId schedule) const;
    double next_approach() const;
    void strike(Source& source, const std::vector<double>& impulses, double t, double h);
    void strike_late();

    // numeric_start.cpp: the first sample
    std::vector<double> flow_values(const Program& program, Workspace& work, bool behind);
    void give_rates(const std::vector<double>& values);
    void first_sample(const std::vector<double>& before, const std::vector<double>& after);

    // numeric_events.cpp: what happens in samples
    void take_due(double t, double h);
    void take_due(NodeId node, double t, double h);
    void take_fed(NodeId node, double t, double h);
    void give_held();
    bool is_crossing(const Watch& w) const {
        return !w.guard && s_->d.nodes[w.owner].op == Primitive::crossing;
    }
    bool is_trigger(const Watch& w) const { return !w.guard && s_->d.nodes[w.owner].is_trigger(); }
    bool strikes(const Watch& w, double h) const;
    double value_of(const Watch& w) const { return a_[w.node] - w.threshold - w.zero; }
    bool is_zero(const Watch& w) const;
    int side_of(const Watch& w) const;
    bool is_over(const Watch& w) const;
    bool is_off(NodeId brancher) const;
    std::optional<double> first_root(double h);
    std::optional<double> root_of(const Watch& w, double h);
    bool begins_with_root(const Watch& w, double at_first, double at_end) const;
    double look_back(const Watch& root);
    bool flip(NodeId brancher);
    void settle(double t, double h);
    bool something_happens() const;
    bool something_strikes() const;
    void happen(const std::vector<NodeId>& ticked = {});
    void solve_again();
    void collect_watches();
    void mark_active();
    void note_cause(NodeId n) { record_.note_cause(s_->origin[n]); }
    void open_event(std::vector<double> left) {
        record_.open(time(), std::move(left), left_ ? outputs() : std::vector<double>{});
    }
    void close_event() { record_.close(*s_, a_, modes_ ? &modes_->graph() : nullptr, mode_); }

    // numeric_modes.cpp: modes of a bond graph
    bool has_automata() const { return !mode_.empty(); }
    double just_after() const { return has_automata() ? limits::instant_step : limits::just_after; }
    void enter(const bonds::Mode& mode);
    void decide_mode(double t, bool due);
    void solve_short(double t, double s);
    bool is_contradicted(double t, double s);
    void settle_modes();
    void watch_guards();
    void note_located_guards();
    void measure_strengths(double t, double s, bool due);
    int guard_sign(NodeId difference) const;
    bool is_rounding(NodeId n, double c) const;  // beside what the sample of n was added up from
    double magnitude(NodeId n, int depth) const;
    enum class Fired { none, ideal, choice };
    Fired fire_guards(Pivoting& pivoting);
    bool holds(const bonds::Guard& guard) const;
    void enter_state(std::size_t automaton, const bonds::Transition& by);
    void start_timers(std::size_t automaton, std::uint32_t state);
    void note_timers();
    void count_switching();
    void use_initial_values();
    void read_changed(std::vector<std::uint8_t> changed);

    const Settings& settings_;
    ModeSystems* modes_ = nullptr;  // only with a bond graph
    const System* s_;
    std::map<const System*, std::unique_ptr<SampledSystem>> sheets_;
    SampledSystem* m_ = nullptr;  // of s_
    SampleWriter writer_;

    bool left_;  // which Riemann sum
    Agenda agenda_;
    Pace pace_;
    std::vector<double> a_;           // the sample: a value per node
    double factored_ = NAN;           // the step for which loops are factored
    std::vector<double> x_, before_;  // per block of sampled_: its own and its input's last sample

    Discrete now_;
    std::vector<double> stored_, guess_;  // per node: what a unit delay gives next; where Newton starts
    std::vector<std::uint8_t> active_;    // per node; empty: all
    std::vector<std::int8_t> pole_side_;  // per node: on which side of zero what it inverts was
    std::vector<ScheduleCursor> cursors_;
    std::vector<Integer> next_tick_;
    std::vector<Fed> fed_;  // from outside: it is due, and not taken yet

    using Block = SampledDiagram::Block;
    double& parameter(const Block& b) { return m_->sampled.d.parameters[b.parameter]; }
    struct Source {
        Block block;
        ImpulseSamples impulses;
        double next_high = HUGE_VAL;  // when the next one of order 1 or higher comes
        std::vector<double> late;     // impulses that wait for a whole step
        void archive(Archive& a) { a(impulses, next_high, late); }
    };
    struct Past {
        Block block;
        DelaySamples samples;
        double given = 0, until = 0;  // the last delayed sample, and the end of the step that it stands for
        void archive(Archive& a) { a(samples, given, until); }
    };
    std::vector<Source> sources_;
    std::vector<Past> delays_;
    std::vector<Block> pres_, crossings_, holds_, strengths_;
    std::vector<std::uint8_t> fired_;  // per crossing: it gives 1 / h in this step
    bool any_fired_ = false;
    std::vector<double> saved_;    // left sum: parameters of the last sample
    bool looked_back_ = false;     // something has happened in the last sample after the fact
    std::vector<NodeId> ticking_;  // hold and unit_delay that sample now

    bonds::Mode mode_;
    NumericRecord record_;
    AutomataMemory memory_;
    SwitchLog switches_;        // of this sample
    std::vector<double> last_;  // the last sample, all of it, if anything is watched
    ModeChoice choice_;
    bool check_modes_ = false;    // the last sample may change the mode
    bool jumped_ = false;         // a comparison changed its sign right at the beginning of the step
    bool new_constants_ = false;  // those of the mode are not in the sample yet

    std::vector<Watch> watches_;
    Zeno zeno_;
    bool zeno_stop_ = false, terminated_ = false;
    Going going() const { return zeno_stop_ || terminated_ ? Going::ended : Going::on; }
    std::uint64_t instants_ = 0;
    bool starting_ = true;
};

}  // namespace deltaflow
