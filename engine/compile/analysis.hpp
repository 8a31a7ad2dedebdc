// What can be known of a flat diagram before it runs: regularity and degree in time.
#pragma once

#include "blocks/diagram.hpp"
#include "signal/regularity.hpp"

#include <cstdint>
#include <vector>

namespace deltaflow {

// For each node, who reads it.
struct Readers {
    std::vector<std::uint32_t> first;  // size n + 1
    std::vector<NodeId> list;
};
Readers readers_of(const Diagram& d);

// The regularity of each link, and the smoothness with which it is read at an instant (more behind pre).
// The greatest fixed point: loops are as regular as what comes into them allows.
// `at_most`: nodes that are known to be no better than that (signals of bond graphs jump when modes change).
std::vector<Reading> regularities(const Diagram& d, const Readers& readers,
                                  const std::vector<Regularity>& at_most = {});

inline bool is_impulsive(const Reading& g) { return is_impulsive(g.r); }
inline int impulse_rungs(const Reading& g) { return impulse_rungs(g.r); }

// The degree of each signal as a polynomial of t in flow: -1 for identically zero, `endless` if it is none.
inline constexpr int endless = 10000;
std::vector<std::int16_t> flow_degrees(const Diagram& d, const Readers& readers);

}  // namespace deltaflow
