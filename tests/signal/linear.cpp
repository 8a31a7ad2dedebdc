// Laws of what acts rung by rung: sum, gain, derivative, integral, pre, sign.
#include "tests/signal/germs.hpp"

using namespace deltaflow;
using G = Germ<Rational>;

TEST_CASE("germs are a vector space") {
    law("u + v = v + u", [] {
        const auto u = *germs(), v = *germs();
        RC_ASSERT(u + v == v + u);
    });
    law("(u + v) + w = u + (v + w)", [] {
        const auto u = *germs(), v = *germs(), w = *germs();
        RC_ASSERT((u + v) + w == u + (v + w));
    });
    law("u + 0 = u and u - u = 0", [] {
        const auto u = *germs();
        RC_ASSERT(u + zero_germ() == u);
        RC_ASSERT(u - u == zero_germ());
    });
    law("c (u + v) = c u + c v", [] {
        const auto c = *rationals();
        const auto u = *germs(), v = *germs();
        RC_ASSERT(c * (u + v) == c * u + c * v);
    });
    law("(b + c) u = b u + c u and (b c) u = b (c u)", [] {
        const auto b = *rationals(), c = *rationals();
        const auto u = *germs();
        RC_ASSERT((b + c) * u == b * u + c * u);
        RC_ASSERT((b * c) * u == b * (c * u));
    });
}

TEST_CASE("a sum is known as far as both terms are") {
    const G u = G::time(Rational(1), 5), v = G::delta(1, 3);
    CHECK(rungs(u + v) == 3);
    CHECK(impulse_order(u + v) == 1);
}

TEST_CASE("derivative and integral are one step on the ladder") {
    law("the derivative undoes the integral", [] {
        const auto u = *germs();
        RC_ASSERT(derivative(integral(u, *rationals())) == u);
    });
    law("the integral undoes the derivative, from the value before", [] {
        const auto u = *germs();
        RC_ASSERT(integral(derivative(u), u.left[0]) == u);
    });
    law("n derivatives undo the n-fold integral", [] {
        const int n = *integers(0, 5);
        const auto u = *germs();
        RC_ASSERT(derivative(repeated_integral(u, *rationals(n)), n) == u);
    });
    law("the derivative is linear", [] {
        const auto c = *rationals();
        const auto u = *germs(), v = *germs();
        RC_ASSERT(derivative(u + c * v) == derivative(u) + c * derivative(v));
    });
    law("the integral is linear", [] {
        const auto c = *rationals(), before_u = *rationals(), before_v = *rationals();
        const auto u = *germs(), v = *germs();
        RC_ASSERT(integral(u + c * v, before_u + c * before_v) ==
                  integral(u, before_u) + c * integral(v, before_v));
    });
}

TEST_CASE("the first rungs of derivative and integral") {
    CHECK(derivative(G::step(3)) == G::delta(0, 2));  // H' = delta (003:14)
    CHECK(derivative(G::step(3), 3) == G::delta(2, 0));
    CHECK(integral(G::delta(0, 2), 0) == G::step(3));  // (003:30)
    CHECK(integral(G::delta(2, 2), 0) == G::delta(1, 3));
    CHECK(derivative(G::time(Rational(7), 3)) == G::constant(Rational(1), 2));
    CHECK(integral(G::constant(Rational(6), 2), 5).left == std::vector<Rational>{5, 6, 0});
    CHECK_THROWS_WITH(derivative(G::delta(0, 0)), "a derivative needs rung 0, which is not known");
}

TEST_CASE("pre is the left limit, without impulses") {
    law("on both sides", [] {
        const auto u = *germs();
        RC_ASSERT(pre(u).left == u.left);
        RC_ASSERT(pre(u).right == u.left);
        RC_ASSERT(!is_impulsive(pre(u)));
    });
}

TEST_CASE("the sign of a germ") {
    // Fractions of the generator are at least 1/6 and at most 12: at this distance the first rung rules.
    const Rational near(1, 1000);
    law("is the sign of the function near by", [=] {
        const auto zeros = *integers(0, known_rungs);
        auto u = *function_germs();
        std::fill_n(u.left.begin(), zeros, Rational(0));
        std::fill_n(u.right.begin(), zeros, Rational(0));
        RC_ASSERT(sign_before(u) == sign(value_at(u.left, -near)));
        RC_ASSERT(sign_after(u) == sign(value_at(u.right, near)));
    });
    CHECK(sign_before(G::time(Rational(0), 2)) == -1);
    CHECK(sign_after(G::time(Rational(0), 2)) == 1);
    CHECK(sign_after(zero_germ()) == 0);
    CHECK_THROWS_WITH(sign_after(G::delta(1, 2)), "the sign of delta' is not defined");
    CHECK_THROWS_AS(sign_before(G::delta(0, 2)), UndefinedOperation);
}
