// What can be known of a flat diagram before it runs: regularity, degree in time, islands.
#pragma once

#include "blocks/diagram.hpp"

#include <cstdint>
#include <vector>

namespace deltaflow {

// For each node, who reads it.
struct Readers {
    std::vector<std::uint32_t> first;  // size n + 1
    std::vector<NodeId> list;
};
Readers readers_of(const Diagram& d);

// Regularity as an integer: C^k is k, a jump -1, delta^(i) -2-i; `smooth` stands for infinity.
inline constexpr int smooth = 1000;
struct LinkRegularity {
    std::int16_t r = smooth;  // of the link
    std::int16_t s = smooth;  // with which it is read at an instant: smooth behind pre
    friend bool operator==(const LinkRegularity&, const LinkRegularity&) = default;
};
std::vector<LinkRegularity> regularities(const Diagram& d, const Readers& readers);

// How many impulse rungs a link may carry.
inline int impulse_rungs(const LinkRegularity& g) { return g.r <= -2 ? -1 - g.r : 0; }

// The degree of each signal as a polynomial of t in flow: -1 for identically zero, `endless` if it is none.
inline constexpr int endless = 10000;
std::vector<std::int16_t> flow_degrees(const Diagram& d, const Readers& readers);

// Nodes that share no signal with others; time and constants join nothing. island[n] counts from 0 in the
// order of first nodes; shared sources get `everywhere`.
inline constexpr std::uint32_t everywhere = 0xffffffff;
struct Islands {
    std::vector<std::uint32_t> of;
    std::uint32_t count = 0;
};
Islands islands_of(const Diagram& d);

}  // namespace deltaflow
