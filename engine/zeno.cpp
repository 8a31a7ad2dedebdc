// Detection of Zeno behaviour and the estimate of its accumulation point.
#include "engine/zeno.hpp"

#include "engine/limits.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

bool Zeno::note(double t) {
    if (count_ > 0 && t == times_[count_ - 1]) return false;
    if (count_ == static_cast<int>(times_.size())) {
        std::copy(times_.begin() + 1, times_.end(), times_.begin());
        --count_;
    }
    times_[count_++] = t;
    const int needed = limits::zeno_intervals + 1;
    if (count_ < needed) return false;
    // The cheap test first: most runs never come near.
    const double last = times_[count_ - 1] - times_[count_ - 2];
    if (!(last < limits::zeno_rest * std::max(1.0, std::abs(t)))) return false;
    double ratio = 0, previous = 0;
    for (int i = count_ - needed + 1; i < count_; ++i) {
        const double interval = times_[i] - times_[i - 1];
        if (previous > 0) {
            const double r = interval / previous;
            if (!(r < 1) || (ratio > 0 && std::abs(r - ratio) > limits::zeno_ratio_steadiness)) return false;
            ratio = r;
        }
        previous = interval;
    }
    const double rest = last * ratio / (1 - ratio);
    accumulation_ = t + rest;
    return rest < limits::zeno_rest * std::max(1.0, std::abs(t));
}

}  // namespace deltaflow
