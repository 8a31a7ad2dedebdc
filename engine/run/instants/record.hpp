// What signals do at an instant, written down.
#pragma once

#include "engine/run/instants/outcome.hpp"
#include "engine/run/island_run.hpp"

namespace deltaflow {

class Record {
public:
    Record(State& state, const Running& at, ModeSystems* modes, Outcome& outcome, Recorder& recorder)
        : state_(state), at_(at), modes_(modes), outcome_(outcome), recorder_(recorder) {}

    void begin_instant();
    void note_cause(NodeId n);
    const std::vector<NodeId>& causes() const { return causes_; }
    // Gives those so far.
    std::vector<NodeId> exchange_causes(std::vector<NodeId> causes);
    // The number of a commit among all at this time, and of the solve in it.
    std::uint32_t number(std::uint32_t epsilon) const { return first_epsilon_ + epsilon; }
    std::uint32_t index() const { return index_; }
    void count_solves_from(std::uint32_t index) { index_ = index; }

    std::size_t events() const { return recorder_.events.size(); }
    void event(std::uint32_t epsilon, bool committed);
    void slides();
    // Outputs at the last instant, if somebody wants to know.
    void keep_germs() { met_.resize(at_.s->outputs.size()); }
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
