// Elementary functions of germs: identities, chain rule, both sides, and the edges of their domains.
#include "signal/elementary.hpp"

#include "tests/signal/dice.hpp"
#include "tests/signal/germs.hpp"

#include <cmath>

using namespace deltaflow;
using G = Germ<double>;

namespace {

// Rungs 0..7 of compositions stay below 1e4 for these inputs; a few hundred roundings of 1e-16 each.
constexpr double rounding = 1e-9;
constexpr int known = 8;

// A jumping germ whose values lie in the given range.
G draw_germ(Dice& dice, double low, double high) {
    G u = G::constant(0, known);
    for (auto* side : {&u.left, &u.right}) {
        for (double& rung : *side) rung = dice.between(-1, 1);
        side->front() = dice.between(low, high);
    }
    return u;
}

bool close(const G& u, const G& v) {
    const auto agree = [](double a, double b) {
        return std::abs(a - b) <= rounding * std::max(1.0, std::abs(a));
    };
    return u.left.size() == v.left.size() && u.impulses == v.impulses &&
           std::equal(u.left.begin(), u.left.end(), v.left.begin(), agree) &&
           std::equal(u.right.begin(), u.right.end(), v.right.begin(), agree);
}

// Tries an identity on fifty germs with values between low and high.
template <class F, class E>
void identity(const char* name, double low, double high, F f, E expected) {
    Dice dice;
    for (int i = 0; i < 50; ++i) {
        const G u = draw_germ(dice, low, high);
        const G found = f(u), wanted = expected(u);
        CAPTURE(name, u, found, wanted);
        CHECK(close(found, wanted));
    }
}

G one(const G& u) { return G::constant(1, rungs(u)); }
G self(const G& u) { return u; }

}  // namespace

TEST_CASE("identities of the elementary functions") {
    const double pi = std::acos(-1.0);
    identity(
        "sin^2 + cos^2 = 1", -3, 3, [](const G& u) { return power(sin(u), 2) + power(cos(u), 2); }, one);
    identity(
        "cosh^2 - sinh^2 = 1", -1, 1, [](const G& u) { return power(cosh(u), 2) - power(sinh(u), 2); }, one);
    identity(
        "tan = sin / cos", -1.2, 1.2, [](const G& u) { return tan(u); },
        [](const G& u) { return sin(u) / cos(u); });
    identity(
        "tanh = sinh / cosh", -1, 1, [](const G& u) { return tanh(u); },
        [](const G& u) { return sinh(u) / cosh(u); });
    identity(
        "2 cosh = exp u + exp -u", -1, 1, [](const G& u) { return 2 * cosh(u); },
        [](const G& u) { return exp(u) + exp(-u); });
    identity(
        "exp(log u) = u", 0.5, 3, [](const G& u) { return exp(log(u)); }, self);
    identity(
        "log(exp u) = u", -2, 2, [](const G& u) { return log(exp(u)); }, self);
    identity(
        "sqrt(u)^2 = u", 0.5, 3, [](const G& u) { return power(sqrt(u), 2); }, self);
    identity(
        "u^(5/2) = exp(5/2 log u)", 0.5, 3, [](const G& u) { return pow(u, 2.5); },
        [](const G& u) { return exp(2.5 * log(u)); });
    identity(
        "u^3.0 = u u u", 0.5, 3, [](const G& u) { return pow(u, 3.0); },
        [](const G& u) { return power(u, 3); });
    identity(
        "atan(tan u) = u", -1.2, 1.2, [](const G& u) { return atan(tan(u)); }, self);
    identity(
        "sin(asin u) = u", -0.7, 0.7, [](const G& u) { return sin(asin(u)); }, self);
    identity(
        "cos(acos u) = u", -0.7, 0.7, [](const G& u) { return cos(acos(u)); }, self);
    identity(
        "the angle of (cos u, sin u) is u", -3, 3, [](const G& u) { return atan2(2 * sin(u), 2 * cos(u)); },
        self);
    identity(
        "the angle of (-x, 0-) turns by pi", 0.5, 3, [](const G& u) { return atan2(-u, -one(u)); },
        [=](const G& u) { return atan(u) - G::constant(pi, rungs(u)); });
}

TEST_CASE("the chain rule: f(u)' = f'(u) u'") {
    const auto chain = [](const char* name, double low, double high, auto f, auto slope) {
        Dice dice;
        for (int i = 0; i < 20; ++i) {
            auto u = draw_germ(dice, low, high);
            u.right[0] = u.left[0];  // a jump would give f(u)' and u' different impulses
            CAPTURE(name, u);
            CHECK(close(derivative(f(u)), slope(u) * derivative(u)));
        }
    };
    chain(
        "exp", -1, 1, [](const G& u) { return exp(u); }, [](const G& u) { return exp(u); });
    chain(
        "log", 0.5, 3, [](const G& u) { return log(u); }, [](const G& u) { return inverse(u); });
    chain(
        "sqrt", 0.5, 3, [](const G& u) { return sqrt(u); },
        [](const G& u) { return 0.5 * inverse(sqrt(u)); });
    chain(
        "sin", -3, 3, [](const G& u) { return sin(u); }, [](const G& u) { return cos(u); });
    chain(
        "cos", -3, 3, [](const G& u) { return cos(u); }, [](const G& u) { return -sin(u); });
    chain(
        "atan", -2, 2, [](const G& u) { return atan(u); },
        [](const G& u) { return inverse(one(u) + u * u); });
}

TEST_CASE("series that everybody knows") {
    const G t = G::time(0, 6);
    CHECK(close(exp(t), smooth_germ<double>({1, 1, 1. / 2, 1. / 6, 1. / 24, 1. / 120})));
    CHECK(close(sin(t), smooth_germ<double>({0, 1, 0, -1. / 6, 0, 1. / 120})));
    CHECK(close(cos(t), smooth_germ<double>({1, 0, -1. / 2, 0, 1. / 24, 0})));
    CHECK(close(tan(t), smooth_germ<double>({0, 1, 0, 1. / 3, 0, 2. / 15})));
    CHECK(close(tanh(t), smooth_germ<double>({0, 1, 0, -1. / 3, 0, 2. / 15})));
    CHECK(close(atan(t), smooth_germ<double>({0, 1, 0, -1. / 3, 0, 1. / 5})));
    CHECK(close(asin(t), smooth_germ<double>({0, 1, 0, 1. / 6, 0, 3. / 40})));
    const G one_plus_t = G::time(1, 6);
    CHECK(close(log(one_plus_t), smooth_germ<double>({0, 1, -1. / 2, 1. / 3, -1. / 4, 1. / 5})));
    CHECK(close(sqrt(one_plus_t), smooth_germ<double>({1, 1. / 2, -1. / 8, 1. / 16, -5. / 128, 7. / 256})));
    CHECK(close(pow(one_plus_t, -0.5),
                smooth_germ<double>({1, -1. / 2, 3. / 8, -5. / 16, 35. / 128, -63. / 256})));
}

TEST_CASE("each side of a jump has its own function value") {
    const G u{{0.25, 1}, {4, 2}, {}};
    CHECK(sqrt(u) == G{{0.5, 1}, {2, 0.5}, {}});
}

TEST_CASE("an angle that passes the cut jumps from one side to the other") {
    const double pi = std::acos(-1.0);
    const G t = G::time(0, 3), west = G::constant(-1, 3);
    CHECK(fmt::format("{}", atan2(t, west)) == fmt::format("{} | {}", -pi, pi));
    CHECK(fmt::format("{}", atan2(t * t, west)) == fmt::format("{}", pi));
    CHECK(fmt::format("{}", atan2(-t * t, west)) == fmt::format("{}", -pi));
}

TEST_CASE("functions refuse impulses and values outside their domain") {
    const G delta = G::delta(1, 3), zero = G::constant(0, 3), two = G::constant(2, 3);
    CHECK_THROWS_WITH(exp(delta), "exp of delta' is not defined");
    CHECK_THROWS_WITH(log(zero), "log needs a positive value");
    CHECK_THROWS_WITH(sqrt(zero), "sqrt needs a positive value");
    CHECK_THROWS_WITH(pow(-two, 0.5), "a power that is not whole needs a positive value");
    CHECK_THROWS_WITH(asin(two), "asin needs a value between -1 and 1");
    CHECK_THROWS_AS(acos(-two), UndefinedOperation);
    CHECK_THROWS_WITH(atan2(zero, zero), "atan2 needs a point that is not the origin");
    CHECK_THROWS_AS(atan2(zero, delta), UndefinedOperation);
    using Function = G (*)(const G&);
    for (const Function f : {Function(sin), Function(cos), Function(tan), Function(sinh), Function(cosh),
                             Function(tanh), Function(atan), Function(asin), Function(log), Function(sqrt)})
        CHECK_THROWS_AS(f(delta), UndefinedOperation);
}
