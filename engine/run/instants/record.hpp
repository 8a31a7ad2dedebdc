// What the last solve made of signals, on the whole or on the part that a change reaches; the same over all
// that has passed at this instant and is one event; and what of it is written down.
#pragma once

#include "engine/modes/guards.hpp"
#include "engine/run/germs/germs.hpp"
#include "engine/run/island_run.hpp"

#include <optional>
#include <utility>

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
    int told_count(NodeId n) const { return passed_ ? passed_count(n) : impulse_count(n); }
    Bounded told_impulse(NodeId n, int i) const { return passed_ ? passed_impulse(n, i) : impulse(n, i); }
    const OneSidedGerm& told_left() const { return passed_ ? passed_->left : state_.left; }
    // What a signal does at this instant: whether its value jumps, and how many impulses it has.
    struct Doing {
        bool jumps;
        int impulses;
        double left, right;
        bool anything() const { return jumps || impulses > 0; }
    };
    Doing doing(NodeId n) const;

private:
    int passed_count(NodeId n) const;
    Bounded passed_impulse(NodeId n, int i) const;

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

class Record {
public:
    Record(State& state, const Running& at, ModeSystems* modes, Outcome& outcome, Recorder& recorder)
        : state_(state), at_(at), modes_(modes), outcome_(outcome), recorder_(recorder) {}

    // What somebody does after an instant, at the same time, comes behind it.
    void begin_instant() {
        goes_behind_ = !state_.fed.empty() && state_.t == state_.last_instant;
        first_epsilon_ = goes_behind_ ? state_.epsilons : 0;
    }
    void note_cause(NodeId n);
    const std::vector<NodeId>& causes() const { return causes_; }
    void forget_causes() { causes_.clear(); }
    // Gives those so far.
    std::vector<NodeId> exchange_causes(std::vector<NodeId> causes) {
        return std::exchange(causes_, std::move(causes));
    }
    // The number of a commit among all at this time, and of the solve in it.
    std::uint32_t number(std::uint32_t epsilon) const { return first_epsilon_ + epsilon; }
    std::uint32_t index() const { return index_; }
    void count_solves_from(std::uint32_t index) { index_ = index; }

    std::size_t events() const { return recorder_.events.size(); }
    void event(std::uint32_t epsilon, bool committed);
    // Where blocks begin to slide and cease to; has any of them?
    void slides();
    bool has_slid() const { return !recorder_.slid.empty(); }
    // Outputs at the last instant, if somebody wants to know.
    void keep_germs() { met_.resize(at_.s->outputs.size()); }
    bool keeps_germs() const { return !met_.empty(); }
    void gather_germs(std::uint32_t epsilon);
    const MetGerm* met(std::size_t output, double t) const;
    void archive(Archive& a) { a(recorder_, met_); }

private:
    void jump(const System::Output& output);
    bool does_anything_unseen() const;

    State& state_;
    const Running& at_;
    ModeSystems* modes_;  // only with a bond graph
    Outcome& outcome_;
    Recorder& recorder_;
    std::vector<NodeId> causes_;
    std::vector<MetGerm> met_;         // per output; empty: nobody wants to know
    std::uint32_t index_ = 0;          // of the solve
    std::uint32_t first_epsilon_ = 0;  // of the instant
    bool goes_behind_ = false;         // another instant at the same time
};

}  // namespace deltaflow
