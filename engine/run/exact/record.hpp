// What is written down of a run in exact numbers: pieces, impulses, and who caused the last event.
#pragma once

#include "engine/run/exact/state.hpp"
#include "engine/run/island_run.hpp"
#include "engine/solve/exact/trace.hpp"

namespace deltaflow::closed_form {

class ExactRecord {
public:
    ExactRecord(const ExactState& state, const ExactRunning& at) : state_(state), at_(at) {}

    void begin();
    void note_cause(NodeId n);
    // The pieces of recorded signals over a flow from now to `to`.
    void flow(const Quadratic& to);
    // What an event at the very stop leaves is a piece of no length.
    void end();
    // The impulses of a commit that is to be told as one with the next.
    void gather();
    // The impulses of a commit, and what was gathered before it.
    void tell(std::uint32_t epsilon);

    Recorder& recorder() { return recorder_; }
    // By index of the model's record; signals of other islands are empty.
    std::map<std::uint32_t, ExactSignal> take_signals() { return std::move(signals_); }

private:
    void keep(const Polynomial& numbers);

    const ExactState& state_;
    const ExactRunning& at_;
    std::map<std::uint32_t, ExactSignal> signals_;
    std::map<std::uint32_t, Polynomial> gathered_;  // impulses, by signal
    Recorder recorder_;
    std::vector<NodeId> causes_;
    std::size_t kept_bits_ = 0;  // of pieces and impulses that are written down
};

}  // namespace deltaflow::closed_form
