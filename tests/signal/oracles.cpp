// Reference values: products, derivative and integrator chains of distributions, worked out by hand.
#include "signal/elementary.hpp"
#include "tests/signal/germs.hpp"

#include <cmath>

using namespace deltaflow;
using G = Germ<Rational>;

namespace {

// Each coefficient is a few roundings of numbers of its own size (largest: 120).
constexpr double rounding = 1e-13;

std::vector<double> tail(std::vector<double> a, int n) {
    a.resize(n + 1, 0.0);  // germs drop trailing zeros
    return a;
}

double binomial(int n, int k) { return k == 0 ? 1 : binomial(n - 1, k - 1) * n / k; }

void check_close(const std::vector<double>& found, const std::vector<double>& expected) {
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        CHECK(found[i] == Approx(expected[i]).epsilon(0).margin(rounding));
}

G h(int rungs) { return G::time(Rational(0), rungs); }  // t - tau, at tau

}  // namespace

TEST_CASE("U = -g t times V = 1 + 20 delta''(t - 1.44) (003:33)") {
    const Rational g(981, 100), tau(36, 25);
    const G u = -g * G::time(tau, 3);
    const G y = u * (G::constant(Rational(1), 3) + 20 * G::delta(2, 3));
    CHECK(y.impulses == std::vector{Rational(0), Rational(1962, 5), Rational(-35316, 125)});
    CHECK(y.left == u.left);
    CHECK(y.right == u.left);
    CHECK(fmt::format("{}", y) == "-8829/625 + 1962/5 delta' - 35316/125 delta''");
}

TEST_CASE("the derivative of a bouncing velocity carries an impulse (003:29)") {
    const Rational g(981, 100), v0(5), td(2);
    const Rational before = v0 - g * td;
    const G u{{before, -g, 0}, {-before, -g, 0}, {}};
    CHECK(fmt::format("{}", u) == "-731/50 | 731/50");
    CHECK(fmt::format("{:#}", derivative(u)) == "(-981/100, 0) + 731/25 delta");
    CHECK(fmt::format("{:#}", derivative(u, 2)) == "(0) + 731/25 delta'");
}

TEST_CASE("the derivative of the ball's velocity in doubles") {
    const double v = 14.00714103591450242094902;
    const auto y = derivative(Germ<double>{{-v, -9.81}, {v, -9.81}, {}});
    CHECK(y.impulses == std::vector{28.01428207182900484189804});
    CHECK(y.right == std::vector{-9.81});
}

TEST_CASE("the integrals of cos t + 5 delta'' + 3 delta' - 2 delta at t = 1") {
    const int n = 4;
    auto u = cos(Germ<double>::time(1, n));
    u.impulses = {-2, 3, 5};
    const double s = std::sin(1.0), c = std::cos(1.0);
    const std::vector<double> before{s, 1 - c, 1 - s, -0.5 + c};  // of the 1- to 4-fold integral, from 0
    const std::vector<double> after{-2 + s, 4 - c, 6 - s, -0.5 + c};
    const std::vector<std::vector<double>> impulses{{3, 5}, {5}, {}, {}};
    for (int k = 0; k < n; ++k) {
        u = integral(u, before[k]);
        CAPTURE(k, u);
        CHECK(u.left[0] == before[k]);
        CHECK(u.right[0] == Approx(after[k]).epsilon(0).margin(rounding));
        CHECK(u.impulses == impulses[k]);
    }
    // I^4 U right of 1 is t^2/2 + cos t - 1 - t^3/3 + 5 t^2/2 + t - 19/6: its slope at 1 is I^3 U there.
    CHECK(u.right[1] == Approx(6 - s).epsilon(0).margin(rounding));
}

TEST_CASE("the derivatives of ((t-1)^3/6 + 2 (t-1)^2) H(t-1)") {
    const G t = h(6);
    const G w = G::step(6) * (Rational(1, 6) * power(t, 3) + 2 * power(t, 2));
    CHECK(regularity(w) == Regularity::C(1));
    CHECK(fmt::format("{}", derivative(w)) == "0");
    CHECK(fmt::format("{}", derivative(w, 2)) == "0 | 4");
    CHECK(fmt::format("{}", derivative(w, 3)) == "0 | 1 + 4 delta");
    CHECK(fmt::format("{}", derivative(w, 4)) == "delta + 4 delta'");
    CHECK(fmt::format("{}", derivative(w, 5)) == "delta' + 4 delta''");
}

TEST_CASE("t^3 delta^(n)(t - tau), exactly") {
    struct Row {
        const char* tau;
        std::vector<const char*> products;  // n = 0, 1, ..., 5
    };
    const std::vector<Row> rows{
        {"0", {"0", "0", "0", "-6 delta", "-24 delta'", "-60 delta''"}},
        {"1/2",
         {"1/8 delta", "-3/4 delta + 1/8 delta'", "3 delta - 3/2 delta' + 1/8 delta''",
          "-6 delta + 9 delta' - 9/4 delta'' + 1/8 delta'''",
          "-24 delta' + 18 delta'' - 3 delta''' + 1/8 delta^(4)",
          "-60 delta'' + 30 delta''' - 15/4 delta^(4) + 1/8 delta^(5)"}},
        {"1",
         {"delta", "-3 delta + delta'", "6 delta - 6 delta' + delta''",
          "-6 delta + 18 delta' - 9 delta'' + delta'''", "-24 delta' + 36 delta'' - 12 delta''' + delta^(4)",
          "-60 delta'' + 60 delta''' - 15 delta^(4) + delta^(5)"}},
        {"2",
         {"8 delta", "-12 delta + 8 delta'", "12 delta - 24 delta' + 8 delta''",
          "-6 delta + 36 delta' - 36 delta'' + 8 delta'''",
          "-24 delta' + 72 delta'' - 48 delta''' + 8 delta^(4)",
          "-60 delta'' + 120 delta''' - 60 delta^(4) + 8 delta^(5)"}},
    };
    for (const Row& row : rows)
        for (int n = 0; n <= 5; ++n) {
            CAPTURE(row.tau, n);
            const G u = power(G::time(*parse_rational(row.tau), 6), 3);
            CHECK(fmt::format("{}", u * G::delta(n, 6)) == row.products[n]);
        }
}

TEST_CASE("t^3, exp(-t) and sin(t) times delta^(n)(t - tau), in doubles") {
    const double pi = std::acos(-1.0);
    for (const double tau : {0.0, 0.5, 1.0, 2.0, pi / 4})
        for (int n = 0; n <= 5; ++n) {
            CAPTURE(tau, n);
            const auto t = Germ<double>::time(tau, 6), delta = Germ<double>::delta(n, 6);
            const std::vector<double> cube{tau * tau * tau, 3 * tau * tau, 6 * tau, 6, 0, 0};  // derivatives
            std::vector<double> of_cube, of_exp, of_sin;
            for (int m = 0; m <= n; ++m) {
                const double sign = (n - m) % 2 == 0 ? 1 : -1;
                of_cube.push_back(sign * binomial(n, m) * cube[n - m]);
                of_exp.push_back(binomial(n, m) * std::exp(-tau));
                of_sin.push_back(sign * binomial(n, m) * std::sin(tau + (n - m) * pi / 2));
            }
            check_close(tail((t * t * t * delta).impulses, n), of_cube);
            check_close(tail((exp(-t) * delta).impulses, n), of_exp);
            check_close(tail((sin(t) * delta).impulses, n), of_sin);
        }
}

TEST_CASE("t^2 + 1 times impulses at two instants") {
    const auto factor = [](int tau) {
        return power(G::time(Rational(tau), 3), 2) + G::constant(Rational(1), 3);
    };
    const G at_1 = factor(1) * (3 * G::delta(0, 3) - 2 * G::delta(1, 3));
    const G at_2 = factor(2) * (Rational(1, 2) * G::delta(2, 3) + 7 * G::delta(0, 3));
    CHECK(at_1.impulses == std::vector<Rational>{10, -4});
    CHECK(at_2.impulses == std::vector<Rational>{36, -4, Rational(5, 2)});
}
