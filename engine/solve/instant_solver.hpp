// Solves one instant: right limits and impulses from the left germ (003, section 3).
#pragma once

#include "engine/compile/instant_program.hpp"
#include "engine/compile/system.hpp"
#include "engine/solve/execute.hpp"

#include <vector>

namespace deltaflow {

// What is known before the solve.
struct InstantInput {
    const Bounded* left = nullptr;  // left germ
    std::uint32_t left_stride = 1;
    Bounded t;
    const Discrete* before = nullptr;
    Discrete* after = nullptr;                    // branches are guesses that the solve corrects where it can
    const std::vector<double>* stored = nullptr;  // per node: unit_delay's last sample
};

struct PlainInstant;

class InstantSolver {
public:
    explicit InstantSolver(const System& s);

    // Impulses of sources at this instant: schedules, crossings, delays.
    void clear_sources();
    void set_source(NodeId n, std::span<const double> impulses);
    void set_ticking(NodeId n) {
        ticking_[n] = 1;
        tick_list_.push_back(n);
    }
    // Conditions that are zero by definition here: {node, threshold}. They decide nothing until their value
    // jumps.
    std::vector<std::pair<NodeId, double>> located;
    // Right rungs of a delayed signal.
    void set_right(NodeId n, std::span<const double> rungs, double t);

    // Throws RunFailure where a loop cannot be solved.
    void solve(const InstantInput& in, std::vector<double>& guess);
    // Throws RunFailure (4) where a product, a condition, ... is not defined.
    void check(const InstantInput& in, const std::vector<std::uint8_t>& active) const;

    const Bounded& right(NodeId n, int k = 0) const { return right_[std::size_t{n} * p_.right_rungs + k]; }
    Bounded impulse(NodeId n, int i) const {
        return i < static_cast<int>(p_.impulse_rungs) ? impulse_[std::size_t{n} * p_.impulse_rungs + i]
                                                      : Bounded(0);
    }
    bool carries_impulse(NodeId n) const;
    int highest_impulse(NodeId n) const;  // -1: none
    bool is_ticking(NodeId n) const { return ticking_[n] != 0; }
    // Of all that sources and the last solve have set.
    bool has_finite_impulses() const { return finite_; }
    const InstantProgram& program() const { return p_; }

private:
    friend struct PlainInstant;
    friend struct InstantEquations;
    void decide_step(const InstantInput& in, NodeId n);
    void look_for_impulses(NodeId trigger);
    void settle(Bounded& impulse);
    void run_step(const PlainInstant& plain, const RungStep& step);
    void run_loop(const PlainInstant& plain, std::size_t loop, std::vector<double>& guess);

    const System& s_;
    InstantProgram p_;
    std::vector<Bounded> right_, impulse_;
    std::vector<NodeId> sources_;        // whose impulses are set
    std::vector<NodeId> tick_list_;      // who ticks
    std::vector<std::uint8_t> ticking_;  // per node
    bool finite_ = true;                 // impulses
    std::vector<LinearSolver> solvers_;
    std::vector<NewtonRoom> rooms_;
};

}  // namespace deltaflow
