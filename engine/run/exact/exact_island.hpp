// An island that runs in exact numbers: what engine/run/rounded/island.hpp does, with polynomials and without
// rounding.
#pragma once

#include "blocks/fraction_book.hpp"
#include "engine/modes/memory.hpp"
#include "engine/modes/modes.hpp"
#include "engine/modes/pivoting.hpp"
#include "engine/run/agenda.hpp"
#include "engine/run/island_run.hpp"
#include "engine/run/zeno.hpp"
#include "engine/solve/exact/flow.hpp"
#include "engine/solve/exact/history.hpp"
#include "engine/solve/exact/instant.hpp"
#include "engine/solve/exact/roots.hpp"
#include "engine/solve/exact/trace.hpp"
#include "engine/solve/slide_search.hpp"

#include <map>

namespace deltaflow::closed_form {

// A condition that the flow must watch: node - threshold.
struct ExactWatch {
    NodeId node, owner;
    Quadratic threshold;
    Watching kind;
    int direction = 0;
};

class ExactIsland final : public IslandRun, private SlideSearch {
public:
    // `system`, or with a bond graph the systems of its modes.
    ExactIsland(const Settings& settings, const FractionBook& book, const System* system, ModeSystems* modes);

    void start() override;
    Going advance(double until) override;
    double time() const override { return to_double(t_); }
    bool stopped_by_zeno() const override { return zeno_stop_; }
    // Would a run go on where events accumulate?
    bool could_pass_zeno(AtZeno how) const;
    bool terminated() const override { return terminated_; }
    double end_time() const override { return zeno_stop_ ? zeno_.accumulation() : time(); }
    Recorder& recorder() override { return recorder_; }
    using IslandRun::recorder;
    const System& system() const override { return *x_->s; }
    std::uint64_t instants() const override { return instants_; }
    std::size_t samples_written() const override { return 0; }
    std::uint64_t evaluations() const override { return 0; }
    std::string describe_germ(NodeId n) const override;

    // By index of the model's record; signals of other islands are empty.
    const std::map<std::uint32_t, ExactSignal>& signals() const { return signals_; }
    // How far it came; a fraction near it where the next event cannot be written down.
    const Quadratic& reached() const { return near_ ? *near_ : t_; }
    bool reached_exactly() const { return !near_; }

    // The words of an instant, in the order of instant.hpp.
    struct Situation {
        std::vector<std::int32_t> branch;
        std::vector<Held> slides;
        std::vector<Quadratic> states;
        bonds::Mode mode;
        std::map<NodeId, int> sides;
        std::vector<NodeId> pending;
        bool operator==(const Situation&) const = default;
    };
    void begin_commit();
    void take_due();
    void fire_crossings(bool first);
    void fire_before(std::uint32_t epsilon);
    const bonds::Mode& mode_tried() const { return after_mode_; }
    void solve_mode(bool first);
    bool exchange();
    void try_mode(const bonds::Mode& mode) {
        after_mode_ = mode;
        solve_mode(false);
    }
    Firing violated() const;
    bool starts() const { return starting_; }
    const ModeSystems* systems() const { return modes_ ? &*modes_ : nullptr; }
    bool looks_for_pairs() const { return false; }  // runs in rounded numbers warn
    void warn_of_others(std::size_t) const {}
    int solved_sign(NodeId node, bool by_value = false) const;
    bool fire_solved(std::uint32_t epsilon);
    RunFailure mode_cycle(std::vector<bonds::Mode> seen) const {
        return deltaflow::mode_cycle(*modes_, std::move(seen), switches_);
    }
    void commit();
    bool passes_on() { return false; }
    void tell(std::uint32_t epsilon);
    bool something_new();
    Situation situation() const {
        return {now_.branch, now_.slides, states_, mode_, crossing_sign_, pending_};
    }
    [[noreturn]] void fail_endless_commits(std::uint32_t epsilon);
    void settle() {
        if (!modes_) return;
        check_kept();
        note_timers();
    }
    void go_on() { left_ = right_; }

private:
    struct Due {
        Quadratic t;
        NodeId node;
    };

    // exact_island.cpp
    const ExactSystem& exact_system(const System& s);
    void prepare();
    Side evaluate(const ExactDiscrete& discrete, bool before);
    void mark_active(const ExactDiscrete& discrete);
    bool is_active(NodeId n) const { return active_.empty() || active_[n]; }
    int forward_sign(const Side& side, NodeId node, const Quadratic& threshold) const;
    int decide_forward(const Side& side, NodeId brancher, int from) const;
    int decide_forward(const Side& side, NodeId brancher) const {
        return decide_forward(side, brancher, now_.branch[brancher]);
    }
    void collect_watches();
    void watch_guards();
    const Quadratic* next_due() const;
    Quadratic first_event(const Quadratic& end, bool& root);
    [[noreturn]] void fail_beyond(const ExactWatch& w, const Root& root);
    [[noreturn]] void fail_watch(const ExactWatch& w);
    void flow_to(const Quadratic& t);
    void record_flow(const Quadratic& to);
    void record_end();
    void keep(const Polynomial& numbers);

    // exact_island_instant.cpp
    void note_cause(NodeId n);
    void settle_branches();
    void instant();
    void take_due(NodeId n);
    void fire_by_left_germ();
    void begin_solve();
    bool try_branches();
    void take_states();
    void resolve();
    void store_history();
    void check_values();
    void check_lengths() const;
    ExactInstantInput instant_input();
    bool try_branches_before();
    void feed_solver();
    void note_slides();

    // Sliding.
    Trial trial(Side& side, ExactDiscrete& discrete);
    const System& at_hand() const override { return *x_->s; }
    void use_system(const System& s) override;
    bool is_in_use(NodeId brancher) const override { return is_active(brancher); }
    Quadratic exactly(double threshold) const { return book_.find(threshold).value_or(Rational(0)); }
    std::optional<int> leaves_surface(const HeldSurface& h, const Side& side) const;

    // exact_island_modes.cpp
    void enter(const bonds::Mode& mode);
    bool holds_before(const bonds::Guard& guard, const Side& side) const;
    GuardReading solved_reading(NodeId node) const;
    template <class Holds, class Asked, class Read>
    bool fire(const Holds& holds, const Asked& asked, const Read& read);
    template <class Read>
    void switch_by(const Firing& firing, const Read& read);
    bool holds_solved(const bonds::Guard& guard) const;
    void set_piece(NodeId schedule, const Line& piece);
    void enter_state(std::size_t automaton, const bonds::Transition& by);
    void start_timers(std::size_t automaton, std::uint32_t state);
    void note_timers();
    bool anything_fires() const;
    void settle_guard_branches();
    void adopt_solved();
    void use_solved(Side& side, const ExactDiscrete& discrete) const;
    void read_graph(Side& side, const ExactDiscrete& discrete) const;
    void check_kept();
    void use_initial_values();
    void settle_leading_flows();
    void check_initial_values();

    const Settings& settings_;
    const FractionBook& book_;
    ModeSystems* modes_;
    std::map<const System*, std::unique_ptr<ExactSystem>> systems_;
    const ExactSystem* x_ = nullptr;
    std::unique_ptr<ExactInstant> solver_;

    Quadratic t_, stop_;
    Integer root_ = 0;  // the d of the square root in use
    std::optional<Quadratic> near_;
    bool finished_ = false, starting_ = false;
    std::vector<Quadratic> states_, stored_;  // per node
    ExactDiscrete now_, after_, arrived_;
    bonds::Mode mode_, after_mode_;
    AutomataMemory memory_;
    std::vector<Quadratic> entered_;     // per automaton: since when
    bool solved_values_ = false;         // transitions read what came out, not what was before
    Pivoting pivoting_;                  // of ideal elements, in this solve
    std::vector<std::uint8_t> waiting_;  // per automaton
    SwitchLog switches_;                 // of this solve
    Side left_, right_;
    std::vector<std::pair<NodeId, Quadratic>>
        solved_;  // signals of a graph whose flow would have them otherwise
    std::map<NodeId, int> crossing_sign_;
    std::vector<NodeId> fired_, pending_;  // crossings
    std::vector<std::uint8_t> active_, ticking_;
    std::map<NodeId, std::vector<Quadratic>> arrivals_;
    std::vector<Due> agenda_;
    std::vector<ScheduleCursor> cursors_;
    std::vector<Integer> next_tick_;
    std::map<NodeId, ExactHistory> histories_;
    std::vector<ExactWatch> watches_;
    std::vector<NodeId> causes_;
    std::map<std::uint32_t, ExactSignal> signals_;
    Recorder recorder_;
    Zeno zeno_;
    bool zeno_stop_ = false, terminated_ = false;
    NodeId condition_ = no_node;  // whose root the last event was
    std::uint64_t instants_ = 0;
    std::size_t kept_bits_ = 0;  // of pieces and impulses that are written down
};

}  // namespace deltaflow::closed_form
