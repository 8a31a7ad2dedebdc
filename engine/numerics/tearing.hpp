// Where Newton's method begins in a loop: a few unknowns are torn, the others follow from them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace deltaflow {

// Members are numbered 0, 1, ...; row i reads columns[first[i]] ... columns[first[i+1]-1].
struct LoopShape {
    std::vector<std::uint32_t> first, columns;
    std::vector<std::uint64_t> kind;      // per member: what it is, whatever it is called
    std::vector<std::uint8_t> nonlinear;  // per member: not linear in what it reads
    std::vector<std::uint8_t> guessed;    // per member: the user gave a value
};

struct Tearing {
    std::vector<std::uint32_t> order;  // of evaluation: a member that is not torn stands behind all it reads
    std::vector<std::uint8_t> torn;    // per member
    std::vector<std::uint8_t> argument;  // per member: something nonlinear reads it
    std::vector<double> weight;          // per member: how far it moves when the start is perturbed
};

// The choice depends on the shape alone, not on the numbering: members are told apart by what they are and
// what they are joined to. What the user guessed is torn first, then what nonlinear members read: from there
// functions are evaluated, never inverted.
Tearing tear(const LoopShape& shape);

// For kinds: mixes a number into a hash.
inline std::uint64_t mix(std::uint64_t hash, std::uint64_t x) {
    hash = (hash ^ x) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ (hash >> 29)) * 0xbf58476d1ce4e5b9u;
    return hash ^ (hash >> 32);
}

}  // namespace deltaflow
