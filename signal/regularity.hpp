// How regular a signal can be at its worst instant: a chain from smooth down through jumps to impulses.
#pragma once

#include <algorithm>
#include <compare>
#include <iosfwd>
#include <limits>
#include <string>

namespace deltaflow {

// r is the k of C^k; below it -1 for a jump and -2-i for delta^(i). A smooth signal is above them all.
// Equivalently: -1-r rungs lie below the bar, and the first rung that jumps is r+1.
struct Regularity {
    int r = std::numeric_limits<int>::max();

    static const Regularity smooth, jump;
    static constexpr Regularity C(int k) { return {k}; }
    static constexpr Regularity delta(int i = 0) { return {-2 - i}; }

    friend auto operator<=>(const Regularity&, const Regularity&) = default;
};
inline constexpr Regularity Regularity::smooth{};
inline constexpr Regularity Regularity::jump{-1};

constexpr bool is_impulsive(Regularity u) { return u < Regularity::jump; }

// The number of impulse rungs that such a signal may carry.
constexpr int impulse_rungs(Regularity u) { return is_impulsive(u) ? -1 - u.r : 0; }

constexpr Regularity shifted(Regularity u, int by) {
    return u == Regularity::smooth ? u : Regularity{u.r + by};
}
constexpr Regularity derivative(Regularity u) { return shifted(u, -1); }
constexpr Regularity integral(Regularity u) { return shifted(u, +1); }

// Of a sum, and of a product that is defined.
constexpr Regularity meet(Regularity u, Regularity v) { return std::min(u, v); }

// delta^(i) needs C^i on the other side: r_u + r_v >= -2. Two signals without impulses always multiply.
constexpr bool product_defined(Regularity u, Regularity v) {
    if (std::max(u, v) == Regularity::smooth) return true;
    return u.r + v.r >= -2;
}

// A link whose smoothness, where a product reads it beside an impulse, may exceed its regularity:
// `pre` reads as smooth at the instant itself, everything else has s = r.
struct Reading {
    Regularity r, s;
    friend bool operator==(const Reading&, const Reading&) = default;
};

constexpr bool product_defined(const Reading& u, const Reading& v) {
    return (!is_impulsive(u.r) || product_defined(u.r, v.s)) &&
           (!is_impulsive(v.r) || product_defined(u.s, v.r));
}

// A condition, an inverse and a function of a signal need it free of impulses (003:20, 34).
constexpr bool function_defined(Regularity u) { return !is_impulsive(u); }

// "smooth", "C<k>", "jump", "delta", "delta<i>"
std::string to_string(Regularity u);
std::ostream& operator<<(std::ostream& out, Regularity u);

}  // namespace deltaflow
