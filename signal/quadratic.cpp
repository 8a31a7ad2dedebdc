#include "signal/quadratic.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow {

namespace {

// The root that two numbers share; a fraction has none of its own.
const Integer& common(const Quadratic& x, const Quadratic& y) {
    if (x.is_rational()) return y.d;
    if (!y.is_rational() && x.d != y.d) throw MixedRoots(x.d, y.d);
    return x.d;
}

bool same_field(const Quadratic& x, const Quadratic& y) {
    return x.is_rational() || y.is_rational() || x.d == y.d;
}

Integer square_root_below(const Integer& n) { return boost::multiprecision::sqrt(n); }

std::optional<Integer> whole_root(const Integer& n) {
    if (n.sign() < 0) return {};
    Integer root = square_root_below(n);
    if (root * root != n) return {};
    return root;
}

// n = square^2 rest, with all squares of small primes taken out of the rest.
struct SquareParts {
    Integer square = 1, rest = 1;
};

SquareParts square_parts(Integer n) {
    constexpr int largest = 1 << 16;  // beyond it a square stays under the root: correct, if not the shortest
    SquareParts parts;
    for (Integer p = 2; p < largest && p * p * p <= n; ++p)
        for (bool once = false; n % p == 0; once = !once) {
            n /= p;
            if (once) {
                parts.square *= p;
                parts.rest /= p;
            } else {
                parts.rest *= p;
            }
        }
    if (const auto root = whole_root(n))
        parts.square *= *root;
    else
        parts.rest *= n;
    return parts;
}

// sqrt(p/q) = sqrt(p q) / q
Quadratic new_root(const Rational& r) {
    const SquareParts parts = square_parts(r.numerator() * r.denominator());
    return {Rational(0), Rational(parts.square, r.denominator()), parts.rest};
}

// (u + v sqrt(d))^2 = a + b sqrt(d):  u^2 = (a +- sqrt(a^2 - b^2 d)) / 2,  v = b / (2 u)
std::optional<Quadratic> root_in_field(const Quadratic& x) {
    const auto norm = square_root(x.a * x.a - x.b * x.b * Rational(x.d));
    if (!norm) return {};
    for (const Rational& n : {*norm, Rational(-*norm)}) {
        const auto u = square_root((x.a + n) / Rational(2));
        if (!u || is_zero(*u)) continue;
        const Quadratic root(*u, x.b / (Rational(2) * *u), x.d);
        return sign(root) < 0 ? -root : root;
    }
    return {};
}

std::string root_text(const Rational& b, const Integer& d) {
    const std::string root = fmt::format("sqrt({})", d.str());
    return b == Rational(1) ? root : to_string(b) + " " + root;
}

}  // namespace

MixedRoots::MixedRoots(const Integer& d, const Integer& e)
    : std::domain_error(fmt::format("sqrt({}) and sqrt({}) are needed together", d.str(), e.str())) {}

Quadratic::Quadratic(Rational a_, Rational b_, Integer d_)
    : a(std::move(a_)), b(std::move(b_)), d(is_zero(b) ? Integer(0) : std::move(d_)) {
    if (d == 1) {
        a += b;
        b = Rational(0);
        d = 0;
    }
}

Quadratic::operator int() const { return static_cast<int>(to_double(*this)); }

Quadratic operator+(const Quadratic& x, const Quadratic& y) { return {x.a + y.a, x.b + y.b, common(x, y)}; }

Quadratic operator-(const Quadratic& x, const Quadratic& y) { return {x.a - y.a, x.b - y.b, common(x, y)}; }

Quadratic operator*(const Quadratic& x, const Quadratic& y) {
    if (x.is_rational() && y.is_rational()) return x.a * y.a;
    const Integer& d = common(x, y);
    return {x.a * y.a + x.b * y.b * Rational(d), x.a * y.b + x.b * y.a, d};
}

Quadratic operator/(const Quadratic& x, const Quadratic& y) {
    if (is_zero(y)) throw std::domain_error("division by zero");
    if (y.is_rational()) return {x.a / y.a, x.b / y.a, x.d};
    const Quadratic norm = y * conjugate(y);
    return x * conjugate(y) / norm;
}

Quadratic operator-(const Quadratic& x) { return {-x.a, -x.b, x.d}; }

Quadratic conjugate(const Quadratic& x) { return {x.a, -x.b, x.d}; }

int sign(const Quadratic& x) {
    const int rational = sign(x.a), root = sign(x.b);
    if (root == 0 || rational == root) return rational;
    if (rational == 0) return root;
    return x.a * x.a > x.b * x.b * Rational(x.d) ? rational : root;
}

int compare(const Quadratic& x, const Quadratic& y) {
    if (same_field(x, y)) return sign(x - y);
    // sqrt(e) = r / d sqrt(d), where r^2 = d e: one field under two names.
    if (const auto r = whole_root(x.d * y.d)) return sign(x - Quadratic(y.a, y.b * Rational(*r, x.d), x.d));
    // Numbers of two fields, neither a fraction, are never equal.
    for (unsigned bits = 64;; bits *= 2) {
        const auto u = bounds(x, bits), v = bounds(y, bits);
        if (u.second < v.first) return -1;
        if (v.second < u.first) return 1;
    }
}

unsigned length(const Quadratic& x) {
    unsigned most = 0;
    for (const Rational* r : {&x.a, &x.b})
        for (const Integer& n : {Integer(abs(r->numerator())), Integer(r->denominator())})
            if (!n.is_zero()) most = std::max(most, static_cast<unsigned>(msb(n)) + 1);
    return most;
}

std::pair<Rational, Rational> bounds(const Quadratic& x, unsigned bits) {
    if (x.is_rational()) return {x.a, x.a};
    const Integer p = x.b.numerator();
    const Integer below = square_root_below(Integer((p * p * x.d) << (2 * bits)));
    const Rational unit(Integer(1), Integer(x.b.denominator() << bits));
    const Rational low = unit * Rational(below), high = unit * Rational(Integer(below + 1));
    if (sign(x.b) > 0) return {x.a + low, x.a + high};
    return {x.a - high, x.a - low};
}

double to_double(const Quadratic& x) {
    for (unsigned bits = 96;; bits *= 2) {
        const auto near = bounds(x, bits);
        const double low = to_double(near.first), high = to_double(near.second);
        if (low == high) return low;
    }
}

std::optional<Rational> square_root(const Rational& r) {
    const auto above = whole_root(r.numerator()), below = whole_root(r.denominator());
    if (!above || !below) return {};
    return Rational(*above, *below);
}

std::optional<Quadratic> square_root(const Quadratic& x, const Integer& d) {
    if (sign(x) < 0) return {};
    if (!x.is_rational()) return root_in_field(x);
    if (const auto root = square_root(x.a)) return Quadratic(*root);
    if (d.is_zero()) return new_root(x.a);
    const auto part = square_root(x.a / Rational(d));
    if (!part) return {};
    return Quadratic(Rational(0), *part, d);
}

Quadratic sqrt(const Quadratic& x) {
    const auto root = square_root(x, x.d);
    if (!root || (!root->is_rational() && root->d != x.d))
        throw std::domain_error("no root among these numbers");
    return *root;
}

std::string to_string(const Quadratic& x) {
    if (x.is_rational()) return to_string(x.a);
    const bool minus = sign(x.b) < 0;
    const std::string root = root_text(minus ? Rational(-x.b) : x.b, x.d);
    if (is_zero(x.a)) return (minus ? "-" : "") + root;
    return to_string(x.a) + (minus ? " - " : " + ") + root;
}

}  // namespace deltaflow
