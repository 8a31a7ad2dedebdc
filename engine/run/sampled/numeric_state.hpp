// Where an island on samples stands, as a value, and the system that runs.
#pragma once

#include "engine/compile/sampled_diagram.hpp"
#include "engine/limits.hpp"
#include "engine/modes/memory.hpp"
#include "engine/modes/modes.hpp"
#include "engine/run/agenda.hpp"
#include "engine/run/island_run.hpp"
#include "engine/run/sampled/impulse_samples.hpp"
#include "engine/run/zeno.hpp"

#include <cmath>
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
    bool struck = false;                // bodies met in this sample
};

struct NumericState {
    using Block = SampledDiagram::Block;
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

    std::vector<double> a;          // the sample: a value per node
    std::vector<double> last;       // the last sample, all of it, if anything is watched
    double factored = NAN;          // the step for which loops are factored
    std::vector<double> x, before;  // per block of the sampled diagram: its own and its input's last sample
    std::vector<double> saved;      // left sum: parameters of the last sample
    Discrete now;
    std::vector<double> stored, guess;   // per node: what a unit delay gives next; where Newton starts
    std::vector<std::uint8_t> active;    // per node; empty: all
    std::vector<std::int8_t> pole_side;  // per node: on which side of zero what it inverts was
    Agenda agenda;
    std::vector<ScheduleCursor> cursors;
    std::vector<Integer> next_tick;
    std::vector<Fed> fed;  // from outside: it is due, and not taken yet
    std::vector<Source> sources;
    std::vector<Past> delays;
    std::vector<NodeId> ticking;      // hold and unit_delay that sample now
    std::vector<std::uint8_t> fired;  // per crossing: it gives 1 / h in this step
    bool any_fired = false;
    bool looked_back = false;  // something has happened in the last sample after the fact
    std::vector<NumericWatch> watches;
    bonds::Mode mode;
    AutomataMemory memory;
    ModeChoice choice;
    bool check_modes = false;    // the last sample may change the mode
    bool jumped = false;         // a comparison changed its sign right at the beginning of the step
    bool new_constants = false;  // those of the mode are not in the sample yet
    Zeno zeno;
    bool zeno_stop = false, terminated = false, starting = true;
    std::uint64_t instants = 0;

    bool has_automata() const { return !mode.empty(); }
    bool is_active(NodeId n) const { return active.empty() || active[n]; }
    // The part of a step that is as good as nothing.
    double just_after() const { return has_automata() ? limits::instant_step : limits::just_after; }
};

// The system of the mode, and its blocks whose sample is given.
struct NumericRunning {
    using Block = SampledDiagram::Block;
    ModeSystems* modes;  // only with a bond graph
    const System* s;
    bool left;  // which Riemann sum
    SampledSystem* m = nullptr;
    std::vector<Block> pres = {}, crossings = {}, holds = {}, strengths = {};

    double& parameter(const Block& b) const { return m->sampled.d.parameters[b.parameter]; }
    NodeId input(NodeId n) const { return s->d.inputs_of(n)[0]; }
    const Node& node(NodeId n) const { return s->d.nodes[n]; }
};

}  // namespace deltaflow
