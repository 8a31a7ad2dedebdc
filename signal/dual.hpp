// A number with one derivative: exact Jacobians from the blocks' own rules.
#pragma once

#include <cmath>

namespace deltaflow {

template <class S>
struct DualOf {
    S value = S(0);
    S slope = S(0);

    constexpr DualOf() = default;
    constexpr DualOf(double v) : value(v) {}
    constexpr DualOf(int v) : value(v) {}
    constexpr DualOf(const S& v, const S& d) : value(v), slope(d) {}
};
using Dual = DualOf<double>;

template <class S>
DualOf<S> operator-(const DualOf<S>& x) {
    return {-x.value, -x.slope};
}
template <class S>
DualOf<S> operator+(const DualOf<S>& x, const DualOf<S>& y) {
    return {x.value + y.value, x.slope + y.slope};
}
template <class S>
DualOf<S> operator-(const DualOf<S>& x, const DualOf<S>& y) {
    return {x.value - y.value, x.slope - y.slope};
}
template <class S>
DualOf<S> operator*(const DualOf<S>& x, const DualOf<S>& y) {
    return {x.value * y.value, x.slope * y.value + x.value * y.slope};
}
template <class S>
DualOf<S> operator/(const DualOf<S>& x, const DualOf<S>& y) {
    const S q = x.value / y.value;
    return {q, (x.slope - q * y.slope) / y.value};
}

template <class S>
DualOf<S> exp(const DualOf<S>& x) {
    using std::exp;
    const S v = exp(x.value);
    return {v, v * x.slope};
}
template <class S>
DualOf<S> log(const DualOf<S>& x) {
    using std::log;
    return {log(x.value), x.slope / x.value};
}
template <class S>
DualOf<S> sqrt(const DualOf<S>& x) {
    using std::sqrt;
    const S v = sqrt(x.value);
    return {v, x.slope / (S(2) * v)};
}
template <class S>
DualOf<S> sin(const DualOf<S>& x) {
    using std::cos, std::sin;
    return {sin(x.value), cos(x.value) * x.slope};
}
template <class S>
DualOf<S> cos(const DualOf<S>& x) {
    using std::cos, std::sin;
    return {cos(x.value), -sin(x.value) * x.slope};
}
template <class S>
DualOf<S> tan(const DualOf<S>& x) {
    using std::tan;
    const S v = tan(x.value);
    return {v, (S(1) + v * v) * x.slope};
}
template <class S>
DualOf<S> asin(const DualOf<S>& x) {
    using std::asin, std::sqrt;
    return {asin(x.value), x.slope / sqrt(S(1) - x.value * x.value)};
}
template <class S>
DualOf<S> atan(const DualOf<S>& x) {
    using std::atan;
    return {atan(x.value), x.slope / (S(1) + x.value * x.value)};
}
template <class S>
DualOf<S> sinh(const DualOf<S>& x) {
    using std::cosh, std::sinh;
    return {sinh(x.value), cosh(x.value) * x.slope};
}
template <class S>
DualOf<S> cosh(const DualOf<S>& x) {
    using std::cosh, std::sinh;
    return {cosh(x.value), sinh(x.value) * x.slope};
}
template <class S>
DualOf<S> tanh(const DualOf<S>& x) {
    using std::tanh;
    const S v = tanh(x.value);
    return {v, (S(1) - v * v) * x.slope};
}
template <class S>
DualOf<S> pow(const DualOf<S>& x, double c) {
    using std::pow;
    return {pow(x.value, c), S(c) * pow(x.value, c - 1) * x.slope};
}
template <class S>
DualOf<S> atan2(const DualOf<S>& y, const DualOf<S>& x) {
    using std::atan2;
    const S r2 = x.value * x.value + y.value * y.value;
    return {atan2(y.value, x.value), (x.value * y.slope - y.value * x.slope) / r2};
}
// For intervals: the angle of (x, y), continued over its cut.
template <class S>
DualOf<S> angle(const DualOf<S>& y, const DualOf<S>& x, double side) {
    const S r2 = x.value * x.value + y.value * y.value;
    return {angle(y.value, x.value, side), (x.value * y.slope - y.value * x.slope) / r2};
}

inline double value(const Dual& x) { return x.value; }

}  // namespace deltaflow
