// A worked solve as a teacher would tell it: block by block, rule, numbers, result.
#pragma once

#include "report/explain/formula.hpp"

#include <string>
#include <vector>

namespace deltaflow::report {

// "words: subject = a = b (after)"; without a subject it is the block's own signal.
struct Sentence {
    Words words;
    std::vector<Math> chain;
    std::string after;
    std::optional<Math> subject = {};
};

// One unknown of a loop; `definition` tells what its block is, where a loop comes to it for the first time.
struct Equation {
    std::string definition;
    Math unknown, formula;
    double solution;
};

// One block, or one loop.
struct Paragraph {
    BlockIndex block = 0;
    std::string signal;             // empty: a loop
    bool is_part = false;           // the definition is a part of that signal's
    std::vector<std::string> also;  // further names of the same signal
    Math definition;
    std::string remark;  // behind the definition
    std::vector<int> equations;
    std::vector<Sentence> sentences;
    std::vector<Equation> system;  // of a loop
    std::size_t system_left_out = 0;
};

// Does the instant do anything to it?
bool happens(const WorkedBlock& b);

// Which blocks are told: what happens to them matters. Of a bond graph's many signals those that are
// recorded, those that keep a state, and what these read; all of them on request.
std::vector<std::uint8_t> told_blocks(const BlockFormulas& formulas, const WorkedSolve& solve, bool all);

std::vector<Paragraph> paragraphs_of(const BlockFormulas& formulas, const WorkedSolve& solve,
                                     const std::vector<std::uint8_t>& told, const WorkedSolve* before);

// What a block does at the instant. `impulses`, `value`: which part of it is told.
std::vector<Sentence> sentences_of(const BlockFormulas& formulas, BlockIndex b, bool impulses, bool value,
                                   const WorkedSolve* before);

// Which way the decisions in a block's formula go, and why.
std::vector<Sentence> choices_of(const BlockFormulas& formulas, BlockIndex b);

// Why a step is refused.
Paragraph refusal_of(const BlockFormulas& formulas, const WorkedFailure& failure, bool complete);

// "slope", "second derivative", ...
std::string derivative_words(int order);

}  // namespace deltaflow::report
