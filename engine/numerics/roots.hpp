// The first root of a polynomial in a step: Bernstein coefficients bound it.
#pragma once

#include "engine/limits.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

namespace deltaflow {

inline constexpr int highest_degree = 96;

inline int sign_of(double x) { return (x > 0) - (x < 0); }

// A polynomial on [0, 1] by its Bernstein coefficients.
struct Bernstein {
    int degree = 0;
    std::array<double, highest_degree + 1> b;  // 0 .. degree are set
};

// sum c_k (h s)^k, s in [0, 1]
Bernstein bernstein_from_taylor(std::span<const double> c, double h);
// The polynomial through values at the Chebyshev-Lobatto points of [0, 1] (chebyshev_point).
Bernstein bernstein_from_values(std::span<const double> values);
inline double chebyshev_point(int i, int count) {
    return count == 1 ? 0 : 0.5 * (1 - std::cos(3.141592653589793 * i / (count - 1)));
}
// The same polynomial as coefficients of powers of s.
void taylor_from_bernstein(const Bernstein& p, std::span<double> c);

double evaluate_bernstein(const Bernstein& p, double s);
// The same polynomial on [s, 1], as one on [0, 1].
Bernstein right_part(const Bernstein& p, double s);
// Both halves of it, each on [0, 1].
void halve(const Bernstein& p, Bernstein& left, Bernstein& right);

struct RootSearch {
    int sign = 1;        // of the function just after 0
    bool touch = false;  // a zero without change of sign counts too
    int direction = 0;   // -1: only from + to -, +1: only from - to +, 0: both
};

// The function that is searched, at s in [0, 1]: more exact than its Bernstein form. Only refers to it.
class FunctionRef {
public:
    template <class F>
    FunctionRef(const F& f)
        : f_(&f), call_([](const void* p, double s) { return (*static_cast<const F*>(p))(s); }) {}
    double operator()(double s) const { return call_(f_, s); }

private:
    const void* f_;
    double (*call_)(const void*, double);
};

// A polynomial's value at x, from its coefficients of powers of x.
inline double horner(std::span<const double> c, double x) {
    double sum = 0;
    for (std::size_t k = c.size(); k-- > 0;) sum = sum * x + c[k];
    return sum;
}
// p'(x)
inline double slope_at(std::span<const double> c, double x) {
    double sum = 0;
    for (std::size_t k = c.size(); k-- > 1;) sum = sum * x + static_cast<double>(k) * c[k];
    return sum;
}
// p^(m)(x) / m! from the coefficients of powers of x.
double derivative_at(std::span<const double> c, double x, int m);
// The rounding of a polynomial's value at x.
double rounding_at(std::span<const double> c, double x);

// A root of several orders is ill-conditioned, but the derivative of one order less has it as a simple one:
// moves x there if p is zero to rounding there too. c: coefficients of powers of x. `carried`: the
// rounding that p has from elsewhere.
double polish_root(std::span<const double> c, double x, double carried = 0);

// All changes of sign of sum c_k x^k in (0, h), in order.
void append_roots(std::span<const double> c, double h, std::vector<double>& roots);

// The first extreme of sum c_k x^k in (0, h) that is near zero beside the polynomial's size, and where what
// the polynomial stands for is zero: `excess`, how far it is off beyond its rounding, is not above 0.
std::optional<double> first_touch(std::span<const double> c, double h, FunctionRef excess);

// The smallest s in (0, 1] that counts, or nothing. `noise`: the rounding of f at s. What it is at the far
// end of a long step says nothing about its beginning.
std::optional<double> first_root(const Bernstein& p, const RootSearch& search, FunctionRef f,
                                 FunctionRef noise);

}  // namespace deltaflow
