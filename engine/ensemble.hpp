// Runs of models that differ in numbers: compiled once, and side by side where their flow allows it.
#pragma once

#include "deltaflow/sink.hpp"
#include "engine/prepared.hpp"
#include "engine/solve/lanes.hpp"

#include <exception>
#include <span>
#include <vector>

namespace deltaflow {

// One thread uses it. Each run has the bits that it would have alone.
class Ensemble {
public:
    struct Member {
        FlatModel model;  // is taken
        Sink* sink;
        std::exception_ptr mistake = {};  // what is wrong with the model: then there was no run
        bool begun = false;               // else it was interrupted before
    };
    // So many at a time are worth their room.
    static constexpr std::size_t most = lane_count;

    void run(std::span<Member> members, const RunControl& control);

private:
    void run_alone(Member& member, const RunControl& control);
    std::size_t run_first(std::span<Member> members, const RunControl& control);
    std::size_t gather(std::span<Member> members, std::vector<LaneFlow>& flows);
    bool is_for_lanes(const RunControl& control) const;

    Prepared prepared_;  // the last one; the next may need nothing but its numbers
};

}  // namespace deltaflow
