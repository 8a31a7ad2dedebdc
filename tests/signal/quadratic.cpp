// Numbers with one square root: a field, ordered as the doubles are.
#include "signal/quadratic.hpp"

#include "signal/product.hpp"
#include "tests/signal/dice.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace deltaflow;

namespace {

Rational fraction(Dice& dice) {
    const int n = static_cast<int>(dice.between(-50, 50)), d = static_cast<int>(dice.between(1, 12));
    return Rational(n, d);
}

Quadratic number(Dice& dice, int d) { return {fraction(dice), fraction(dice), Integer(d)}; }

}  // namespace

TEST_CASE("numbers with one root are a field") {
    Dice dice;
    for (int i = 0; i < 200; ++i) {
        const Quadratic x = number(dice, 5), y = number(dice, 5), z = number(dice, 5);
        CHECK(x * (y + z) == x * y + x * z);
        CHECK((x * y) * z == x * (y * z));
        CHECK(x - x == Quadratic(0));
        if (!is_zero(y)) CHECK(x / y * y == x);
    }
}

TEST_CASE("numbers with one root are ordered as their doubles, and nearest to them") {
    Dice dice;
    for (int i = 0; i < 200; ++i) {
        const Quadratic x = number(dice, 7), y = number(dice, i % 2 == 0 ? 7 : 3);
        const double u = to_double(x.a) + to_double(x.b) * std::sqrt(7.0);
        CHECK(to_double(x) == Approx(u).margin(1e-12));
        if (std::abs(to_double(x) - to_double(y)) > 1e-9) CHECK((x < y) == (to_double(x) < to_double(y)));
    }
    // 1414213562/1000000000 is below sqrt(2), by far less than a double can tell of their squares' difference
    CHECK(sign(Quadratic(Rational(-665857, 470832), Rational(1), 2)) < 0);
    CHECK(sign(Quadratic(Rational(-470832 * 2, 665857), Rational(1), 2)) > 0);
}

TEST_CASE("a square has its root in the field, and a fraction may bring its own") {
    Dice dice;
    for (int i = 0; i < 100; ++i) {
        const Quadratic x = number(dice, 13);
        const auto root = square_root(x * x, 13);
        REQUIRE(root);
        CHECK(*root == (sign(x) < 0 ? -x : x));
    }
    CHECK(to_string(*square_root(Quadratic(Rational(2000, 981)), 0)) == "20/327 sqrt(545)");
    CHECK(to_string(*square_root(Quadratic(Rational(9, 4)), 0)) == "3/2");
    CHECK(to_string(*square_root(Quadratic(8), 2)) == "2 sqrt(2)");
    CHECK_FALSE(square_root(Quadratic(3), 2));
    CHECK_FALSE(square_root(Quadratic(-1), 0));
    CHECK_FALSE(square_root(Quadratic(Rational(1), Rational(1), 2), 2));
}

TEST_CASE("two different roots do not mix") {
    const Quadratic two(Rational(0), Rational(1), 2), three(Rational(0), Rational(1), 3);
    CHECK_THROWS_AS(two + three, MixedRoots);
    CHECK(two < three);
    CHECK_FALSE(two == three);
}

TEST_CASE("numbers with one root print as fractions and roots") {
    CHECK(to_string(Quadratic(Rational(1, 2), Rational(-5, 3), 2)) == "1/2 - 5/3 sqrt(2)");
    CHECK(to_string(Quadratic(Rational(0), Rational(-1), 2)) == "-sqrt(2)");
    CHECK(to_string(Quadratic(Rational(0), Rational(0), 2)) == "0");
}

TEST_CASE("germs of numbers with one root follow the product rule") {
    using G = Germ<Quadratic>;
    const Quadratic root(Rational(0), Rational(1), 2);
    const G u = Quadratic(3) * G::time(root, 3), y = u * G::delta(1, 3);
    CHECK(y.impulses == std::vector<Quadratic>{Quadratic(-3), Quadratic(3) * root});
}
