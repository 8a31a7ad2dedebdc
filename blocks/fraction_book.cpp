#include "blocks/fraction_book.hpp"

#include <cmath>

namespace deltaflow {

namespace {

thread_local FractionBook* current = nullptr;

Rational magnitude(const Rational& r) { return sign(r) < 0 ? Rational(-r) : r; }

// Numbers that blocks themselves bring along: 1, -1/2, 0.25. What is irrational has more digits.
bool is_plain(const Rational& decimal) {
    return decimal.denominator() == 1 || (decimal.numerator() < 10000 && decimal.denominator() < 10000);
}

}  // namespace

FractionBook::FractionBook() : outer_(current) { current = this; }
FractionBook::~FractionBook() { current = outer_; }
FractionBook* FractionBook::open() { return current; }

void FractionBook::note(double x, const Rational& r) {
    if (!std::isfinite(x)) return;
    // Blocks bring plain numbers along without a note.
    const Rational plain = decimal(std::abs(x));
    const auto [at, is_new] =
        known_.try_emplace(std::abs(x), Entry{is_plain(plain) ? plain : magnitude(r), false});
    auto& fraction = at->second.fraction;
    if (fraction && *fraction != magnitude(r)) fraction.reset();
}

void FractionBook::note_no_fraction(double x) {
    if (std::isfinite(x)) known_[std::abs(x)] = {std::nullopt, true};
}

std::optional<Rational> FractionBook::find(double x) const {
    if (!std::isfinite(x)) return {};
    const auto at = known_.find(std::abs(x));
    const Rational plain = decimal(std::abs(x));
    const auto r = at != known_.end() ? at->second.fraction
                   : is_plain(plain)  ? std::optional(plain)
                                      : std::nullopt;
    return r && x < 0 ? std::optional<Rational>(-*r) : r;
}

bool FractionBook::is_fraction(const Rational& t) const {
    const auto at = known_.find(std::abs(to_double(t)));
    if (at != known_.end() && at->second.irrational) return false;
    const Integer& d = t.denominator();
    const bool binary = lsb(d) == msb(d) && msb(d) > 30;
    return !binary || find(to_double(t)) == t;
}

double noted(double x, const Rational& r) {
    if (current) current->note(x, r);
    return x;
}

double noted_irrational(double x) {
    if (current) current->note_no_fraction(x);
    return x;
}

double noted_slope(double x0, double y0, double x1, double y1) {
    const double slope = (y1 - y0) / (x1 - x0);
    if (!current) return slope;
    const auto u0 = current->find(x0), v0 = current->find(y0), u1 = current->find(x1), v1 = current->find(y1);
    if (!u0 || !v0 || !u1 || !v1 || *u0 == *u1) return noted_irrational(slope);
    return noted(slope, (*v1 - *v0) / (*u1 - *u0));
}

double noted_quotient(double a, double b) {
    if (!current) return a / b;
    const auto u = current->find(a), v = current->find(b);
    return u && v && !is_zero(*v) ? noted(a / b, *u / *v) : noted_irrational(a / b);
}

double noted_sum(double a, double b) {
    if (!current) return a + b;
    const auto u = current->find(a), v = current->find(b);
    return u && v ? noted(a + b, *u + *v) : noted_irrational(a + b);
}

}  // namespace deltaflow
