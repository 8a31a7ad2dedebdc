// A double that carries a bound of the rounding it went through.
//
// A solved or summed zero is rarely 0.0. `is_zero` asks whether a value is zero to the rounding of what
// was added up, so no tolerance has to be guessed.
#pragma once

#include <cmath>
#include <limits>

namespace deltaflow {

struct Bounded {
    double value = 0;
    double bound = 0;  // |value - exact| is of this size at most, to first order

    constexpr Bounded() = default;
    constexpr Bounded(double v) : value(v) {}
    constexpr Bounded(int v) : value(v) {}
    constexpr Bounded(double v, double b) : value(v), bound(b) {}
};

namespace rounding {
inline constexpr double unit = std::numeric_limits<double>::epsilon() / 2;
inline Bounded result(double v, double carried) { return {v, carried + unit * std::abs(v)}; }
// f(x) with derivative slope; elementary functions are good to an ulp or so.
inline Bounded function(double v, double slope, const Bounded& x) {
    return {v, std::abs(slope) * x.bound + 2 * unit * std::abs(v)};
}
}  // namespace rounding

inline Bounded operator-(const Bounded& x) { return {-x.value, x.bound}; }
inline Bounded operator+(const Bounded& x, const Bounded& y) {
    return rounding::result(x.value + y.value, x.bound + y.bound);
}
inline Bounded operator-(const Bounded& x, const Bounded& y) {
    return rounding::result(x.value - y.value, x.bound + y.bound);
}
inline Bounded operator*(const Bounded& x, const Bounded& y) {
    return rounding::result(x.value * y.value,
                            std::abs(x.value) * y.bound + std::abs(y.value) * x.bound + x.bound * y.bound);
}
inline Bounded operator/(const Bounded& x, const Bounded& y) {
    const double q = x.value / y.value;
    return rounding::result(q, (x.bound + std::abs(q) * y.bound) / std::abs(y.value));
}

inline Bounded exp(const Bounded& x) {
    const double v = std::exp(x.value);
    return rounding::function(v, v, x);
}
inline Bounded log(const Bounded& x) { return rounding::function(std::log(x.value), 1 / x.value, x); }
inline Bounded sqrt(const Bounded& x) {
    const double v = std::sqrt(x.value);
    if (v == 0) return {v, std::sqrt(x.bound)};  // a branch point has no slope
    return rounding::function(v, 0.5 / v, x);
}
inline Bounded sin(const Bounded& x) { return rounding::function(std::sin(x.value), std::cos(x.value), x); }
inline Bounded cos(const Bounded& x) { return rounding::function(std::cos(x.value), std::sin(x.value), x); }
inline Bounded tan(const Bounded& x) {
    const double v = std::tan(x.value);
    return rounding::function(v, 1 + v * v, x);
}
inline Bounded asin(const Bounded& x) {
    return rounding::function(std::asin(x.value), 1 / std::sqrt(1 - x.value * x.value), x);
}
inline Bounded atan(const Bounded& x) {
    return rounding::function(std::atan(x.value), 1 / (1 + x.value * x.value), x);
}
inline Bounded sinh(const Bounded& x) {
    return rounding::function(std::sinh(x.value), std::cosh(x.value), x);
}
inline Bounded cosh(const Bounded& x) {
    return rounding::function(std::cosh(x.value), std::sinh(x.value), x);
}
inline Bounded tanh(const Bounded& x) {
    const double v = std::tanh(x.value);
    return rounding::function(v, 1 - v * v, x);
}
inline Bounded pow(const Bounded& x, double c) {
    const double v = std::pow(x.value, c);
    if (x.value == 0) return {v, std::pow(x.bound, c)};
    return rounding::function(v, c * v / x.value, x);
}
inline Bounded atan2(const Bounded& y, const Bounded& x) {
    const double r2 = x.value * x.value + y.value * y.value;
    const double v = std::atan2(y.value, x.value);
    return {v, (std::abs(x.value) * y.bound + std::abs(y.value) * x.bound) / r2 +
                   2 * rounding::unit * std::abs(v)};
}

// Zero to the rounding of what was added up; the factor leaves room for what first order misses.
inline bool is_zero(const Bounded& x) { return std::abs(x.value) <= 4 * x.bound; }
inline int sign(const Bounded& x) { return is_zero(x) ? 0 : (x.value > 0 ? 1 : -1); }

inline double value(double x) { return x; }
inline double value(const Bounded& x) { return x.value; }

}  // namespace deltaflow
