// What the last solve made of signals, on the whole or on the part that a change reaches; and the same over
// all that has passed at this instant and is one event.
#pragma once

#include "engine/modes/guards.hpp"
#include "engine/run/germs/germs.hpp"

#include <optional>

namespace deltaflow {

class Outcome {
public:
    Outcome(const State& state, const Running& at) : state_(state), at_(at) {}

    // From now on it is that of a part, or (nothing) of the whole.
    void be_of(Change* part);
    Change* part() const { return change_; }
    bool reaches(NodeId n) const { return change_ && part_[n] != no_node; }

    int impulse_count(NodeId n) const {
        if (!change_) return impulse_rungs(at_.s->regularity[n]);
        return reaches(n) ? impulse_rungs(change_->s.regularity[part_[n]]) : 0;
    }
    Bounded impulse(NodeId n, int i) const {
        if (!change_) return at_.m->solver->impulse(n, i);
        return reaches(n) ? change_->solver->impulse(part_[n], i) : Bounded(0);
    }
    Bounded right(NodeId n) const;
    bool is_struck(NodeId n) const { return impulse_count(n) > 0 && !is_zero(impulse(n, 0)); }
    bool reads_pre(NodeId n) const;
    // The number that decides a comparison.
    GuardReading reading(NodeId n) const;

    // An impact is over at once: what follows it is found from what it left, and both are one event.
    void pass_on();
    bool has_passed() const { return passed_.has_value(); }
    void end_event() { passed_.reset(); }
    int told_count(NodeId n) const;
    Bounded told_impulse(NodeId n, int i) const;
    const OneSidedGerm& told_left() const { return passed_ ? passed_->left : state_.left; }
    // What a signal does at this instant: whether its value jumps, and how many impulses it has.
    struct Doing {
        bool jumps;
        int impulses;
        bool anything() const { return jumps || impulses > 0; }
    };
    Doing doing(NodeId n) const;

private:
    // What was before impacts that this commit is the end of, and their impulses, per node.
    struct Passed {
        OneSidedGerm left;
        std::vector<std::pair<NodeId, std::vector<Bounded>>> impulses;
        const std::vector<Bounded>* of(NodeId n) const;
    };

    const State& state_;
    const Running& at_;
    Change* change_ = nullptr;         // the last solve was on this part
    std::vector<std::uint32_t> part_;  // node -> index in it
    std::optional<Passed> passed_;
};

// The lowest rung of the solved germ that is not zero: an impulse outweighs every finite value.
int solved_sign(const Outcome& outcome, Germs& germs, State& state, NodeId node, bool by_value = false,
                bool with_impulses = true);

}  // namespace deltaflow
