// Elementary functions of intervals: monotone pieces, extremes and poles between them.
#include "signal/interval.hpp"

namespace deltaflow {

namespace {

using outward::down;
using outward::hyperbolic_ulps;
using outward::increasing;
using outward::known;
using outward::least;
using outward::most;
using outward::ulps;
using outward::up;
using outward::within;

constexpr double pi = 3.141592653589793;
// Beyond this the reduction by a double pi says nothing.
constexpr double far_out = 1e15;

// May (x - offset) / period be a whole number somewhere in x? Never says no wrongly.
bool meets(const Interval& x, double offset, double period) {
    const double size = most(std::abs(x.lo), std::abs(x.hi));
    if (!(size < far_out)) return true;
    const double slack = 0x1p-50 * (size + std::abs(offset)) / period + 0x1p-50;
    return std::floor((x.hi - offset) / period + slack) >= std::ceil((x.lo - offset) / period - slack);
}

// A function between -1 and 1 of period 2 pi, with its largest value at `top`.
template <class F>
Interval wave(F f, const Interval& x, double top) {
    if (!x.is_known()) return Interval::nowhere();
    const double a = f(x.lo), b = f(x.hi);
    const bool rises = meets(x, top, 2 * pi), falls = meets(x, top + pi, 2 * pi);
    return {falls ? -1 : most(-1, down(least(a, b), ulps)), rises ? 1 : least(1, up(most(a, b), ulps))};
}

// The values of |x|.
Interval size_of(const Interval& x) {
    const double a = std::abs(x.lo), b = std::abs(x.hi);
    return {x.lo <= 0 && x.hi >= 0 ? 0 : least(a, b), most(a, b)};
}

double sech(double x) { return 1 / std::cosh(x); }

const Interval whole_pi(3.141592653589793, 3.1415926535897936);

}  // namespace

Interval exp(const Interval& x) {
    return within(increasing([](double v) { return std::exp(v); }, x), 0, HUGE_VAL);
}

Interval log(const Interval& x) {
    return x.lo > 0 ? increasing([](double v) { return std::log(v); }, x) : Interval::nowhere();
}

Interval sqrt(const Interval& x) {
    if (!x.is_known() || x.lo < 0) return Interval::nowhere();
    return {most(0, down(std::sqrt(x.lo))), up(std::sqrt(x.hi))};
}

Interval sin(const Interval& x) {
    return wave([](double v) { return std::sin(v); }, x, pi / 2);
}
Interval cos(const Interval& x) {
    return wave([](double v) { return std::cos(v); }, x, 0);
}
Interval tan(const Interval& x) {
    if (!x.is_known() || meets(x, pi / 2, pi)) return Interval::nowhere();
    return increasing([](double v) { return std::tan(v); }, x);
}

Interval asin(const Interval& x) {
    if (!(x.lo >= -1 && x.hi <= 1)) return Interval::nowhere();
    return increasing([](double v) { return std::asin(v); }, x);
}
Interval atan(const Interval& x) {
    return increasing([](double v) { return std::atan(v); }, x);
}

Interval sinh(const Interval& x) {
    return increasing([](double v) { return std::sinh(v); }, x, hyperbolic_ulps);
}
Interval cosh(const Interval& x) {
    if (!x.is_known()) return x;
    return within(increasing([](double v) { return std::cosh(v); }, size_of(x), hyperbolic_ulps), 1,
                  HUGE_VAL);
}
Interval tanh(const Interval& x) {
    return within(increasing([](double v) { return std::tanh(v); }, x, hyperbolic_ulps), -1, 1);
}

Interval sech_squared(const Interval& x) {
    if (!x.is_known()) return x;
    const Interval size = size_of(x);
    const double low = most(0, down(sech(size.hi), hyperbolic_ulps + 1)),
                 high = up(sech(size.lo), hyperbolic_ulps + 1);
    return {most(0, down(low * low)), least(1, up(high * high))};
}

Interval pow(const Interval& x, double c) {
    if (!x.is_known() || !(x.lo > 0)) return Interval::nowhere();
    const double a = std::pow(x.lo, c), b = std::pow(x.hi, c);
    return known(most(0, down(least(a, b), ulps)), up(most(a, b), ulps));
}

Interval angle(const Interval& y, const Interval& x, double side) {
    if (!x.is_known() || !y.is_known()) return Interval::nowhere();
    if (x.lo > 0) return atan(y / x);
    if (x.hi < 0) return (side > 0 ? whole_pi : -whole_pi) + atan(y / x);
    const Interval quarter = whole_pi / Interval(2);
    if (y.lo > 0) return quarter - atan(x / y);
    if (y.hi < 0) return -quarter - atan(x / y);
    return Interval::nowhere();
}

Interval atan2(const Interval& y, const Interval& x) {
    if (!(x.lo > 0) && !(y.lo > 0) && !(y.hi < 0)) return Interval::nowhere();
    return angle(y, x, y.hi < 0 ? -1 : 1);
}

}  // namespace deltaflow
