// Solves one instant in exact numbers: right limits and impulses from the left germ.
#pragma once

#include "engine/solve/exact/system.hpp"

#include <map>

namespace deltaflow::closed_form {

struct ExactInstantInput {
    const Side* left = nullptr;
    Quadratic t;
    const ExactDiscrete* before = nullptr;
    ExactDiscrete* after = nullptr;  // branches are guesses that the solve corrects where it can
    const std::vector<Quadratic>* stored = nullptr;  // per node: unit_delay's last sample
};

class ExactInstant {
public:
    explicit ExactInstant(const ExactSystem& x) : x_(&x) {}

    // What comes from outside.
    std::map<NodeId, std::vector<Quadratic>> sources;  // impulses of schedules, crossings, delays
    std::map<NodeId, Polynomial> delayed;              // right rungs of delays
    std::vector<std::uint8_t> ticking;                 // per node

    void solve(const ExactInstantInput& in);
    bool has_solved() const { return !unknown_.empty(); }
    // Throws RunFailure (4) where a product, a condition, ... is not defined.
    void check(const ExactInstantInput& in, const std::vector<std::uint8_t>& active) const;

    // Both throw the reason where they are not known.
    const Quadratic& right(NodeId n, int k = 0) const;
    const Quadratic& impulse(NodeId n, int i) const;
    std::vector<Quadratic> impulses(NodeId n) const;  // without zeros at the end
    const ExactSystem& system() const { return *x_; }

private:
    friend struct ExactKnown;
    friend struct InstantEquationsInFractions;
    void prepare(const ExactInstantInput& in);
    Quadratic evaluate(const ExactInstantInput& in, const RungStep& step) const;
    void look_for_impulses(NodeId trigger);
    void run_step(const ExactInstantInput& in, const RungStep& step);
    void decide_step(const ExactInstantInput& in, NodeId n);
    void run_loop(const ExactInstantInput& in, const InstantLoop& loop);
    Quadratic& cell(const RungStep& step);

    const ExactSystem* x_;
    std::vector<std::vector<Quadratic>> right_, impulse_;  // per node
    std::vector<Reason> unknown_;                          // per node
};

}  // namespace deltaflow::closed_form
