// Rungs as derivatives.
#pragma once

#include <cstddef>
#include <vector>

namespace deltaflow::report {

inline double factorial(int n) {
    double f = 1;
    for (int i = 2; i <= n; ++i) f *= i;
    return f;
}

// The first rung that is not zero, as a derivative: {order, value}.
struct Lead {
    int order = 0;
    double value = 0;
};
inline Lead lead_of(const std::vector<double>& rungs) {
    for (std::size_t k = 0; k < rungs.size(); ++k)
        if (rungs[k] != 0) return {static_cast<int>(k), rungs[k] * factorial(static_cast<int>(k))};
    return {};
}

// "is 3", "is 0 and its slope is -2", "is 0 and stays it"
}  // namespace deltaflow::report
