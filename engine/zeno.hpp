// Instants that accumulate: shrinking intervals of steady ratio.
#pragma once

#include <array>

namespace deltaflow {

class Zeno {
public:
    // Takes note of an instant; true when the instants before it accumulate right after it.
    bool note(double t);
    void forget() { count_ = 0; }
    double accumulation() const { return accumulation_; }

private:
    std::array<double, 16> times_{};
    int count_ = 0;
    double accumulation_ = 0;
};

}  // namespace deltaflow
