// One island under way: its state, its flow and its instants.
#pragma once

#include "deltaflow/energy.hpp"
#include "deltaflow/trace.hpp"
#include "engine/compile/system.hpp"
#include "engine/modes/modes.hpp"
#include "engine/modes/pivoting.hpp"
#include "engine/numerics/roots.hpp"
#include "engine/run/island_germs.hpp"
#include "engine/run/island_run.hpp"
#include "engine/run/island_slides.hpp"
#include "engine/run/samples.hpp"
#include "engine/run/state.hpp"
#include "engine/solve/instant_solver.hpp"
#include "engine/solve/steppers/certify.hpp"
#include "engine/solve/steppers/stepper.hpp"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace deltaflow {

struct InstantLog;

// What comes from outside at an instant.
struct Arrivals {
    struct Impulses {
        NodeId node;
        std::uint32_t first, count;  // in coefficients
    };
    std::vector<Impulses> impulses;
    std::vector<double> coefficients;
    std::vector<NodeId> ticking;

    void add(NodeId n, std::span<const double> c) {
        impulses.push_back(
            {n, static_cast<std::uint32_t>(coefficients.size()), static_cast<std::uint32_t>(c.size())});
        coefficients.insert(coefficients.end(), c.begin(), c.end());
    }
    std::span<const double> of(const Impulses& i) const { return {coefficients.data() + i.first, i.count}; }
    bool empty() const { return impulses.empty() && ticking.empty(); }
    void clear() {
        impulses.clear();
        coefficients.clear();
        ticking.clear();
    }
};

// So near to underflow nothing is known to its rounding.
inline constexpr double underflow =
    std::numeric_limits<double>::min() / std::numeric_limits<double>::epsilon();

class Island final : public HeldRun, private IslandSlides {
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
    void look(double t, std::span<double> out) override;
    void sample_until(double t) override;
    void keep_germs() override { met_.resize(s_->outputs.size()); }
    const MetGerm* met(std::size_t output, double t) const override;
    double next_event() const override;
    double end_of_step() const override;
    void archive(Archive& a) override;
    double time() const override { return state_.t; }
    double sampled_to() const override;
    bool stopped_by_zeno() const override { return state_.zeno_stop; }
    bool terminated() const override { return state_.terminated; }
    double end_time() const override { return state_.zeno_stop ? state_.zeno.accumulation() : state_.t; }
    Recorder& recorder() override { return recorder_; }
    using IslandRun::recorder;
    const System& system() const override { return *s_; }
    std::uint64_t instants() const override { return state_.instants; }
    void close_ledger();
    const EnergyLedger& ledger() const { return ledger_; }
    const std::vector<std::string>& warnings() const { return warnings_; }
    std::size_t samples_written() const override { return state_.next_sample; }
    std::vector<double> values_at_end(double t) override;
    std::uint64_t evaluations() const override;
    std::optional<double> stiff_since() const override;
    // The germ of a node at the last instant looked at, for messages: "left | right + impulses".
    std::string describe_germ(NodeId n) const override;
    // Tells `log` from now on what happens at instants.
    void observe(InstantLog& log) { log_ = &log; }

    // The words of an instant, in the order of instant.hpp.
    struct Situation {  // all that decides what follows at the same time
        std::size_t hash;
        std::vector<std::int32_t> branch;
        std::vector<Held> slides;
        std::vector<double> remembered;
        bonds::Mode mode;
        std::vector<std::int32_t> sides;
        std::vector<std::uint8_t> pending;
        bool operator==(const Situation&) const = default;
    };
    void begin_commit();
    void take_due();
    void fire_crossings(bool first);
    void fire_before(std::uint32_t epsilon);
    const bonds::Mode& mode_tried() const { return state_.after_mode; }
    void solve_mode(bool first);
    bool exchange();
    // Another mode from the same left germ; what it contradicts; and that it would do, too.
    void try_mode(const bonds::Mode& mode);
    Firing violated();
    void warn_of_others(std::size_t pair);
    using IslandGerms::looks_for_pairs;
    using IslandGerms::pair_graph;
    using IslandGerms::starts;
    int solved_sign(NodeId node, bool by_value = false);
    bool fire_solved(std::uint32_t epsilon);
    RunFailure mode_cycle(std::vector<bonds::Mode> seen) const {
        return deltaflow::mode_cycle(*modes_, std::move(seen), switches_);
    }
    void commit();
    bool passes_on();
    void tell(std::uint32_t epsilon);
    bool something_new();
    Situation situation() const;
    [[noreturn]] void fail_endless_commits(std::uint32_t epsilon);
    void settle();
    void go_on();

private:
    // island_change.cpp: instants on the part of the graph that a change of mode reaches.
    bool solve_change();
    bool may_be_part();
    void copy_left_germ();
    void solve_part(Change& c);
    void part_of_right_germ(Change& c);
    void use_change(Change* c);
    bool is_reached(NodeId n) const { return change_ && part_[n] != no_node; }
    void check_change();
    void land();
    // What the solve made of a node, on the whole or on a part.
    int impulse_count(NodeId n) const {
        if (!change_) return impulse_rungs(s_->regularity[n]);
        return is_reached(n) ? impulse_rungs(change_->s.regularity[part_[n]]) : 0;
    }
    Bounded impulse(NodeId n, int i) const {
        if (!change_) return m_->solver->impulse(n, i);
        return is_reached(n) ? change_->solver->impulse(part_[n], i) : Bounded(0);
    }
    Bounded solved_right(NodeId n) const;
    // The same over all that has passed at this instant and is one event.
    int told_count(NodeId n) const;
    Bounded told_impulse(NodeId n, int i) const;
    const OneSidedGerm& told_left() const { return passed_ ? passed_->left : state_.left; }

    // island_modes.cpp
    void enter(const bonds::Mode& mode);
    bool holds_solved(const bonds::Guard& guard);
    GuardReading solved_reading(NodeId node) const;
    template <class Holds, class Asked>
    bool fire(const Holds& holds, const Asked& asked, bool solved);
    void fire_left();
    void hold_back_contacts();
    bool let_go();
    bool is_behind_impulse();
    void close_sides(NodeId room);
    bool fire_right();
    bool anything_fires();
    void switch_by(const Firing& firing, bool solved);
    bool may_fire_solved(std::size_t automaton) const;
    void solve_whole();
    void settle_leading_flows();
    void begin_with_chart();
    void settle_before_start();
    void use_first_states(const bonds::Mode& found, bool jumps, bool states_jump);
    void enter_at_start();
    void check_initial_values();
    void pass_accumulation();
    void restore(const State& state, const System* s);
    void warn_if_order_matters(const State& before, const System* system);
    // island_energy.cpp
    void open_ledger();
    void account(double h);
    void account_by_points(double h);
    void account_for_instant(std::uint32_t epsilon);
    double impulsive_work(NodeId effort, NodeId flow, bool of_jump = false) const;
    void share_loss(EnergyEvent& event, double lost) const;
    void audit(const EnergyEvent& event, double lost, double scale);

    // island_explain.cpp: an instant for those who look; nobody does in an ordinary run.
    friend class Witness;
    bool is_told() const;
    void tell_instant();
    enum class Switched { before, solved, exchanged, behind };
    void tell_switches(const bonds::Mode& from, Switched when);
    void tell_solve(std::uint32_t epsilon);
    void tell_commit();
    void tell_end(bool started, std::size_t events);
    void give_up(const RunFailure& failure);

    std::vector<std::string> cycle_notes(std::uint32_t epsilon) const;

    // island_instant.cpp
    void settle_branches();
    void instant();
    void run_instant();
    void begin_solve();
    void take_due(NodeId node);
    void take_fed(NodeId node);
    void resolve();
    bool try_branches();
    bool try_branches_before();
    void feed_solver();
    void note_slides();
    void record_slides();
    void commit_whole();
    void note_hidden_turn(std::size_t crossing, int side);
    bool accumulates_here(NodeId condition);
    // What a signal does at this instant: whether its value jumps, and how many impulses it has.
    struct Doing {
        bool jumps;
        int impulses;
        bool anything() const { return jumps || impulses > 0; }
    };
    Doing doing(NodeId n) const;
    void record_jump(const System::Output& output);
    void record_event(std::uint32_t epsilon, bool committed);

    // island_flow.cpp
    void collect_watches();
    template <class Add>
    void watch_guards(const Add& add);
    FlowContext flow_context();
    void ready_to_flow();
    struct Reached {
        double at;  // seconds after the beginning of the step
        const Watch* watch;
    };
    struct Step {
        double h;
        std::optional<Reached> root = {};
    };
    enum class Flowed { step, instant, waits };
    Flowed flow(double until);
    void begin_step(double most);
    Step confirmed_step(double h_max);
    Step solvable_step(double h_max);
    double polished(const Reached& root);
    std::optional<double> reach_side(const Watch& w, double at, double ahead, int side);
    double edge_of_side(const Watch& w, double on, double off, int side);
    double settled(const Watch& w, double at);
    std::optional<Bounded> condition_by_equations(const Watch& w, double s, double t);
    int side_by_equations(const Watch& w, double s, double t);
    double doubt_of(const Watch& w, double s);
    bool is_contradicted(const Watch& w, double root, double h);
    double with_remainder(const Watch& w, double root, double h);
    std::optional<Reached> hidden_root(double h);
    bool ends_in_doubt(double h);
    std::optional<Reached> first_event(double h);
    std::optional<double> root_of(const Watch& w, double h);
    std::optional<double> sampled_root(double lo, double hi, int depth, const Watch** winner);
    std::optional<double> sampled_in_halves(double lo, double hi, int depth, const Watch** winner);
    Reached ending_branch(const Reached& root);
    void meet(const Watch& w, double h);
    void evaluate_conditions(double s);
    void evaluate_conditions(std::span<const double> x, double t);
    // island_sampled.cpp
    struct Reading;
    void evaluate_bounded_conditions(double s, double t, double errors, bool fresh);
    bool is_just_ahead(const Watch& w);
    void note_passed(double h);
    bool has_sunk(const Watch& w, double h);
    Reading reading(const Watch& w, double s) const;
    Reading read(const Watch& w, double s);
    std::optional<double> passage(const Watch& w, Bernstein p, double lo, double hi, double open, int& sign,
                                  bool& sure);
    std::optional<double> reaching(const Watch& w, const Bernstein& p, double lo, double hi, bool& sure);
    void refuse_hidden_poles(double h);
    std::optional<double> departure(const Watch& w, double hi);
    double condition_at(const Watch& w, double s);
    int side_at_end(const Watch& w, double h);
    void sample_before(double t_end);
    bool sample_some_before(double t_end);
    void sample_here();
    void sample_again();
    void begin_to_follow_loops();
    NodeId show(std::span<const double> x, double t);
    NodeId show_at(double s, double good);
    void write_sample(NodeId not_finite, double t, double good);
    [[noreturn]] void fail_between(double good, double bad);
    void finish_step(double h, double t_next, bool instant_follows);
    void append_history(double h);
    double append_expansions(double h);
    void append_fitted(double from, double to, int depth);
    std::vector<double> fitted(NodeId u, double from, double to);
    bool fits(NodeId u, std::span<const double> c, double from, double to);
    bool root_at_stop();
    void note_cause(NodeId n);

    // island_proof.cpp: with certify.
    void make_proof(const FlowContext& context);
    Step proved_step(double h_max);
    std::optional<double> shorter_step(const std::optional<Reached>& root, double h);
    bool is_met(const Watch& w, double at);
    bool is_passed(const Watch& w, double end, bool instant_follows);
    RootProof roots_of(const Watch& w, double end);
    bool vanishes(const Watch& w, double at, double end);

    // island_save.cpp: what a step changes of the machinery, as bytes; and the way back.
    struct Memory {
        std::vector<double> guess;
        std::vector<std::byte> machinery;
    };
    std::vector<std::byte> remember(Machinery& m);
    void recall(Machinery& m, const std::vector<std::byte>& bytes);
    void make_stepper();
    void archive(Archive& a, Machinery& m);
    void archive(Archive& a, OneSidedGerm& g);
    void archive_machineries(Archive& a);
    void gather_germs(bool first);

    void prepare();

    InstantLog* log_ = nullptr;
    std::vector<std::pair<NodeId, double>> closing_;  // at the accumulation point: displacements, and where
    Pivoting pivoting_;                               // of ideal elements, in this solve
    // What was before impacts that this commit is the end of, and their impulses, per node.
    struct Passed {
        OneSidedGerm left;
        std::vector<std::pair<NodeId, std::vector<Bounded>>> impulses;
    };
    std::optional<Passed> passed_;
    std::vector<std::uint8_t> waiting_;  // per automaton: must not switch within this commit
    std::uint32_t index_ = 0;            // of the solve
    bool goes_behind_ = false;           // another instant at the same time
    std::uint32_t first_epsilon_ = 0;    // of the instant
    bool several_fired_ = false;         // at this instant
    bool plain_pre_ = false;             // pre(x) is x: at an accumulation point
    Change* change_ = nullptr;           // the last solve was on this part
    std::vector<std::uint32_t> part_;    // node -> index in the part
    std::vector<NodeId> differing_;  // nodes on which the right germ may differ from the left one, in a part
    bool landed_ = true;             // s_ belongs to the mode committed
    bool branches_agree_ = false;    // with the left germ
    std::vector<std::uint8_t> leaving_;  // per automaton: a guard holds on the left germ ...
    bool leaving_known_ = false;         // ... if this is set
    Arrivals arrivals_;                  // of this commit
    bool arrived_ = false;               // something came from outside at this instant
    EnergyLedger ledger_;
    double turnover_ = 0;  // energy that has flown or was stored at an instant
    SwitchLog switches_;   // of this instant
    std::vector<std::string> warnings_;
    const SampleTimes& sample_times_;
    SampleColumns& samples_;

    double stop_;
    std::optional<Step> at_hand_;            // looked at, and not yet taken
    Memory before_;                          // what it began with, if it may have to wait
    std::vector<MetGerm> met_;               // per output, at the last instant; empty: nobody wants to know
    double step_ = 0;                        // length of the step that is looked at
    int halvings_ = 0;                       // in it
    std::vector<double> shown_, condition_;  // proofs: sizes per node; coefficients of a condition

    std::vector<NodeId> causes_;

    Recorder recorder_;
    NodeId unresolved_ = no_node;  // a condition that this instant has turned back, too little to be told
    // What rounding hides of it: that it is not zero where its root was found, or that it may have jumped
    // back.
    enum class Hidden { nothing, sinking, jump } hidden_ = Hidden::nothing;
};

}  // namespace deltaflow
