// Random choices that are the same everywhere: splitmix64 and arithmetic of whole numbers, no library's
// distributions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace deltaflow::campaign {

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    // low, ..., high
    int integer(int low, int high) {
        return low + static_cast<int>(bits() % static_cast<std::uint64_t>(high - low + 1));
    }
    bool percent(int p) { return integer(1, 100) <= p; }
    double fraction() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
    template <class T>
    const T& one_of(const std::vector<T>& list) {
        return list[static_cast<std::size_t>(bits() % list.size())];
    }
    const char* word(std::initializer_list<const char*> list) {
        return list.begin()[static_cast<std::size_t>(bits() % list.size())];
    }
    // An index, as often as its weight says.
    std::size_t weighted(const std::vector<int>& weights) {
        int sum = 0;
        for (const int w : weights) sum += w;
        int left = integer(0, sum - 1);
        for (std::size_t i = 0; i < weights.size(); ++i)
            if ((left -= weights[i]) < 0) return i;
        return 0;
    }
    template <class T>
    void shuffle(std::vector<T>& list) {
        for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[bits() % i]);
    }
    // A stream of its own, which does not depend on how far this one has come.
    Random branch(std::uint64_t which) const {
        Random other(state_ ^ (which * 0xd1342543de82ef95u));
        return Random(other.bits());
    }

private:
    std::uint64_t state_;
};

}  // namespace deltaflow::campaign
