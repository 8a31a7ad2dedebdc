// A model's number: a double and, where it is one, the exact fraction.
#pragma once

#include "signal/rational.hpp"

#include <optional>
#include <string_view>

namespace deltaflow {

struct Number {
    double value = 0;
    std::optional<Rational> exact;  // lost by sqrt, sin, ... and by fractions that grow too long

    // What schedules and clocks use: the exact fraction, else the double bit for bit.
    Rational rational() const { return exact ? *exact : deltaflow::exact(value); }
};

Number number_from_double(double x);        // 0.1 is 1/10
Number number_from_text(std::string_view);  // a literal of an expression; not a number: NaN
Number number_from_rational(Rational r);    // drops fractions that are too long
Number number_without_fraction(double x);   // irrational, or too long to be kept

// Exact where both sides are. The caller sees to it that b != 0 in a/b, and a != 0 in a^n for n < 0.
Number operator+(const Number& a, const Number& b);
Number operator-(const Number& a, const Number& b);
Number operator*(const Number& a, const Number& b);
Number operator/(const Number& a, const Number& b);
Number operator-(const Number& a);
Number power(const Number& a, const Number& exponent);

// Below, at or above zero: -1, 0, 1
int sign(const Number& a);
inline bool is_zero(const Number& a) { return sign(a) == 0; }

// The whole number that a is, if it is one that fits. While a FractionBook is open only a fraction is one.
std::optional<int> whole(const Number& a);

}  // namespace deltaflow
