// A double with one derivative: exact Jacobians from the blocks' own rules.
#pragma once

#include <cmath>

namespace deltaflow {

struct Dual {
    double value = 0;
    double slope = 0;

    constexpr Dual() = default;
    constexpr Dual(double v) : value(v) {}
    constexpr Dual(int v) : value(v) {}
    constexpr Dual(double v, double d) : value(v), slope(d) {}
};

inline Dual operator-(const Dual& x) { return {-x.value, -x.slope}; }
inline Dual operator+(const Dual& x, const Dual& y) { return {x.value + y.value, x.slope + y.slope}; }
inline Dual operator-(const Dual& x, const Dual& y) { return {x.value - y.value, x.slope - y.slope}; }
inline Dual operator*(const Dual& x, const Dual& y) {
    return {x.value * y.value, x.slope * y.value + x.value * y.slope};
}
inline Dual operator/(const Dual& x, const Dual& y) {
    const double q = x.value / y.value;
    return {q, (x.slope - q * y.slope) / y.value};
}

inline Dual exp(const Dual& x) {
    const double v = std::exp(x.value);
    return {v, v * x.slope};
}
inline Dual log(const Dual& x) { return {std::log(x.value), x.slope / x.value}; }
inline Dual sqrt(const Dual& x) {
    const double v = std::sqrt(x.value);
    return {v, x.slope / (2 * v)};
}
inline Dual sin(const Dual& x) { return {std::sin(x.value), std::cos(x.value) * x.slope}; }
inline Dual cos(const Dual& x) { return {std::cos(x.value), -std::sin(x.value) * x.slope}; }
inline Dual tan(const Dual& x) {
    const double v = std::tan(x.value);
    return {v, (1 + v * v) * x.slope};
}
inline Dual asin(const Dual& x) { return {std::asin(x.value), x.slope / std::sqrt(1 - x.value * x.value)}; }
inline Dual atan(const Dual& x) { return {std::atan(x.value), x.slope / (1 + x.value * x.value)}; }
inline Dual sinh(const Dual& x) { return {std::sinh(x.value), std::cosh(x.value) * x.slope}; }
inline Dual cosh(const Dual& x) { return {std::cosh(x.value), std::sinh(x.value) * x.slope}; }
inline Dual tanh(const Dual& x) {
    const double v = std::tanh(x.value);
    return {v, (1 - v * v) * x.slope};
}
inline Dual pow(const Dual& x, double c) {
    return {std::pow(x.value, c), c * std::pow(x.value, c - 1) * x.slope};
}
inline Dual atan2(const Dual& y, const Dual& x) {
    const double r2 = x.value * x.value + y.value * y.value;
    return {std::atan2(y.value, x.value), (x.value * y.slope - y.value * x.slope) / r2};
}

inline double value(const Dual& x) { return x.value; }

}  // namespace deltaflow
