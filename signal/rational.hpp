// Exact fractions over big integers, and their conversion to and from doubles and decimals.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <boost/rational.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace deltaflow {

using Integer = boost::multiprecision::cpp_int;
using Rational = boost::rational<Integer>;

// boost::rational 1.74 recurses for ever in C++20 on `r == 0`; these ask the numerator instead.
inline bool is_zero(const Rational& r) { return r.numerator().is_zero(); }
inline int sign(const Rational& r) { return r.numerator().sign(); }

// The double nearest to r.
double to_double(const Rational& r);

// The fraction that a double is, bit for bit.
Rational exact(double x);

// The fraction that the shortest decimal text of a double is: 0.1 is 1/10.
Rational decimal(double x);

// "3", "-1/3", "0.25", "1e-3"; nothing if the text is none of these.
std::optional<Rational> parse_rational(std::string_view text);

std::string to_string(const Rational& r);

// The greatest whole number that is not greater.
Integer floor(const Rational& r);

}  // namespace deltaflow
