// Many sets of numbers side by side: a program of values runs once for all of them.
//
// Signal n of set i is row n, lane i. Each operation is that of execute(), in the same order, so each lane
// has the bits that it would have alone.
#pragma once

#include "engine/compile/system.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace deltaflow {

inline constexpr std::size_t lane_count = 32;
struct alignas(64) Row {
    std::array<double, lane_count> lane{};
};
using Rows = std::vector<Row>;

// Blocks of a program in the order of evaluation, each with what it reads.
struct LaneProgram {
    struct Term {
        NodeId node;
        std::uint32_t parameter;
    };
    struct Block {
        Primitive op;
        NodeId out;
        std::uint32_t first, count;  // of the terms
        std::uint32_t parameter, parameter_count;
    };
    std::vector<Block> blocks;
    std::vector<Term> terms;
};

// Are all its blocks plain algebra, without loops, derivatives, branches and memory?
bool runs_in_lanes(const System& s, const Program& p);
LaneProgram lane_program(const System& s, const Program& p);

// The smooth flow of an island by rk4: steps from x0 to x1, a lane a set of numbers.
class LaneFlow {
public:
    static bool is_possible(const System& s);
    explicit LaneFlow(const System& s);
    // The numbers of a lane, as Diagram::parameters has them: before anything else.
    void set_numbers(std::size_t lane, std::span<const double> parameters);
    void begin();

    void step(double t, double h);
    void take_step() { x0_.swap(x1_); }
    // Recorded signals s after the beginning of the last step; at the beginning of the next one.
    void show(double s);
    void show_here(double t);
    const Row& shown(std::size_t output) const { return shown_[outputs_[output]]; }
    // Something was not finite: this lane has to be looked at by itself.
    bool is_bad(std::size_t lane) const { return bad_.lane[lane] != 0; }

    struct Work;  // one step, in words that the processor at hand knows

private:
    LaneProgram slopes_, outputs_of_;
    std::vector<NodeId> states_, slope_of_, constants_, outputs_;
    std::vector<std::uint32_t> initial_, constant_;  // parameters
    // Slopes that are states themselves have to be kept while the states move.
    std::vector<std::size_t> moving_slopes_;
    std::vector<std::uint8_t> is_moving_;
    Rows numbers_, a_, shown_, x0_, x1_, f0_, f1_, kept_, middle_;
    Row bad_;
    double t_ = 0, h_ = 0;
    bool knows_slopes_ = false;  // at both ends of the step
};

}  // namespace deltaflow
