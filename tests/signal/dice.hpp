// Random doubles, the same sequence on every platform (the distributions of <random> are not).
#pragma once

#include <random>

namespace deltaflow {

class Dice {
public:
    double between(double low, double high) {
        return low + (high - low) * 0x1p-53 * static_cast<double>(engine_() >> 11);
    }

private:
    std::mt19937_64 engine_{2003};
};

}  // namespace deltaflow
