// Random choices, the same on every platform and every run.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace deltaflow::engine_test {

class Draw {
public:
    explicit Draw(std::uint64_t seed) : engine_(seed) {}

    // low, ..., high
    int integer(int low, int high) {
        return low + static_cast<int>(engine_() % static_cast<std::uint64_t>(high - low + 1));
    }
    bool chance(int one_in) { return integer(1, one_in) == 1; }
    double between(double low, double high) {
        return low + (high - low) * 0x1p-53 * static_cast<double>(engine_() >> 11);
    }
    template <class T>
    T one_of(const std::vector<T>& list) {
        return list[static_cast<std::size_t>(integer(0, static_cast<int>(list.size()) - 1))];
    }
    // A quarter that is not zero: exact in doubles and short in decimals.
    double quarter(int largest) {
        const int n = integer(1, 4 * largest);
        return (chance(2) ? n : -n) / 4.0;
    }

private:
    std::mt19937_64 engine_;
};

}  // namespace deltaflow::engine_test
