// Random germs in exact fractions, and how germs are shown when a law fails.
#pragma once

#include "signal/germ.hpp"
#include "signal/print.hpp"
#include "tests/signal/law.hpp"

namespace deltaflow {

// Found by RapidCheck: a counterexample shows all of its rungs.
template <class S>
void showValue(const Germ<S>& u, std::ostream& out) {
    out << print_rungs(u);
}

// As many as the deepest law needs: delta''' differentiated once meets rungs 0..4.
inline constexpr int known_rungs = 6;
inline constexpr int impulse_count = 4;

inline rc::Gen<Rational> rationals() {
    return rc::gen::apply([](int n, int d) { return Rational(n, d); }, integers(-12, 12), integers(1, 6));
}

inline rc::Gen<std::vector<Rational>> rationals(int n) {
    return rc::gen::container<std::vector<Rational>>(n, rationals());
}

// No jumps, no impulses.
inline rc::Gen<Germ<Rational>> smooth_germs() {
    return rc::gen::map(rationals(known_rungs),
                        [](std::vector<Rational> taylor) { return smooth_germ(taylor); });
}

// Jumps, no impulses.
inline rc::Gen<Germ<Rational>> function_germs() {
    return rc::gen::apply(
        [](auto left, auto right) {
            return Germ<Rational>{left, right, {}};
        },
        rationals(known_rungs), rationals(known_rungs));
}

// Jumps and impulses.
inline rc::Gen<Germ<Rational>> germs() {
    return rc::gen::apply(
        [](auto left, auto right, auto impulses) { return make_germ(left, right, impulses); },
        rationals(known_rungs), rationals(known_rungs), rationals(impulse_count));
}

// C^(k-1): left and right agree on rungs 0..k-1.
inline Germ<Rational> joined(Germ<Rational> u, int k) {
    std::copy(u.left.begin(), u.left.begin() + k, u.right.begin());
    return u;
}

inline Germ<Rational> zero_germ() { return Germ<Rational>::constant(Rational(0), known_rungs); }
inline Germ<Rational> one_germ() { return Germ<Rational>::constant(Rational(1), known_rungs); }

// A polynomial at x, by Horner.
template <class S>
S value_at(const std::vector<S>& coefficients, const S& x) {
    S y = S(0);
    for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c) y = y * x + *c;
    return y;
}

}  // namespace deltaflow

namespace Catch {
template <class S>
struct StringMaker<deltaflow::Germ<S>> {
    static std::string convert(const deltaflow::Germ<S>& u) { return deltaflow::print_rungs(u); }
};
}  // namespace Catch
