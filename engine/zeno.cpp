// Detection of Zeno behaviour and the estimate of its accumulation point.
#include "engine/zeno.hpp"

#include "engine/limits.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

// Every `period` instants belong together: their intervals form a geometric series.
bool Zeno::shrinks(int period) {
    if (count_ < (limits::zeno_intervals + 1) * period + 1) return false;
    double ratio = 0, next = 0;
    for (int i = 0; i < limits::zeno_intervals; ++i) {
        const double interval = ago(i * period) - ago((i + 1) * period);
        if (i > 0) {
            const double r = next / interval;
            if (!(r < 1 - limits::zeno_ratio_steadiness / 50) ||
                (i > 1 && std::abs(r - ratio) > limits::zeno_ratio_steadiness))
                return false;
            ratio = r;
        }
        next = interval;
    }
    const double last = ago(0) - ago(period), r = (ago(0) - ago(period)) / (ago(period) - ago(2 * period));
    accumulation_ = ago(0) + last * r / (1 - r);
    return accumulation_ - ago(0) < limits::zeno_rest * std::max(1.0, std::abs(ago(0)));
}

bool Zeno::note(double t) {
    const double step = count_ > 0 ? t - ago(0) : HUGE_VAL;
    stuck_ = step <= 4e-16 * std::abs(t) ? stuck_ + 1 : 0;
    times_[static_cast<std::size_t>(count_++ % kept)] = t;
    if (stuck_ > limits::stuck_instants) {
        accumulation_ = t;
        return true;
    }
    // The cheap test first: most runs never come near.
    if (!(step < limits::zeno_rest * std::max(1.0, std::abs(t)))) return false;
    for (int period = 1; period <= 6; ++period)
        if (shrinks(period)) return true;
    return false;
}

}  // namespace deltaflow
