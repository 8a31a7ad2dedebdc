// Modes of a bond graph on samples. Which mode the next step is taken in is decided by a very short step from
// the last sample: over that an impulse outweighs whatever is finite. A guard that holds there switches, and
// the short step is solved again from the same sample: the modes left behind are mythical. What follows an
// infinitesimal later in hyperdense time follows a sample later here.
#pragma once

#include "engine/modes/pivoting.hpp"
#include "engine/modes/switch_log.hpp"
#include "engine/run/sampled/numeric_watches.hpp"

namespace deltaflow {

class NumericModes {
public:
    NumericModes(const Settings& settings, NumericState& state, const NumericRunning& at, const Pace& pace,
                 NumericSheets& sheets, NumericSolver& solver, NumericWatches& watches, NumericTeller& teller)
        : settings_(settings),
          state_(state),
          at_(at),
          pace_(pace),
          sheets_(sheets),
          solver_(solver),
          watches_(watches),
          teller_(teller) {}

    // Memories and timers of the states that automata begin in.
    void prepare();
    // Before the start a dependent storage has the value that the model gives it, and guards read that.
    void use_initial_values();
    // The mode of the step that follows the last sample, or of the one that brings what is due at t. Solved
    // anew from the same sample until no guard holds.
    void decide(double t, bool due);
    // At the last sample: what it is, and how it goes on, may change the mode.
    void settle();
    // After a sample: comparisons whose root it is, and whether the next step has to look at modes first.
    void note_located();

private:
    enum class Fired { none, ideal, choice };
    const bonds::Graph& graph() const { return at_.modes->graph(); }
    void solve_short(double t, double s);
    bool is_contradicted(double t, double s);
    void measure_strengths(double t, double s, bool due);
    int guard_sign(NodeId difference) const;
    bool holds(const bonds::Guard& guard) const;
    Firing firing_of(bool ideal) const;
    Fired fire_guards(Pivoting& pivoting);
    void close_side(std::size_t automaton, std::uint32_t state);
    void switch_by(const Firing& firing);
    void write_mythical(const bonds::Mode& mode, double t, bool due);
    void watch_guards();
    void start_timers(std::size_t automaton, std::uint32_t state);
    void note_timers();
    void count_switching();
    void read_changed(std::vector<std::uint8_t> changed);

    const Settings& settings_;
    NumericState& state_;
    const NumericRunning& at_;
    const Pace& pace_;
    NumericSheets& sheets_;
    NumericSolver& solver_;
    NumericWatches& watches_;
    NumericTeller& teller_;
    SwitchLog switches_;  // of this sample
};

}  // namespace deltaflow
