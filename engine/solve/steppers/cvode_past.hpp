// What a multistep method has gone through, so that it can be gone through again.
#pragma once

#include "engine/model/archive.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace deltaflow {

// Where BDF began, and what it was called with since then.
struct CvodePast {
    double t = 0, h_max = 0, h = 0;
    std::vector<double> x;
    std::vector<std::byte> before;                 // scales and loops
    std::vector<std::pair<double, double>> steps;  // from where each began, and how far it might go
    std::vector<double> guesses;                   // where it found the unknowns of loops, step by step
    void archive(Archive& a) { a(t, h_max, h, x, before, steps, guesses); }
    // Then it begins anew: a past that somebody may have to go through again must not grow for ever.
    bool is_long() const { return steps.size() >= 100000 || guesses.size() >= 1000000; }
    bool operator==(const CvodePast&) const = default;
};

}  // namespace deltaflow
