// Where an island stands: everything that its future depends on, as a value.
#pragma once

#include "engine/compile/system.hpp"
#include "engine/limits.hpp"
#include "engine/modes/memory.hpp"
#include "engine/modes/modes.hpp"
#include "engine/run/agenda.hpp"
#include "engine/run/history.hpp"
#include "engine/run/island_run.hpp"
#include "engine/run/zeno.hpp"

#include <cmath>
#include <vector>

namespace deltaflow {

// The rungs of all nodes in one array, constants filled in.
template <class S>
struct Rungs {
    std::vector<S> a;
    std::uint32_t stride = 0;
    void resize(const Diagram& d, std::uint32_t stride_);
    S* at(NodeId n) { return a.data() + std::size_t{n} * stride; }
    const S* at(NodeId n) const { return a.data() + std::size_t{n} * stride; }
    bool has(NodeId n) const { return (std::size_t{n} + 1) * stride <= a.size(); }
};

// A one-sided germ of everything: the flow program on given states and branches, with rounding bounds.
struct OneSidedGerm {
    Rungs<Bounded> rungs;
    int order = -1;                  // rungs up to this one are there
    const System* system = nullptr;  // the mode that it belongs to
    // Where an instant was solved on a part of the graph there is no system of the mode yet: what is known of
    // it.
    bonds::Mode mode;
    std::vector<std::int16_t> degree;
    // Signals of a bond graph as the solve left them, where the flow of the mode would have them otherwise:
    // a mode may hold for no time at all.
    std::vector<std::pair<NodeId, Bounded>> solved;
};

// A condition that the flow must watch: node - threshold.
struct Watch {
    NodeId node, owner;
    double threshold;
    Watching kind;
    int sign;       // that it has now
    int zeros = 0;  // leading rungs that are zero: the root at 0 to be divided out
    int direction = 0;
    // It was zero when the flow began, or at an earlier instant since which the same method has gone on.
    bool fresh = false;
    double met = NAN;    // its value when the last instant began
    double largest = 0;  // that it has shown at ends of steps; of what must not become zero
};

// What rounding hides of a condition: that it is not zero where its root was found, or that it may have
// jumped back.
enum class Hidden { nothing, sinking, jump };

// A condition whose root the flow has reached.
struct Located {
    NodeId node;
    double threshold;
    bool passes = false;      // and does not just touch
    double curvature = 0;     // half the second derivative there; NaN: not known
    double bound = HUGE_VAL;  // of its rounding, by the step that led there
    Bounded slope = NAN;      // by the flow that led there
    int zeros = 1;            // so many rungs are zero, unless they jump; more than one where a block is held
    bool leaves = false;      // of these the last one whatever it was before: there it ceases to be held
};

// So near to t it is the same time.
inline double same_time(double t) {
    return limits::same_time_ulps * rounding::unit * std::max(std::abs(t), 1e-300);
}

struct State {
    double t = 0;
    std::vector<double> x, x_bound;  // states, and what rounding leaves open of them
    std::vector<double> guess;       // per node: where loops are looked for
    std::vector<double> stored;      // per node: the last sample of a unit_delay
    std::vector<double> resting;     // states that the last instant has left at rest; NaN: the others
    Discrete now, after;             // in force; being tried
    Discrete arrived;                // what an instant begins with, in every mode
    bool starting = false;           // before the start some signals have values of their own
    bonds::Mode mode, after_mode;    // committed; being tried
    bonds::Mode recorded_mode;       // of the last event
    bonds::Mode first_committed;     // at the last instant that switched
    AutomataMemory memory;
    OneSidedGerm left, right;
    bool in_step = false;                      // the germs differ on a part only
    std::vector<std::int32_t> crossing_sign;   // per crossing
    std::vector<std::uint8_t> fired, pending;  // per crossing
    std::vector<std::uint8_t> flat;            // per crossing that fired: rounding hides its slope
    std::vector<std::uint8_t> active;          // per node; empty: all
    std::vector<Located> located;              // roots that the flow has reached
    Hidden hidden = Hidden::nothing;           // of the last of them
    std::vector<ScheduleCursor> cursors;       // per schedule
    std::vector<Integer> next_tick;            // per sampled
    std::vector<History> histories;            // per delay
    Agenda agenda;
    std::vector<Fed> fed;        // from outside: it is due, and not taken yet
    double last_instant = NAN;   // when it was ...
    std::uint32_t epsilons = 0;  // ... and how many commits it had
    std::vector<Watch> watches;
    std::vector<Watch> last_watches;     // before the last instant
    std::vector<Watch> resting_watches;  // conditions that are zero for good, as far as their germs tell
    Zeno zeno;
    bool zeno_stop = false;
    bool terminated = false;
    std::uint64_t flow = 0;  // its number
    std::uint64_t instants = 0;
    std::size_t next_sample = 0;
    int cut_steps = 0;     // one after the other, for the sake of loops ...
    double cut_since = 0;  // ... from then on
    int order_trials = 0;
    std::vector<double> ratios;      // per modulated two-port: the largest that its ratio has been
    double least_weight = HUGE_VAL;  // of a ratio that is divided by, where no better chart was found

    bool is_active(NodeId n) const { return active.empty() || active[n]; }
    const Located* located_at(NodeId node, double threshold) const {
        for (const Located& l : located)
            if (l.node == node && l.threshold == threshold) return &l;
        return nullptr;
    }
    bool is_located(NodeId node, double threshold) const { return located_at(node, threshold) != nullptr; }

    // But for the germs, which know their systems.
    void archive(Archive& a) {
        a(t, x, x_bound, guess, stored, resting, now, after, mode, after_mode, recorded_mode, first_committed,
          memory, crossing_sign, fired, pending, flat, active, located, cursors, next_tick, histories, agenda,
          fed, last_instant, epsilons, watches, last_watches, resting_watches, zeno, zeno_stop, terminated,
          flow, instants, next_sample, cut_steps, cut_since, order_trials, ratios, least_weight);
    }
};

// Delayed signals: within the step at hand, and at an instant.
void fill_delayed(const State& state, const std::vector<NodeId>& delays, Rungs<double>& rungs, double t,
                  int count);
void fill_delayed(const State& state, const std::vector<NodeId>& delays, Rungs<Bounded>& rungs, double t,
                  bool before, int count);

}  // namespace deltaflow
