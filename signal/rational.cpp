#include "signal/rational.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace deltaflow {

namespace {

constexpr int digits = 53;                             // of the significand of a double
constexpr int lowest = -1074;                          // the smallest double is 2^lowest
constexpr std::int64_t whole = std::int64_t{1} << 53;  // whole numbers up to here are doubles
constexpr std::size_t short_digits = 18;               // so many always make an std::int64_t
constexpr std::size_t longest = 4096;  // digits or powers of ten: far beyond doubles, well within memory

bool fits(const Integer& n) { return n <= whole && n >= -whole; }

// 2^e a, for e >= 0
Integer shifted(const Integer& a, int e) { return e > 0 ? Integer(a << e) : a; }

int bits(const Integer& n) { return static_cast<int>(msb(n)); }

// The e with 2^e <= n/d < 2^(e+1)
int binary_exponent(const Integer& n, const Integer& d) {
    const int e = bits(n) - bits(d);
    return shifted(n, -e) < shifted(d, e) ? e - 1 : e;
}

// n/d to the nearest multiple of 2^unit, ties to even; n and d are positive
double nearest(const Integer& n, const Integer& d, int unit) {
    Integer quotient, rest;
    const Integer divisor = shifted(d, unit);
    divide_qr(shifted(n, -unit), divisor, quotient, rest);
    rest *= 2;
    if (rest > divisor || (rest == divisor && bit_test(quotient, 0))) ++quotient;
    return std::ldexp(quotient.convert_to<double>(), unit);
}

double nearest(const Integer& n, const Integer& d) {
    const int e = binary_exponent(n, d);
    if (e >= 1024) return HUGE_VAL;
    if (e < lowest - 1) return 0;
    return nearest(n, d, std::max(e - (digits - 1), lowest));
}

bool take(std::string_view& text, char c) {
    if (text.empty() || text.front() != c) return false;
    text.remove_prefix(1);
    return true;
}

std::string_view take_digits(std::string_view& text) {
    const auto n = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto front = text.substr(0, n);
    text.remove_prefix(n);
    return front;
}

bool take_minus(std::string_view& text) {
    const bool minus = take(text, '-');
    if (!minus) take(text, '+');
    return minus;
}

// The decimal digits of a whole number. (Integer reads a leading 0 as octal.)
Integer from_digits(std::string_view text) {
    const auto first = std::min(text.find_first_not_of('0'), text.size());
    if (text.size() - first > short_digits) return Integer(std::string(text.substr(first)));
    std::int64_t n = 0;
    for (const char c : text.substr(first)) n = 10 * n + (c - '0');
    return n;
}

// "e-3", or nothing at all for 0
std::optional<int> take_exponent(std::string_view& text) {
    if (!take(text, 'e') && !take(text, 'E')) return 0;
    const bool minus = take_minus(text);
    const auto power = take_digits(text);
    if (power.empty() || power.size() > longest) return {};
    const Integer n = from_digits(power);
    if (n > longest) return {};
    return (minus ? -1 : 1) * n.convert_to<int>();
}

Rational times_power_of_ten(const Integer& n, int e) {
    if (e == 0) return n;
    const Integer power = pow(Integer(10), static_cast<unsigned>(std::abs(e)));
    return e < 0 ? Rational(n, power) : Rational(n * power);
}

// A decimal with no sign: "12", "0.25", ".5", "1e-3"
std::optional<Rational> parse_decimal(std::string_view text) {
    std::string significand(take_digits(text));
    const auto before_point = significand.size();
    if (take(text, '.')) significand += take_digits(text);
    if (significand.empty() || significand.size() > longest) return {};
    const auto exponent = take_exponent(text);
    if (!exponent || !text.empty()) return {};
    const int after_point = static_cast<int>(significand.size() - before_point);
    return times_power_of_ten(from_digits(significand), *exponent - after_point);
}

std::optional<Rational> parse_unsigned(std::string_view text) {
    const auto bar = text.find('/');
    const auto above = parse_decimal(text.substr(0, bar));
    if (!above || bar == std::string_view::npos) return above;
    const auto below = parse_decimal(text.substr(bar + 1));
    if (!below || is_zero(*below)) return {};
    return *above / *below;
}

}  // namespace

double to_double(const Rational& r) {
    const Integer& n = r.numerator();
    const Integer& d = r.denominator();
    // Both are doubles, and division of doubles rounds once.
    if (fits(n) && fits(d))
        return static_cast<double>(n.convert_to<std::int64_t>()) /
               static_cast<double>(d.convert_to<std::int64_t>());
    return sign(r) < 0 ? -nearest(-n, d) : nearest(n, d);
}

Rational exact(double x) {
    if (!std::isfinite(x)) throw std::domain_error(fmt::format("{} is not a fraction", x));
    int e = 0;
    const double fraction = std::frexp(x, &e);
    const Integer n(static_cast<std::int64_t>(std::ldexp(fraction, digits)));
    e -= digits;
    return e < 0 ? Rational(n, Integer(1) << -e) : Rational(Integer(n << e));
}

Rational decimal(double x) {
    if (!std::isfinite(x)) throw std::domain_error(fmt::format("{} is not a fraction", x));
    return *parse_rational(fmt::format("{}", x));
}

std::optional<Rational> parse_rational(std::string_view text) {
    const bool minus = take_minus(text);
    const auto r = parse_unsigned(text);
    return r && minus ? -*r : r;
}

std::string to_string(const Rational& r) {
    const std::string n = r.numerator().str();
    return r.denominator() == 1 ? n : n + "/" + r.denominator().str();
}

Integer floor(const Rational& r) {
    Integer q = r.numerator() / r.denominator();
    if (r.numerator() < 0 && q * r.denominator() != r.numerator()) --q;
    return q;
}

}  // namespace deltaflow
