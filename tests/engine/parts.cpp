// The engine's tools by themselves: first roots, linear systems, accumulation of instants.
#include "engine/numerics/linear_solver.hpp"
#include "engine/numerics/roots.hpp"
#include "tests/engine/draw.hpp"
#include "tests/engine/run.hpp"

#include <fmt/format.h>

#include <array>

namespace deltaflow::engine_test {

namespace {

// Coefficients of lead * (s - r1) ... (s - rn)
std::vector<double> with_roots(const std::vector<double>& roots, double lead) {
    std::vector<double> c{lead};
    for (const double r : roots) {
        c.insert(c.begin(), 0.0);
        for (std::size_t k = 0; k + 1 < c.size(); ++k) c[k] -= r * c[k + 1];
    }
    return c;
}

double product_form(const std::vector<double>& roots, double lead, double s) {
    for (const double r : roots) lead *= s - r;
    return lead;
}

std::optional<double> first(const std::vector<double>& roots, double lead, bool touch = false,
                            int direction = 0) {
    const auto f = [&](double s) { return product_form(roots, lead, s); };
    const RootSearch search{f(0) > 0 ? 1 : -1, touch, direction};
    const auto c = with_roots(roots, lead);
    return first_root(bernstein_from_taylor(c, 1), search, f,
                      [&](double s) { return 4 * rounding_at(c, s); });
}

}  // namespace

TEST_CASE("The first of random simple roots is found, in either direction", "[engine][parts]") {
    Draw draw(748);
    for (int n = 0; n < 1000; ++n) {
        std::vector<double> roots;
        for (int k = draw.integer(1, 7); k > 0; --k) roots.push_back(draw.between(-0.5, 1.5));
        std::sort(roots.begin(), roots.end());
        bool apart = true;  // nearer ones are the business of the cases below
        for (std::size_t k = 1; k < roots.size(); ++k) apart = apart && roots[k] - roots[k - 1] > 1e-3;
        if (!apart) continue;
        const double lead = draw.quarter(2);
        std::vector<double> inside;
        for (const double r : roots)
            if (r > 0 && r <= 1) inside.push_back(r);
        const bool positive = product_form(roots, lead, 0) > 0;
        for (const int direction : {0, -1, 1}) {
            const std::size_t skip = direction == 0 || (direction < 0) == positive ? 0 : 1;
            const auto found = first(roots, lead, false, direction);
            INFO(Catch::Detail::stringify(roots) << " " << lead << " " << direction);
            REQUIRE(found.has_value() == (skip < inside.size()));
            if (found) CHECK(*found == close_to(inside[skip], 1e-9));
        }
    }
}

TEST_CASE("A double root is a touch: it counts only where touches do", "[engine][parts]") {
    Draw draw(749);
    for (int n = 0; n < 200; ++n) {
        const double r = n < 100 ? draw.integer(1, 15) / 16.0 : draw.between(0.1, 0.9);
        for (const int direction : {0, -1, 1}) {
            CHECK(!first({r, r}, 1, false, direction));
            CHECK(!first({r, r, r, r}, -1, false, direction));
        }
        REQUIRE(first({r, r}, 1, true));
        CHECK(*first({r, r}, 1, true) ==
              close_to(r, 1e-7));  // the root of a square is good to half the digits
        REQUIRE(first({r, r, r}, 1));
        CHECK(*first({r, r, r}, 1) == close_to(r, 1e-4));  // of a cube to a third
    }
}

TEST_CASE("Clusters of roots give up their first one", "[engine][parts]") {
    for (const double gap : {1e-3, 1e-5, 1e-6}) {
        const std::vector<double> pair{0.5, 0.5 + gap};
        REQUIRE(first(pair, 1));
        CHECK(*first(pair, 1) == close_to(0.5, 1e-15 / gap + 1e-12));
        REQUIRE(first(pair, 1, false, 1));
        CHECK(*first(pair, 1, false, 1) == close_to(0.5 + gap, 1e-15 / gap + 1e-12));
    }
    CHECK(!first({}, 1));
    // A root at the very end of a step is found there, or at the beginning of the next one.
    const std::vector<double> end{1};
    const std::array<double, 2> next{0, 1};
    const auto here = first(end, 1);
    CHECK((here ? *here : 1) == close_to(1));
    const auto rise = [](double s) { return s; };
    const auto exactly = [](double) { return 0.0; };
    CHECK(first_root(bernstein_from_taylor(next, 1), {.sign = -1}, rise, exactly).value() == 0);
}

// Against the stable formula in wider numbers; squares of the last coefficients leave the range of doubles.
TEST_CASE("Lines and parabolas have their first root to the last bits", "[engine][parts]") {
    Draw draw(2);
    int found = 0;
    for (int n = 0; n < 20000; ++n) {
        const double size = std::pow(10.0, n % 4 == 3 ? draw.integer(-300, 300) : draw.integer(-3, 3));
        const double h = std::pow(10.0, draw.integer(-6, 6)), root = draw.between(0.01, 0.99),
                     other = draw.between(1.5, 4) * (draw.integer(0, 1) == 0 ? 1 : -1);
        // size (x/h - root) or size (x/h - root) (x/h - other)
        std::vector<double> c{-size * root, size / h};
        if (draw.integer(0, 1) == 0) c = {size * root * other, -size * (root + other) / h, size / h / h};
        if (!std::all_of(c.begin(), c.end(), [](double x) { return std::isnormal(x); })) continue;
        const long double a = c.size() > 2 ? c[2] : 0, b = c[1],
                          q = b + std::copysign(std::sqrt(b * b - 4 * a * c[0]), b);
        const long double near = -2 * c[0] / q, far = a == 0 ? near : -q / (2 * a);
        const bool is_near = near > 0 && near < h;
        const auto f = [&](double s) { return horner(c, s * h); };
        const auto s = first_root(bernstein_from_taylor(c, h), {sign_of(c[0]), false, 0}, f,
                                  [&](double s) { return 4 * rounding_at(c, s * h); });
        CAPTURE(c, h);
        REQUIRE(s.has_value());
        const long double exact = is_near ? near : far;
        CHECK(std::abs(*s * h - exact) <= 8 * std::numeric_limits<double>::epsilon() * exact);
        found += 1;
    }
    CHECK(found > 15000);
}

// Halving finds roots such as 3/8 at the ends of its parts, where rounding decides on which side they are.
TEST_CASE("A root before one at a dyadic point of the step is not skipped", "[engine][parts]") {
    Draw draw(1024);
    for (int n = 0; n < 20000; ++n) {
        std::vector<double> roots;
        for (int i = draw.integer(1, 5); i > 0; --i)
            roots.push_back(i % 2 == 0 ? draw.integer(1, 31) / 32.0 : draw.integer(1, 96) / 97.0);
        std::sort(roots.begin(), roots.end());
        const auto close = [](double a, double b) { return b - a < 1e-2; };
        if (std::adjacent_find(roots.begin(), roots.end(), close) != roots.end()) continue;
        const double h = draw.integer(1, 9), lead = draw.integer(1, 9) / 7.0;
        for (double& r : roots) r *= h;
        const std::vector<double> c = with_roots(roots, lead);
        const auto f = [&](double s) {
            double sum = 0;
            for (std::size_t k = c.size(); k-- > 0;) sum = sum * (s * h) + c[k];
            return sum;
        };
        for (const int direction : {0, -1, 1}) {
            const int sign = c[0] > 0 ? 1 : -1;
            const bool second = direction == sign;  // the first root goes the other way
            const auto found = first_root(bernstein_from_taylor(c, h), {sign, false, direction}, f,
                                          [&](double s) { return 4 * rounding_at(c, s * h); });
            CAPTURE(roots, h, direction);
            REQUIRE(found.has_value() == (!second || roots.size() > 1));
            if (found) CHECK(*found * h == close_to(roots[second ? 1 : 0], 1e-6));
        }
    }
}

TEST_CASE("A polynomial through Chebyshev points is the polynomial", "[engine][parts]") {
    const std::vector<double> c{1, -3, 0.5, 2, -1};
    std::vector<double> values, back(9);
    for (int i = 0; i < 9; ++i) {
        const double s = chebyshev_point(i, 9);
        values.push_back(1 - 3 * s + 0.5 * s * s + 2 * s * s * s - s * s * s * s);
    }
    CHECK(chebyshev_point(0, 9) == 0);
    CHECK(chebyshev_point(8, 9) == 1);
    taylor_from_bernstein(bernstein_from_values(values), back);
    for (std::size_t k = 0; k < back.size(); ++k)
        CHECK(back[k] == close_to(k < c.size() ? c[k] : 0.0, 1e-10));
    CHECK(evaluate_bernstein(bernstein_from_taylor(c, 1), 0.25) ==
          close_to(1 - 0.75 + 0.03125 + 0.03125 - 0.00390625));
}

TEST_CASE("Dense and sparse systems are solved alike, and singular ones are told", "[engine][parts]") {
    Draw draw(24);
    for (const int size : {1, 2, 7, 24, 25, 60, 200}) {
        std::vector<std::uint32_t> rows, columns;
        std::vector<double> values, x(static_cast<std::size_t>(size)), b(x.size(), 0.0);
        for (double& v : x) v = draw.between(-1, 1);
        const auto entry = [&](int i, int j, double v) {
            rows.push_back(static_cast<std::uint32_t>(i));
            columns.push_back(static_cast<std::uint32_t>(j));
            values.push_back(v);
            b[static_cast<std::size_t>(i)] += v * x[static_cast<std::size_t>(j)];
        };
        for (int i = 0; i < size; ++i) entry(i, i, draw.between(2, 3) * (draw.chance(2) ? 1 : -1));
        for (int i = 0; i < size && size > 1; ++i)
            if (const int j = draw.integer(0, size - 1); j != i) entry(i, j, draw.between(-1, 1));
        LinearSolver solver(size, rows, columns);
        INFO(size);
        REQUIRE(solver.factor(values));
        solver.solve(b);
        for (std::size_t i = 0; i < b.size(); ++i) CHECK(b[i] == close_to(x[i]));
        CHECK(!solver.factor(std::vector<double>(values.size(), 0.0)));
        CHECK(solver.factor(values));  // and it can be used again
    }
}

// A ring in which each unknown leans on its two neighbours.
TEST_CASE("A ring of two thousand algebraic unknowns is solved", "[engine][parts]") {
    constexpr int n = 2000;
    std::string text = "[blocks]\n";
    for (int i = 0; i < n; ++i)
        text += fmt::format("y{} = \"0.25*y{} + 0.25*y{} + {}\"\n", i, (i + 1) % n, (i + n - 1) % n,
                            i == 0 ? "t" : "1");
    text += "[simulation]\nstop = 2\nrecord = [\"y0\", \"y1\", \"y1000\", \"y1999\"]\n";
    const Trace trace = run(text, {0, 2});
    // Far from y0 all are 2. Near it the difference is c q^k, where q = (q^2 + 1)/4, and c = (t - 1)/(1 -
    // q/2).
    const double q = 2 - std::sqrt(3.0);
    for (const double t : {0.0, 2.0}) {
        const double c = (t - 1) / (1 - q / 2);
        CHECK(sample(trace, "y0", t) == close_to(2 + c));
        CHECK(sample(trace, "y1", t) == close_to(2 + c * q));
        CHECK(sample(trace, "y1999", t) == close_to(2 + c * q));
        CHECK(sample(trace, "y1000", t) == close_to(2));
    }
}

TEST_CASE("A nonlinear ladder with a state finds the root of each rung", "[engine][parts]") {
    const Trace trace = run(R"toml(
[blocks]
y = "x - y^3"
z = "y - z^3"
x = { type = "integrator", in = "1 + kick" }
kick = { type = "impulse", at = 1, size = 7 }
[simulation]
stop = 2
)toml",
                            {1, 2});
    // y + y^3 = 10 has the root 2 at x = 10; z + z^3 = 2 the root 1. At t = 1 x becomes 8, at t = 2 it is 9.
    for (const double t : {1.0, 2.0}) {
        const double y = sample(trace, "y", t), z = sample(trace, "z", t);
        CHECK(y + y * y * y == close_to(7 + t));
        CHECK(z + z * z * z == close_to(y));
    }
}

}  // namespace deltaflow::engine_test
