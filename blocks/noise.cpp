// Values that look random, by whole numbers alone: the same bits on every machine.
#include "blocks/diagram.hpp"

namespace deltaflow {

namespace {

// Number n of a sequence (splitmix64).
std::uint64_t scrambled(std::uint64_t seed, std::uint64_t n) {
    std::uint64_t x = (seed ^ 0xD1B54A32D192ED03u) * 0xBF58476D1CE4E5B9u + (n + 1) * 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

}  // namespace

// One of 2^32 values, evenly spread over -size ... size.
double Noise::value(std::uint64_t n) const {
    const auto k = static_cast<double>(scrambled(seed, n) >> 32);
    return size * ((2 * k + 1) * 0x1p-32 - 1);
}

}  // namespace deltaflow
