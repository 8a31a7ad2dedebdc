// Which branch a block takes, given the sign of its condition against each of its thresholds.
#pragma once

#include "blocks/diagram.hpp"
#include "engine/limits.hpp"
#include "engine/model/run_failure.hpp"

#include <algorithm>
#include <span>

namespace deltaflow {

// The greatest whole number x with sign(x) >= 0, looked for from `near` outwards, in longer and longer
// strides.
template <class T, class Sign>
int greatest_below(int near, const Sign& sign) {
    const auto reached = [&](int x) {
        if (std::abs(x) > limits::largest_whole)
            throw RunFailure{.kind = ErrorKind::not_finite,
                             .what = "floor, ceil, round, mod and quantize do not count so far",
                             .advice = "scale their input"};
        return sign(T(x)) >= 0;
    };
    int low = near, high = near, stride = 1;
    if (reached(near))
        while (reached(high = low + stride)) low = high, stride *= 2;
    else
        while (!reached(low = high - stride)) high = low, stride *= 2;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        (reached(middle) ? low : high) = middle;
    }
    return low;
}

// The parameters p and the thresholds are doubles, or exact numbers. sign(x): of (condition - x), 0 where it
// is zero for good. `branch` is the one in force (hysteresis).
template <class T, class Sign>
int decide(Primitive op, std::span<const T> p, int branch, const Sign& sign) {
    switch (op) {
        case Primitive::decision:
            return sign(T(0)) >= 0 ? 1 : 0;
        case Primitive::sign:
            return sign(T(0));
        case Primitive::hysteresis:
            if (branch == 0) return sign(p[1]) >= 0 ? 1 : 0;
            return sign(p[0]) <= 0 ? 0 : 1;
        case Primitive::floor:
            return greatest_below<T>(branch, sign);
        case Primitive::piecewise: {
            // So many thresholds have been reached; they increase.
            const auto thresholds = p.subspan(1, static_cast<std::size_t>(static_cast<int>(p[0])));
            const auto reached = [&](const T& x) { return sign(x) >= 0; };
            return static_cast<int>(std::partition_point(thresholds.begin(), thresholds.end(), reached) -
                                    thresholds.begin());
        }
        default:
            return 0;
    }
}

// The branch that a block comes from at the start: a hysteresis has its initial one, whatever was tried on
// the way.
template <class T>
int branch_before_start(Primitive op, std::span<const T> p, int branch) {
    return op != Primitive::hysteresis ? branch : p[2] == T(0) ? 0 : 1;
}

// Calls f(threshold, sign it must keep) for what ends branch `branch`.
template <class T, class F>
void for_each_bound(Primitive op, std::span<const T> p, int branch, const F& f) {
    switch (op) {
        case Primitive::decision:
            f(T(0), branch == 1 ? 1 : -1);
            return;
        case Primitive::sign:
            if (branch != 0) f(T(0), branch);
            return;
        case Primitive::hysteresis:
            f(branch == 0 ? p[1] : p[0], branch == 0 ? -1 : 1);
            return;
        case Primitive::floor:
            f(T(branch), 1);
            f(T(branch + 1), -1);
            return;
        case Primitive::piecewise:
            if (branch > 0) f(p[branch], 1);
            if (branch < static_cast<int>(p[0])) f(p[1 + branch], -1);
            return;
        default:
            return;
    }
}

}  // namespace deltaflow
