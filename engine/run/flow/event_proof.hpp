// Proof of events, with certify: the conditions of a flow have the roots that were found in a step, and no
// others.
#pragma once

#include "deltaflow/trace.hpp"
#include "engine/run/flow/roots.hpp"

namespace deltaflow {

class EventProof {
public:
    EventProof(const Settings& settings, State& state, const Running& at, Roots& roots, Proved& proved)
        : settings_(settings), state_(state), at_(at), roots_(roots), proved_(proved) {}

    void make(const FlowContext& context);
    // A step up to its first root, or to its end, as far as both are proved.
    FlowStep step(double h_max);
    void archive(Archive& a) { a(shown_); }

private:
    std::optional<double> shorter_step(const std::optional<Reached>& root, double h);
    bool is_met(const Watch& w, double at);
    bool is_passed(const Watch& w, double end, bool instant_follows);
    RootProof roots_of(const Watch& w, double end);
    bool vanishes(const Watch& w, double at, double end);
    std::optional<bool> is_exactly(const Watch& w, std::optional<double> at, double end) const;
    [[noreturn]] void fail_undecided(const Watch& w, double at) const;
    [[noreturn]] void fail_leaving(const Watch& w) const;

    const Settings& settings_;
    State& state_;
    const Running& at_;
    Roots& roots_;
    Proved& proved_;
    std::vector<double> shown_;      // sizes, per node
    std::vector<double> condition_;  // coefficients of one
};

}  // namespace deltaflow
