#include "blocks/composer.hpp"

#include "blocks/fraction_book.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace deltaflow {

namespace {

std::uint64_t code(Ref r) { return (static_cast<std::uint64_t>(r.kind) << 32) | r.index; }

const Number unit{1, Rational(1)};

// A term that can be left out. While a FractionBook is open, one that is zero by rounding cannot.
bool vanishes(const Number& a) { return is_zero(a) && (a.exact || !FractionBook::open()); }

// a = factor * rest: a gain is taken apart, a sum stays whole.
std::pair<Number, Affine> factor_out(const Affine& a) {
    if (a.terms.size() != 1 || !vanishes(a.constant)) return {unit, a};
    return {a.terms.front().coefficient, affine_of(a.terms.front().signal)};
}

}  // namespace

Affine affine_of(Number constant) { return {std::move(constant), {}}; }

Affine affine_of(Ref signal) { return {{0, Rational(0)}, {{unit, signal}}}; }

Affine operator+(Affine a, const Affine& b) {
    a.constant = a.constant + b.constant;
    for (const Affine::Term& term : b.terms) {
        const auto same = std::find_if(a.terms.begin(), a.terms.end(), [&](const Affine::Term& other) {
            return other.signal == term.signal;
        });
        if (same == a.terms.end())
            a.terms.push_back(term);
        else if (same->coefficient = same->coefficient + term.coefficient; vanishes(same->coefficient))
            a.terms.erase(same);
    }
    return a;
}

Affine operator-(Affine a, const Affine& b) { return std::move(a) + -unit * b; }

Affine operator*(const Number& k, Affine a) {
    if (is_zero(k)) return affine_of(k);
    if (k.value == 1 && k.exact) return a;
    a.constant = k * a.constant;
    for (Affine::Term& term : a.terms) term.coefficient = k * term.coefficient;
    return a;
}

Ref Composer::node(Primitive op, std::vector<Ref> inputs, std::vector<double> parameters) {
    std::vector<std::uint64_t> codes(inputs.size());
    std::transform(inputs.begin(), inputs.end(), codes.begin(), code);
    Key key{op, std::move(codes), parameters};
    const auto found = known_.find(key);
    if (found != known_.end()) return found->second;
    const Ref made = builder_.node(op, std::move(inputs), std::move(parameters));
    return known_.emplace(std::move(key), made).first->second;
}

Ref Composer::signal(const Affine& a) {
    if (a.is_constant()) return node(Primitive::constant, {}, {a.constant.value});
    const Affine::Term& first = a.terms.front();
    const bool is_one = first.coefficient.value == 1 && (first.coefficient.exact || !FractionBook::open());
    if (a.terms.size() == 1 && vanishes(a.constant) && is_one) return first.signal;
    std::vector<Ref> inputs;
    std::vector<double> parameters{a.constant.value};
    for (const Affine::Term& term : a.terms) {
        inputs.push_back(term.signal);
        parameters.push_back(term.coefficient.value);
    }
    return node(Primitive::affine, std::move(inputs), std::move(parameters));
}

Affine Composer::product(const Affine& a, const Affine& b) {
    if (a.is_constant()) return a.constant * b;
    if (b.is_constant()) return b.constant * a;
    const auto [k, u] = factor_out(a);
    const auto [l, v] = factor_out(b);
    return k * l * affine_of(node(Primitive::product, {signal(u), signal(v)}));
}

Affine Composer::inverse(const Affine& a) {
    const auto [k, u] = factor_out(a);
    return unit / k * affine_of(node(Primitive::inverse, {signal(u)}));
}

Affine Composer::power(const Affine& a, const Number& exponent) {
    const auto n = whole(exponent);
    if (!n) return affine_of(node(Primitive::power, {signal(a)}, {exponent.value}));
    if (*n == 0) return affine_of(unit);
    const auto [k, u] = factor_out(a);
    const Ref positive = whole_power(signal(u), std::abs(*n));
    const Affine result = affine_of(*n > 0 ? positive : node(Primitive::inverse, {positive}));
    return deltaflow::power(k, exponent) * result;
}

Ref Composer::whole_power(Ref u, int n) {
    if (n == 1) return u;
    const Ref half = square(whole_power(u, n / 2));
    return n % 2 == 0 ? half : node(Primitive::product, {half, u});
}

Ref Composer::one_plus(double coefficient, Ref u) { return node(Primitive::affine, {u}, {1, coefficient}); }

Ref Composer::function(Primitive op, Ref u) {
    switch (op) {
        case Primitive::sin:
            return pair(op, Primitive::cos, u);
        case Primitive::cos:
            return pair(op, Primitive::sin, u);
        case Primitive::sinh:
            return pair(op, Primitive::cosh, u);
        case Primitive::cosh:
            return pair(op, Primitive::sinh, u);
        case Primitive::tan:
            return self_paired(op, u, 1);
        case Primitive::tanh:
            return self_paired(op, u, -1);
        case Primitive::asin:
            return node(op, {u, node(Primitive::sqrt, {one_plus(-1, square(u))})});
        case Primitive::atan:
            return node(op, {u, one_plus(1, square(u))});
        default:
            return node(op, {u});
    }
}

// Two functions that are each other's derivatives read each other.
Ref Composer::pair(Primitive op, Primitive partner, Ref u) {
    const auto known = known_.find(Key{op, {code(u)}, {}});
    if (known != known_.end()) return known->second;
    const Ref first = builder_.node(op, {u, u});
    const Ref second = builder_.node(partner, {u, first});
    builder_.set_input(first, 1, second);
    known_.emplace(Key{op, {code(u)}, {}}, first);
    known_.emplace(Key{partner, {code(u)}, {}}, second);
    return first;
}

// y' = (1 + sign y^2) u'
Ref Composer::self_paired(Primitive op, Ref u, double sign) {
    const auto known = known_.find(Key{op, {code(u)}, {}});
    if (known != known_.end()) return known->second;
    const Ref y = builder_.node(op, {u, u});
    builder_.set_input(y, 1, one_plus(sign, square(y)));
    known_.emplace(Key{op, {code(u)}, {}}, y);
    return y;
}

Ref Composer::atan2(Ref y, Ref x) {
    const Ref radius = node(Primitive::affine, {square(x), square(y)}, {0, 1, 1});
    const Ref above = node(Primitive::atan2, {y, x, radius}, {1});
    const Ref below = node(Primitive::atan2, {y, x, radius}, {-1});
    return decision(y, above, below);
}

Ref Composer::decision(Ref condition, Ref then, Ref otherwise) {
    return node(Primitive::decision, {condition, then, otherwise});
}

std::vector<double> piecewise_parameters(std::span<const double> breaks, std::span<const Line> lines) {
    std::vector<double> parameters{static_cast<double>(breaks.size())};
    parameters.insert(parameters.end(), breaks.begin(), breaks.end());
    for (const Line& line : lines) parameters.insert(parameters.end(), {line.y, line.slope, line.x});
    return parameters;
}

std::vector<double> absolute_value() { return {1, 0, 0, -1, 0, 0, 1, 0}; }

std::vector<double> unit_step() { return {1, 0, 0, 0, 0, 1, 0, 0}; }

}  // namespace deltaflow
