#include "blocks/number.hpp"

#include "blocks/fraction_book.hpp"
#include "blocks/limits.hpp"

#include <cmath>
#include <limits>
#include <type_traits>

namespace deltaflow {

namespace {

bool too_long(const Integer& n) { return !n.is_zero() && msb(abs(n)) >= limits::fraction_bits; }

bool too_long(const Rational& r) { return too_long(r.numerator()) || too_long(r.denominator()); }

bool is_integer(const Rational& r) { return r.denominator() == 1; }

bool is_exactly_zero(const Number& a) { return a.exact && is_zero(*a.exact); }

// n is 1 or -1
bool is_exactly(int n, const Number& a) {
    return a.exact && a.value == n && is_integer(*a.exact) && a.exact->numerator() == n;
}

const Number exact_zero{0, Rational(0)}, exact_one{1, Rational(1)};

// f on fractions where both are exact, else on doubles; whole numbers need no common denominator.
template <class F>
Number combine(const Number& a, const Number& b, F f) {
    if (!a.exact || !b.exact) return number_without_fraction(f(a.value, b.value));
    if (is_integer(*a.exact) && is_integer(*b.exact))
        return number_from_rational(f(a.exact->numerator(), b.exact->numerator()));
    return number_from_rational(f(*a.exact, *b.exact));
}

unsigned bits(const Integer& n) { return n.is_zero() ? 1 : static_cast<unsigned>(msb(abs(n))) + 1; }

bool power_fits(const Rational& r, unsigned n) {
    return n <= limits::fraction_bits &&
           n * std::max(bits(r.numerator()), bits(r.denominator())) <= limits::fraction_bits;
}

Rational power(const Rational& r, unsigned n) {
    return {pow(Integer(r.numerator()), n), pow(Integer(r.denominator()), n)};
}

}  // namespace

Number number_from_rational(Rational r) {
    const double value = to_double(r);
    if (too_long(r)) return number_without_fraction(value);
    return {noted(value, r), std::move(r)};
}

Number number_without_fraction(double x) { return {noted_irrational(x), {}}; }

Number number_from_double(double x) {
    if (!std::isfinite(x)) return {x, {}};
    const Rational r = decimal(x);
    return {noted(x, r), r};
}

Number number_from_text(std::string_view text) {
    auto r = parse_rational(text);
    if (!r) return {std::numeric_limits<double>::quiet_NaN(), {}};
    return number_from_rational(std::move(*r));
}

// Nothing added, and one times: coefficients are mostly that.
Number operator+(const Number& a, const Number& b) {
    if (is_exactly_zero(a) && b.value != 0) return b;
    if (is_exactly_zero(b) && a.value != 0) return a;
    return combine(a, b, [](const auto& x, const auto& y) -> std::decay_t<decltype(x)> { return x + y; });
}

Number operator-(const Number& a, const Number& b) {
    return combine(a, b, [](const auto& x, const auto& y) -> std::decay_t<decltype(x)> { return x - y; });
}

Number operator*(const Number& a, const Number& b) {
    if ((is_exactly_zero(a) && std::isfinite(b.value)) || (is_exactly_zero(b) && std::isfinite(a.value)))
        return exact_zero;
    if (is_exactly(1, a)) return b;
    if (is_exactly(1, b)) return a;
    if (is_exactly(-1, a)) return -b;
    if (is_exactly(-1, b)) return -a;
    return combine(a, b, [](const auto& x, const auto& y) -> std::decay_t<decltype(x)> { return x * y; });
}

Number operator/(const Number& a, const Number& b) {
    if (a.exact && b.exact) return number_from_rational(*a.exact / *b.exact);
    if (is_exactly_zero(a) && !is_zero(b)) return exact_zero;
    return number_without_fraction(a.value / b.value);
}

Number operator-(const Number& a) {
    if (a.exact) return {-a.value, -*a.exact};
    return {-a.value, {}};
}

Number power(const Number& a, const Number& exponent) {
    if (is_exactly_zero(exponent)) return exact_one;
    const auto n = whole(exponent);
    const unsigned size = n ? static_cast<unsigned>(std::abs(*n)) : 0;
    if (!n || !a.exact || !power_fits(*a.exact, size))
        return number_without_fraction(std::pow(a.value, exponent.value));
    const Rational r = power(*a.exact, size);
    return number_from_rational(*n < 0 ? Rational(1) / r : r);
}

int sign(const Number& a) {
    if (a.exact) return sign(*a.exact);
    return (a.value > 0) - (a.value < 0);
}

std::optional<int> whole(const Number& a) {
    const bool integral =
        a.exact ? is_integer(*a.exact) : a.value == std::trunc(a.value) && !FractionBook::open();
    if (!integral || !(std::abs(a.value) <= 1e9)) return {};
    return static_cast<int>(a.value);
}

}  // namespace deltaflow
