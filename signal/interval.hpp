// An interval that surely holds a number: the scalar with which programs prove what they compute.
//
// Every result is widened after rounding to nearest, x -+ (|x| 2^-53 (1 + 2^-52) + 2^-1074), which is at
// least one neighbour further out; no rounding mode is switched, so no compiler can undo it. What is not
// bounded, or not defined somewhere in the interval, is `nowhere`, and stays so.
#pragma once

#include <cmath>
#include <limits>

namespace deltaflow {

struct Interval {
    double lo = 0, hi = 0;

    constexpr Interval() = default;
    constexpr Interval(double x) : lo(x), hi(x) {}
    constexpr Interval(int x) : lo(x), hi(x) {}
    constexpr Interval(double low, double high) : lo(low), hi(high) {}
    // Nothing is known, or nothing is defined.
    static constexpr Interval nowhere() {
        return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    }
    constexpr bool is_zero() const { return lo == 0 && hi == 0; }
    bool is_known() const { return hi - lo < std::numeric_limits<double>::infinity(); }
    bool contains(double x) const { return lo <= x && x <= hi; }
};

namespace outward {
inline constexpr double tiny = std::numeric_limits<double>::denorm_min();
inline constexpr double half_ulp = 0x1p-53 * (1 + 0x1p-52);

inline double down(double x) { return x - (std::abs(x) * half_ulp + tiny); }
inline double up(double x) { return x + (std::abs(x) * half_ulp + tiny); }
inline double least(double a, double b) { return b < a ? b : a; }
inline double most(double a, double b) { return b > a ? b : a; }

inline Interval known(double lo, double hi) {
    const Interval x(lo, hi);
    return x.is_known() ? x : Interval::nowhere();
}
inline Interval widened(double lo, double hi) { return known(down(lo), up(hi)); }

// Elementary functions come from the library, which is taken to be good to so many ulps.
inline constexpr int ulps = 4, hyperbolic_ulps = 8;
inline double down(double x, int n) { return x - n * (std::abs(x) * 0x1.001p-52 + tiny); }
inline double up(double x, int n) { return x + n * (std::abs(x) * 0x1.001p-52 + tiny); }

template <class F>
Interval increasing(F f, const Interval& x, int n = ulps) {
    return x.is_known() ? known(down(f(x.lo), n), up(f(x.hi), n)) : Interval::nowhere();
}
inline Interval within(const Interval& x, double low, double high) {
    return x.is_known() ? Interval(most(x.lo, low), least(x.hi, high)) : x;
}
}  // namespace outward

inline double magnitude(const Interval& x) { return outward::most(-x.lo, x.hi); }
// |x - c| is never more than this.
inline double distance(const Interval& x, double c) { return outward::up(outward::most(x.hi - c, c - x.lo)); }
inline double middle(const Interval& x) { return 0.5 * x.lo + 0.5 * x.hi; }
inline double value(const Interval& x) { return middle(x); }

inline Interval operator-(const Interval& x) { return {-x.hi, -x.lo}; }
inline Interval operator+(const Interval& x, const Interval& y) {
    if (x.is_zero()) return y;
    if (y.is_zero()) return x;
    return outward::widened(x.lo + y.lo, x.hi + y.hi);
}
inline Interval operator-(const Interval& x, const Interval& y) { return x + -y; }

inline Interval operator*(const Interval& x, const Interval& y) {
    using outward::least, outward::most;
    if (x.is_zero()) return y.is_known() ? x : y;
    if (y.is_zero()) return x.is_known() ? y : x;
    if (x.lo == x.hi && std::abs(x.lo) == 1) return x.lo > 0 ? y : -y;
    const double a = x.lo * y.lo, b = x.lo * y.hi, c = x.hi * y.lo, d = x.hi * y.hi;
    return outward::widened(least(least(a, b), least(c, d)), most(most(a, b), most(c, d)));
}

// Not x * x, which forgets that both are the same.
inline Interval square(const Interval& x) {
    if (!x.is_known() || x.is_zero()) return x;
    const double a = x.lo * x.lo, b = x.hi * x.hi, above = outward::up(outward::most(a, b));
    const bool through_zero = x.lo <= 0 && x.hi >= 0;
    return outward::known(through_zero ? 0 : outward::most(0, outward::down(outward::least(a, b))), above);
}

inline Interval operator/(const Interval& x, const Interval& y) {
    using outward::least, outward::most;
    if (!y.is_known() || (y.lo <= 0 && y.hi >= 0)) return Interval::nowhere();
    if (x.is_zero()) return x;
    const double a = x.lo / y.lo, b = x.lo / y.hi, c = x.hi / y.lo, d = x.hi / y.hi;
    return outward::widened(least(least(a, b), least(c, d)), most(most(a, b), most(c, d)));
}

// A sum of products that is widened once, by what all its roundings can be: half an ulp for each product,
// weight and sum. (A partial sum is never larger than the sum of the sizes.)
class SumOfProducts {
public:
    void add(const Interval& x, const Interval& y, double weight = 1) {
        using outward::least, outward::most;
        if ((x.is_zero() && y.is_known()) || (y.is_zero() && x.is_known())) return;
        const double a = x.lo * y.lo, b = x.lo * y.hi, c = x.hi * y.lo, d = x.hi * y.hi;
        const double low = weight * least(least(a, b), least(c, d)),
                     high = weight * most(most(a, b), most(c, d));
        lo_ += low;
        hi_ += high;
        size_ += most(std::abs(low), std::abs(high));
        if (!x.is_known() || !y.is_known()) size_ = std::numeric_limits<double>::infinity();
        ++count_;
    }
    Interval sum() const {
        if (count_ == 0) return {};
        const double rounding = (count_ + 4) * (size_ * 0x1.001p-53 + outward::tiny);
        return outward::widened(lo_ - rounding, hi_ + rounding);
    }

private:
    double lo_ = 0, hi_ = 0, size_ = 0;
    int count_ = 0;
};

inline Interval hull(const Interval& x, const Interval& y) {
    return {outward::least(x.lo, y.lo), outward::most(x.hi, y.hi)};
}

Interval exp(const Interval& x);
Interval log(const Interval& x);
Interval sqrt(const Interval& x);
Interval sin(const Interval& x);
Interval cos(const Interval& x);
Interval tan(const Interval& x);
Interval asin(const Interval& x);
Interval atan(const Interval& x);
Interval sinh(const Interval& x);
Interval cosh(const Interval& x);
Interval tanh(const Interval& x);
// 1 - tanh^2, with all its digits where tanh has reached 1.
Interval sech_squared(const Interval& x);
Interval pow(const Interval& x, double c);
Interval atan2(const Interval& y, const Interval& x);
// The angle of (x, y), continued over the cut y = 0, x < 0 from above (side > 0) or from below.
Interval angle(const Interval& y, const Interval& x, double side);

}  // namespace deltaflow
