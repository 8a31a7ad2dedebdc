// One-sided germs of an island, and what they decide: signs, branches, what rests.
#pragma once

#include "engine/compile/system.hpp"
#include "engine/modes/modes.hpp"
#include "engine/run/state.hpp"
#include "engine/solve/instant_solver.hpp"
#include "engine/solve/steppers/certify.hpp"
#include "engine/solve/steppers/stepper.hpp"

#include <map>
#include <memory>
#include <vector>

namespace deltaflow {

class Stiffness;
struct Arrivals;

// What it takes to run one system.
struct Machinery {
    explicit Machinery(const System& s);
    ~Machinery();
    std::unique_ptr<InstantSolver> solver;
    Workspace germ_work, output_work, condition_work;
    Workspace ledger_work;
    Rungs<double> output, conditions, ledger;
    Rungs<Bounded> bounded_conditions;  // for methods without a series
    std::unique_ptr<Stepper> stepper;
    std::unique_ptr<Stiffness> stiffness;  // of explicit methods
    std::unique_ptr<StepProof> proof;      // only with certify
    std::unique_ptr<Stepper> expansion;    // series for the past of delays, where the stepper has none
    // Indices in System::states: those that an instant looks at, and among them those that it can change.
    // With modes these are all of them.
    std::vector<std::uint32_t> seen_states, jumping_states;
    // What has to stay finite; and does anything that is shown need a look of its own for that?
    std::vector<NodeId> computed;
    bool outputs_may_overflow;
    std::vector<NodeId> looped;  // unknowns of loops that Newton solves, in the series
    std::vector<NodeId> looped_branchers;

private:
    void list_states(const System& s);
    void list_loops(const System& s);
};

class IslandGerms {
protected:
    IslandGerms(const Settings& settings, const System* system, ModeSystems* modes)
        : settings_(settings), modes_(modes), s_(system) {}
    ~IslandGerms();

    void evaluate(OneSidedGerm& g, const Discrete& discrete, int order, bool afresh);
    int value_sign(const OneSidedGerm& g, NodeId node, double threshold) const {
        return value_sign(g, node, threshold, located(node, threshold));
    }
    int value_sign(const OneSidedGerm& g, NodeId node, double threshold, const Located* located) const;
    int forward_sign(OneSidedGerm& g, const Discrete& discrete, NodeId node, double threshold,
                     int* zeros = nullptr);
    int decide_forward(OneSidedGerm& g, const Discrete& discrete, NodeId brancher, int from);
    int decide_forward(OneSidedGerm& g, const Discrete& discrete, NodeId brancher) {
        return decide_forward(g, discrete, brancher, state_.now.branch[brancher]);
    }
    const Located* located(NodeId node, double threshold) const {
        for (const Located& l : state_.located)
            if (l.node == node && l.threshold == threshold) return &l;
        return nullptr;
    }
    bool is_located(NodeId node, double threshold) const { return located(node, threshold) != nullptr; }
    void widen_bounds(NodeId node, double rest, int depth);
    void respect_located();
    void note_resting();
    bool stays_zero(const OneSidedGerm& g, const Located& l, int rung) const;
    bool is_touch(OneSidedGerm& g, const Discrete& discrete, const Located& l);
    void mark_active(const Discrete& discrete);
    bool is_active(NodeId n) const { return state_.active.empty() || state_.active[n]; }
    // Delayed signals: within the step at hand, and at an instant.
    void fill(Rungs<double>& rungs, double t, int count);
    void fill(Rungs<Bounded>& rungs, double t, bool before, int count);

    const System& system_of(OneSidedGerm& g);
    bool ends_at(OneSidedGerm& g, NodeId node, int k);
    double same_time(double t) const;
    void check_finite(const OneSidedGerm& g) const;
    Machinery& machinery(const System& s);

    // What a step leaves of bounds, of what rested, of loops.
    double bound_after(std::uint32_t i, double h) const;
    bool rests_by_rungs_alone() const;
    bool leaves_rest();
    double time_after(double h, double due) const;
    bool creeps();
    void note_met();
    void predict_loops(double s);

    // What an instant does to states, and what it must not leave behind.
    InstantInput instant_input();
    void take_states();
    void bound_anew();
    void store_history();
    std::vector<double> remembered() const;
    void check_impulses() const;
    void check_values();
    bool leaves_origin(NodeId n);

    // What a bond graph adds: values that a solve has set against the flow, and those before the start.
    void adopt_solved();
    void use_solved(OneSidedGerm& g, const Discrete& discrete);
    void read_graph(OneSidedGerm& g, const Discrete& discrete);
    void check_kept();
    void use_initial_values();
    void forget_initial_values();
    bool has_left_initial_values() const;
    void settle_guard_branches();
    bool holds_before(const bonds::Guard& guard, OneSidedGerm& g, const Discrete& discrete);
    // Of automata: does one leave its state on a germ? What transitions set, and timers.
    bool leaves(std::size_t automaton, OneSidedGerm& g);
    void set_piece(NodeId schedule, const Piece& piece);
    void enter_state(std::size_t automaton, const bonds::Transition& by);
    void start_timers(std::size_t automaton, std::uint32_t state);
    void note_timers();
    int side_before(NodeId condition);
    // Delays that vary (island_history.cpp): the piece of the past that each of them reads.
    void begin_pasts();
    void keep_piece(std::size_t delay, History::Piece piece);
    void move_pasts(Arrivals& arrivals);
    bool correct_pasts();
    void read_past(std::size_t delay, const History::Piece* piece, double from, double until);
    // The pairs of the model, if there are any; should other solutions of theirs be looked for?
    const bonds::Graph* pair_graph() const;
    bool looks_for_pairs() const;
    bool starts() const { return starting_; }
    double energy_of(const bonds::Element& e, const OneSidedGerm& g) const;
    double stored_energy(const OneSidedGerm& g) const;

    // island_charts.cpp: which modulated ratios are divided by.
    std::vector<double> ratio_weights(const OneSidedGerm& g);
    void choose_chart();
    bool nears_zero_ratio(double h);

    // Parts of flows, instants and proofs that look at nothing but germs.
    void append_series(const Stepper& method, double from, double to);
    void check_poles() const;
    void keep_fresh(const Stepper* before);
    bool may_be_wrong(const Watch& w, double s) const;
    void fire_by_left_germ();
    std::optional<bool> is_exactly(const Watch& w, std::optional<double> at, double end) const;
    [[noreturn]] void fail_undecided(const Watch& w, double at) const;
    [[noreturn]] void fail_leaving(const Watch& w) const;

    const Settings& settings_;
    ModeSystems* modes_;  // only with a bond graph
    const System* s_;     // of the mode at hand, or of an earlier one while instants are solved on parts
    Machinery* m_ = nullptr;
    std::map<const System*, std::unique_ptr<Machinery>> machineries_;
    Workspace reading_work_;
    State state_;
    bool starting_ = false;
    bool trying_ = false;        // an instant is tried one automaton at a time, and not recorded
    Discrete arrived_discrete_;  // what an instant begins with, in every mode
    bool in_step_ = false;       // the germs differ on a part only
};

}  // namespace deltaflow
