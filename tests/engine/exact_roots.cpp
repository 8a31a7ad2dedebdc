// Roots of exact polynomials: the first that counts, and whether it can be written down.
#include "engine/solve/exact/roots.hpp"

#include "tests/signal/dice.hpp"

#include <catch2/catch.hpp>

using namespace deltaflow;
using namespace deltaflow::closed_form;

namespace {

Polynomial of(std::initializer_list<int> coefficients) {
    Polynomial p;
    for (const int c : coefficients) p.push_back(Quadratic(c));
    return p;
}

Polynomial times(const Polynomial& u, const Polynomial& v) {
    Polynomial w(u.size() + v.size() - 1);
    for (std::size_t i = 0; i < u.size(); ++i)
        for (std::size_t j = 0; j < v.size(); ++j) w[i + j] = w[i + j] + u[i] * v[j];
    return w;
}

std::string first(const Polynomial& p, const Search& search = {}, const Quadratic& end = Quadratic(100),
                  int d = 0) {
    const auto root = first_root(p, search, end, Integer(d));
    if (!root) return "none";
    return root->value ? to_string(*root->value) : "no number";
}

}  // namespace

TEST_CASE("a polynomial divides, and shares its divisors") {
    const Polynomial u = of({-6, 11, -6, 1}), v = of({-1, 1});  // (x-1)(x-2)(x-3)
    CHECK(divide(u, v).rest.empty());
    CHECK(divide(u, v).quotient == of({6, -5, 1}));
    CHECK(greatest_divisor(u, times(v, of({5, 1}))) == v);
    CHECK(square_free(times(times(v, v), of({2, 1}))) == times(v, of({2, 1})));
    CHECK(shifted(u, Quadratic(2)) == of({0, -1, 0, 1}));
}

TEST_CASE("the first root is found, fractions and square roots alike") {
    CHECK(first(of({-3, 2})) == "3/2");
    CHECK(first(of({-2, 0, 1})) == "sqrt(2)");
    CHECK(first(of({1, -3, 1})) == "3/2 - 1/2 sqrt(5)");
    CHECK(first(of({2, 0, 1})) == "none");
    CHECK(first(of({-3, 2}), {}, Quadratic(1)) == "none");
    CHECK(first(of({-3, 2}), {}, Quadratic(Rational(3, 2))) == "3/2");
}

TEST_CASE("roots of higher polynomials are found where a square root is enough") {
    CHECK(first(times(of({-2, 0, 1}), of({-3, 0, 1}))) == "sqrt(2)");
    CHECK(first(times(of({1, -3, 1}), times(of({1, 0, 1}), of({-7, 3})))) == "3/2 - 1/2 sqrt(5)");
    CHECK(first(times(of({-7, 3}), of({1, 1, 0, 1}))) == "7/3");
    CHECK(first(of({-2, 0, 0, 1})) == "no number");
    CHECK(first(times(of({-2, 0, 0, 1}), of({-1, 1}))) == "1");
    CHECK(first(times(of({-2, 0, 0, 1}), of({-2, 1}))) == "no number");
}

TEST_CASE("with a root in use only its field counts") {
    const Quadratic two(Rational(0), Rational(1), 2);
    CHECK(first(of({-3, 0, 1}), {}, Quadratic(9), 2) == "no number");
    CHECK(first(of({-8, 0, 1}), {}, Quadratic(9), 2) == "2 sqrt(2)");
    // (x - 1 - sqrt(2)) (x^2 + x + 1) and a cubic over the field
    const Polynomial linear{Quadratic(-1) - two, Quadratic(1)};
    CHECK(first(times(linear, of({1, 1, 1})), {}, Quadratic(9), 2) == "1 + sqrt(2)");
    CHECK(first(times(times(linear, of({-3, 1})), of({-4, 0, 1})), {}, Quadratic(9), 2) == "2");
}

TEST_CASE("a touch counts only where it is asked for, and a passage only in its direction") {
    const Polynomial touch = times(of({-1, 1}), of({-1, 1})), then = times(touch, of({-4, 1}));
    CHECK(first(touch) == "none");
    CHECK(first(touch, {true, 0}) == "1");
    CHECK(first(then) == "4");
    const Polynomial wave = times(of({-1, 1}), times(of({-2, 1}), of({-3, 1})));  // from - to + at 1
    CHECK(first(wave, {false, 1}) == "1");
    CHECK(first(wave, {false, -1}) == "2");
}

TEST_CASE("random products of factors give back their smallest positive root") {
    Dice dice;
    for (int i = 0; i < 60; ++i) {
        Polynomial p = of({1});
        std::optional<Quadratic> least;
        for (int k = 0; k < 4; ++k) {
            const int n = static_cast<int>(dice.between(-20, 20)), m = static_cast<int>(dice.between(1, 6));
            if (n == 0) continue;
            p = times(p, of({-n, m}));
            const Quadratic root(Rational(n, m));
            if (n > 0 && (!least || root < *least)) least = root;
        }
        const auto found = first_root(p, {true, 0}, Quadratic(50), Integer(0));
        REQUIRE(found.has_value() == least.has_value());
        if (least) CHECK(*found->value == *least);
    }
}
