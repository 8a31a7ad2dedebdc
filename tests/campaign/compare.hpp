// How far two outcomes of one model are apart.
#pragma once

#include "tests/campaign/outcome.hpp"

#include <string>

namespace deltaflow::campaign {

// Relative: values to the size that the signal has shown, times to the length of the run.
struct Deviation {
    double value = 0, time = 0;
    bool structure = false;  // something happened in one of them only, or is not a number
    std::string where;       // the worst of it, for people

    bool within(double tolerance) const { return !structure && value <= tolerance && time <= tolerance; }
};

// Happenings nearer than `window` (a part of the run) are the same one; samples as near to one are left out,
// for they may be on either side.
Deviation deviation(const Outcome& a, const Outcome& b, double window);

}  // namespace deltaflow::campaign
