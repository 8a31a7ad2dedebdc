// Exact numbers a + b sqrt(d): fractions, and at most one square root among them.
#pragma once

#include "signal/rational.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace deltaflow {

// d > 1 is no square, and 0 where b is. Numbers of one run share their d; two of them meet in no operation.
struct Quadratic {
    Rational a{0}, b{0};
    Integer d{0};

    Quadratic() = default;
    Quadratic(int n) : a(n) {}
    Quadratic(Rational r) : a(std::move(r)) {}
    explicit Quadratic(double x) : a(exact(x)) {}  // bit for bit
    Quadratic(Rational a_, Rational b_, Integer d_);

    bool is_rational() const { return is_zero(b); }
    explicit operator int() const;  // towards zero
};

// What an operation on two different square roots throws: one extension of the fractions is all there is.
struct MixedRoots : std::domain_error {
    MixedRoots(const Integer& d, const Integer& e);
};

Quadratic operator+(const Quadratic& x, const Quadratic& y);
Quadratic operator-(const Quadratic& x, const Quadratic& y);
Quadratic operator*(const Quadratic& x, const Quadratic& y);
Quadratic operator/(const Quadratic& x, const Quadratic& y);  // y is not zero
Quadratic operator-(const Quadratic& x);
Quadratic conjugate(const Quadratic& x);  // a - b sqrt(d)

inline bool is_zero(const Quadratic& x) { return is_zero(x.a) && is_zero(x.b); }
int sign(const Quadratic& x);
// Of any two, be they of different fields.
int compare(const Quadratic& x, const Quadratic& y);
inline bool operator==(const Quadratic& x, const Quadratic& y) { return compare(x, y) == 0; }
inline bool operator<(const Quadratic& x, const Quadratic& y) { return compare(x, y) < 0; }
inline bool operator<=(const Quadratic& x, const Quadratic& y) { return compare(x, y) <= 0; }

// How long its fractions are, in binary digits.
unsigned length(const Quadratic& x);
// Fractions below and above x, 2^-bits apart or less, times the denominator's part.
std::pair<Rational, Rational> bounds(const Quadratic& x, unsigned bits);
double to_double(const Quadratic& x);  // the nearest

std::optional<Rational> square_root(const Rational& r);
// The root of x >= 0 within the fractions and sqrt(d); with d = 0 a fraction may bring its own root.
std::optional<Quadratic> square_root(const Quadratic& x, const Integer& d);
// Within the fractions and the root that x has already; throws std::domain_error.
Quadratic sqrt(const Quadratic& x);

// "3/2", "5/3 sqrt(2)", "1 - sqrt(2)"
std::string to_string(const Quadratic& x);
inline std::string print_scalar(const Quadratic& x) { return to_string(x); }

}  // namespace deltaflow
