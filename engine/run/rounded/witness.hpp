// Copies what an island knows at a solve of an instant. Only what the instant touches is taken, and what that
// reads.
#pragma once

#include "engine/run/rounded/view.hpp"
#include "engine/run/worked.hpp"

namespace deltaflow {

class Witness {
public:
    // `complete`: the solve came to its end.
    Witness(const Sight& view, const InstantLog& log, bool complete);

    WorkedSolve take(std::uint32_t epsilon);
    // The block of a failure, which nobody may have asked for.
    std::int32_t find(NodeId n);

    // The comparisons of a guard, each with the rung that decided it.
    static void compare(const Sight& view, const bonds::Guard& guard, bool solved,
                        std::vector<WorkedComparison>& to);

private:
    static WorkedComparison comparison(const Sight& view, const bonds::Guard& guard, bool solved);
    static int rungs_there(const OneSidedGerm& g, NodeId n);
    static std::vector<double> rungs_of(const OneSidedGerm& g, NodeId n);

    bool right_germ_is_there(NodeId n) const;
    std::vector<double> right_of(NodeId n) const;
    std::vector<double> impulses_of(NodeId n) const;
    bool jumps(NodeId n) const;
    bool changes(NodeId n) const;
    bool acts(NodeId n) const;
    bool is_touched(NodeId n) const;

    std::vector<NodeId> candidates() const;
    void add_blocks();
    void add_loops();
    void count_rest(std::vector<NodeId> nodes);
    void note_record(WorkedBlock& b, std::uint32_t signal) const;
    std::uint32_t add(NodeId first, bool shown);
    std::uint32_t place_of(NodeId n);
    WorkedBlock block_of(NodeId n) const;
    void add_steps();
    void add_slides();
    void add_graph();

    const Sight& v_;
    const System& s_;
    const InstantSolver& solver_;
    const InstantLog& log_;
    bool complete_;
    std::vector<std::uint32_t> place_;                                  // node -> block + 1
    std::vector<NodeId> solved_, right_steps_, bond_signals_, acting_;  // sorted
    WorkedSolve out_;
};

}  // namespace deltaflow
