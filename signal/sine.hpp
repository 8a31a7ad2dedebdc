// sin and cos of doubles, and of several side by side, by the same operations: the same bits on every
// machine, in every library and in every lane. Errors are below 0.81 units in the last place.
//
// x = n pi/2 + r + tail with pi/2 in three parts (Cody and Waite), of which n times the first two is exact;
// then minimax polynomials on |r| <= pi/4.
#pragma once

#include <cmath>
#include <cstdint>

namespace deltaflow::sine {

// Beyond this n is too long; there the library of the machine is asked.
inline constexpr double largest = 1e5;

#if defined(__GNUC__)
#define DELTAFLOW_ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define DELTAFLOW_ALWAYS_INLINE inline
#endif

// `quarters`: 0 for sin, 1 for cos. Bits is the integer type of the same shape as X; a choice c ? a : b goes
// lane by lane.
template <class X, class Bits>
DELTAFLOW_ALWAYS_INLINE void of(const X& x, std::int64_t quarters, X& result) {
    constexpr double magic = 0x1.8p52;  // added to a number it leaves the nearest whole one in the last bits
    const X shifted = x * 0x1.45f306dc9c883p-1 + magic;
    const X n = shifted - magic;
    const Bits turn = __builtin_bit_cast(Bits, shifted) + quarters;

    const X first = x - n * 0x1.921fb54400000p+0;
    const X second = n * 0x1.0b4611a600000p-34;
    const X near = first - second, back = near - first;
    const X rest = ((first - (near - back)) - (second + back)) - n * 0x1.3198a2e037073p-69;
    const X r = near + rest, tail = (near - r) + rest;

    const X z = r * r, cube = z * r;
    const X s = 0x1.111111110f7d0p-7 +
                z * (-0x1.a01a019bfdde7p-13 +
                     z * (0x1.71de3567c3a44p-19 + z * (-0x1.ae5e5a846879bp-26 + z * 0x1.5d8fcda7407ffp-33)));
    const X sin = r + (cube * (-0x1.5555555555548p-3 + z * s) + (tail - 0.5 * (z * tail)));
    const X c =
        0x1.555555555554bp-5 +
        z * (-0x1.6c16c16c14f91p-10 +
             z * (0x1.a01a019c843bfp-16 +
                  z * (-0x1.27e4f7eab6863p-22 + z * (0x1.1ee9d7ab0ff99p-29 + z * -0x1.8fa494da02f37p-37))));
    const X half = 0.5 * z, near_one = 1.0 - half;
    const X cos = near_one + (((1.0 - near_one) - half) + (z * z * c - r * tail));

    const X chosen = (turn & 1) != 0 ? cos : sin;
    result = __builtin_bit_cast(X, __builtin_bit_cast(Bits, chosen) ^ ((turn & 2) << 62));
}

inline double sin(double x) {
    if (!(std::abs(x) <= largest)) return std::sin(x);
    double result;
    of<double, std::int64_t>(x, 0, result);
    return result;
}

inline double cos(double x) {
    if (!(std::abs(x) <= largest)) return std::cos(x);
    double result;
    of<double, std::int64_t>(x, 1, result);
    return result;
}

}  // namespace deltaflow::sine
