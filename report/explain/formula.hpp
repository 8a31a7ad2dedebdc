// The blocks of a worked solve as formulas: what they are, and with the numbers put in.
#pragma once

#include "engine/explain.hpp"
#include "report/explain/math.hpp"

#include <functional>

namespace deltaflow::report {

using BlockIndex = std::uint32_t;

// Rungs that stay letters in a formula: the unknowns of a loop.
using IsUnknown = std::function<bool(BlockIndex, RungKind, int)>;

class BlockFormulas {
public:
    BlockFormulas(const WorkedSolve& solve, double t);

    const WorkedBlock& block(BlockIndex b) const { return solve_.blocks[b]; }
    // Has it a line of its own? Parts of an expression stand inside the formula of their block, and another
    // name for the same signal is that signal.
    bool stands_alone(BlockIndex b) const { return alone_[b]; }
    const std::string& label(BlockIndex b) const { return labels_[b]; }
    bool is_alias(BlockIndex b) const;        // y = u and nothing else
    BlockIndex original(BlockIndex b) const;  // of an alias: what it is an alias of

    Math signal(BlockIndex b, int depth = 0) const;      // its name, or its formula if it has none
    Math definition(BlockIndex b, int depth = 0) const;  // its formula
    Math numbers(BlockIndex b) const;                    // the formula with germs for its operands
    Math germ_of(BlockIndex b) const;  // what it is at the instant: right value and impulses
    // One rung: right limit [k] or coefficient of delta^(k); unknowns by name, numbers for the rest.
    Math rung(BlockIndex b, RungKind kind, int k, const IsUnknown& unknown, bool top = true,
              int depth = 0) const;

    // Everything that stands inside the formula of b, b itself first; and the named signals it reads.
    std::vector<BlockIndex> parts(BlockIndex b) const;
    std::vector<BlockIndex> leaves(BlockIndex b) const;
    std::vector<BlockIndex> operands(BlockIndex b) const;  // inputs that count at this instant
    // Numbers of the equations of 003 that its formula applies.
    std::vector<int> equations(BlockIndex b) const;

    double t() const { return t_; }
    static double left(const WorkedBlock& b, std::size_t k = 0) { return k < b.left.size() ? b.left[k] : 0; }
    static double right(const WorkedBlock& b, std::size_t k = 0) {
        return k < b.right.size() ? b.right[k] : 0;
    }
    static double impulse(const WorkedBlock& b, std::size_t i) {
        return i < b.impulses.size() ? b.impulses[i] : 0;
    }

private:
    // Formulas nest no deeper than this; what is inside has a name then.
    static constexpr int deepest = 24;

    void name_originals();
    // The formula of a block, with `operand` for each input.
    Math build(BlockIndex b, const std::function<Math(BlockIndex)>& operand) const;
    Math numbers_of(BlockIndex b, int depth) const;
    Math right_rung(BlockIndex b, int k, const IsUnknown& unknown, int depth) const;
    Math impulse_rung(BlockIndex b, int i, const IsUnknown& unknown, int depth) const;

    const WorkedSolve& solve_;
    double t_;
    std::vector<std::string> labels_;
    std::vector<std::uint8_t> alone_;
};

}  // namespace deltaflow::report
