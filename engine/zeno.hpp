// Instants that accumulate: intervals that shrink with a steady ratio.
#pragma once

#include <array>

namespace deltaflow {

class Zeno {
public:
    // Takes note of an instant; true when the instants accumulate right after it.
    bool note(double t);
    double accumulation() const { return accumulation_; }

private:
    bool shrinks(int period);
    static constexpr int kept = 64;
    std::array<double, kept> times_{};  // the last ones, times_[count_ % kept] is the oldest
    long count_ = 0;
    int stuck_ = 0;  // instants one after the other that time did not move between
    double accumulation_ = 0;
    double ago(int n) const { return times_[static_cast<std::size_t>((count_ - 1 - n) % kept)]; }
};

}  // namespace deltaflow
