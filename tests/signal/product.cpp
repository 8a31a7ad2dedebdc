// Laws of the product: Leibniz against brute force, and where it is not defined.
#include "signal/product.hpp"

#include "signal/bounded.hpp"
#include "tests/signal/germs.hpp"

using namespace deltaflow;
using G = Germ<Rational>;

namespace {

Rational factorial(int n) { return n == 0 ? Rational(1) : Rational(n) * factorial(n - 1); }
Rational parity(int n) { return Rational(n % 2 == 0 ? 1 : -1); }

// <sum_i a[i] delta^(i), t^m> = (-1)^m m! a[m] (003:10)
Rational pair_with_monomial(const std::vector<Rational>& a, int m) {
    return m < static_cast<int>(a.size()) ? parity(m) * factorial(m) * a[m] : Rational(0);
}

// <(sum_i a[i] delta^(i)) u, t^m> by definition: sum_i a[i] (-1)^i (u t^m)^(i) at 0
Rational pair_by_definition(const std::vector<Rational>& a, const std::vector<Rational>& u, int m) {
    Rational sum = 0;
    for (int i = m; i < static_cast<int>(a.size()); ++i) sum += a[i] * parity(i) * factorial(i) * u[i - m];
    return sum;
}

// The coefficients of p(t + by), by Horner.
std::vector<Rational> translated(const std::vector<Rational>& p, const Rational& by) {
    std::vector<Rational> q(p.size(), Rational(0));
    for (auto c = p.rbegin(); c != p.rend(); ++c) {
        for (std::size_t k = q.size() - 1; k > 0; --k) q[k] = q[k] * by + q[k - 1];
        q[0] = q[0] * by + *c;
    }
    return q;
}

// A polynomial of the time t, by the algebra of germs.
G polynomial(const std::vector<Rational>& p, const G& t) {
    G y = G::constant(Rational(0), rungs(t));
    for (auto c = p.rbegin(); c != p.rend(); ++c) y = y * t + G::constant(*c, rungs(t));
    return y;
}

}  // namespace

TEST_CASE("the product of a function and impulses is Leibniz's") {
    law("paired with every monomial it is what the definition gives", [] {
        const auto u = *smooth_germs();
        const auto w = *germs();
        const auto y = u * w;
        for (int m = 0; m < impulse_count; ++m)
            RC_ASSERT(pair_with_monomial(y.impulses, m) == pair_by_definition(w.impulses, u.left, m));
    });
    law("t^k delta^(n) = (-1)^k n!/(n-k)! delta^(n-k)", [] {
        const int n = *integers(0, known_rungs - 1), k = *integers(0, known_rungs - 1);
        const auto y = power(G::time(Rational(0), known_rungs), k) * G::delta(n, known_rungs);
        const auto expected =
            k > n ? zero_germ()
                  : (parity(k) * factorial(n) / factorial(n - k)) * G::delta(n - k, known_rungs);
        RC_ASSERT(y == expected);
    });
    law("only rungs up to the order of the impulse have to agree", [] {
        const auto w = *germs();
        const auto u = joined(*function_germs(), static_cast<int>(w.impulses.size()));
        RC_ASSERT((u * w).impulses == (pre(u) * w).impulses);
    });
}

TEST_CASE("products of germs are commutative, associative and distributive where they are defined") {
    law("u w = w u", [] {
        const auto u = *smooth_germs(), w = *germs();
        RC_ASSERT(u * w == w * u);
    });
    law("u v = v u with jumps on both", [] {
        const auto u = *function_germs(), v = *function_germs();
        RC_ASSERT(u * v == v * u);
    });
    law("(u v) w = u (v w) with smooth u, v and any w", [] {
        const auto u = *smooth_germs(), v = *smooth_germs(), w = *germs();
        RC_ASSERT((u * v) * w == u * (v * w));
    });
    law("u (v + w) = u v + u w", [] {
        const auto u = *smooth_germs(), v = *germs(), w = *germs();
        RC_ASSERT(u * (v + w) == u * v + u * w);
    });
    law("1 w = w and a constant factor is a gain", [] {
        const auto w = *germs();
        const auto c = *rationals();
        RC_ASSERT(one_germ() * w == w);
        RC_ASSERT(G::constant(c, known_rungs) * w == c * w);
    });
    law("(u w)' = u' w + u w'", [] {
        const auto u = *smooth_germs(), w = *germs();
        RC_ASSERT(derivative(u * w) == derivative(u) * w + u * derivative(w));
    });
}

TEST_CASE("products do not care where the origin of time is") {
    law("a polynomial of t at tau is the translated polynomial at 0", [] {
        const auto p = *rationals(known_rungs);
        const auto tau = *rationals();
        RC_ASSERT(polynomial(p, G::time(tau, known_rungs)).left == translated(p, tau));
    });
    law("p(t) delta^(n)(t - tau) = p(t + tau) delta^(n)(t), moved to tau", [] {
        const auto p = *rationals(known_rungs);
        const auto tau = *rationals();
        const auto delta = G::delta(*integers(0, impulse_count - 1), known_rungs);
        const auto there = polynomial(p, G::time(tau, known_rungs)) * delta;
        const auto here = polynomial(translated(p, tau), G::time(Rational(0), known_rungs)) * delta;
        RC_ASSERT(there == here);
    });
}

TEST_CASE("what distributions do not allow is refused") {
    const G delta = G::delta(0, 3), step = G::step(3), t = G::time(Rational(0), 3);
    CHECK_THROWS_WITH(delta * delta, "delta times delta is not defined");
    CHECK_THROWS_WITH(G::delta(1, 3) * G::delta(4, 3), "delta' times delta^(4) is not defined");
    CHECK_THROWS_WITH(step * delta,
                      "delta meets a jump of the other factor; use pre(...) to read it before the jump");
    CHECK_THROWS_WITH(G::delta(1, 3) * (step * t), Catch::Contains("jump of the other factor's derivative;"));
    CHECK_THROWS_WITH(G::delta(2, 3) * (step * t * t),
                      Catch::Contains("other factor's derivative of order 2;"));
    CHECK_THROWS_WITH(G::delta(3, 3) * t, "delta''' needs rung 3, which is not known");
    CHECK_THROWS_WITH(inverse(delta), "the inverse of delta is not defined");
    CHECK_THROWS_WITH(inverse(t), "the inverse needs a value that is not zero");
    CHECK_THROWS_AS(power(step + delta, 2), UndefinedOperation);
}

TEST_CASE("what they do allow is not") {
    const G delta = G::delta(0, 3), step = G::step(3), t = G::time(Rational(0), 3);
    CHECK(step * step == step);
    CHECK(delta * (step * t) == G::constant(Rational(0), 3));  // t H is continuous, and 0 there
    CHECK(pre(step + G::constant(Rational(2), 3)) * delta == 2 * delta);
    CHECK(power(delta, 1) == delta);
    CHECK(power(delta, 0) == G::constant(Rational(1), 3));
}

TEST_CASE("the inverse of a germ") {
    const auto invertible = [](const Germ<Rational>& u) {
        return !is_zero(u.left[0]) && !is_zero(u.right[0]);
    };
    law("u (1/u) = 1, also where u jumps", [=] {
        const auto u = *rc::gen::suchThat(function_germs(), invertible);
        RC_ASSERT(u * inverse(u) == one_germ());
    });
    law("1/(u v) = (1/u) (1/v) and (u v) / v = u", [=] {
        const auto u = *rc::gen::suchThat(function_germs(), invertible);
        const auto v = *rc::gen::suchThat(function_germs(), invertible);
        RC_ASSERT(inverse(u * v) == inverse(u) * inverse(v));
        RC_ASSERT(u * v / v == u);
    });
    law("whole powers add their exponents", [=] {
        const auto u = *rc::gen::suchThat(function_germs(), invertible);
        const int m = *integers(-4, 4), n = *integers(-4, 4);
        RC_ASSERT(power(u, m) * power(u, n) == power(u, m + n));
    });
}

TEST_CASE("with a rounding bound, a jump of rounding size is no jump") {
    using B = Germ<Bounded>;
    const B u{{Bounded(0.1) + Bounded(0.2)}, {Bounded(0.3)}, {}};
    CHECK((u * B::delta(0, 1)).impulses[0].value == 0.1 + 0.2);
    const Germ<double> v{{0.1 + 0.2}, {0.3}, {}};
    CHECK_THROWS_AS(v * Germ<double>::delta(0, 1), UndefinedOperation);
}
