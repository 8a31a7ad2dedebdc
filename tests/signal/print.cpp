// Germs as texts: what they look like, and reading them back.
#include "tests/signal/germs.hpp"

#include <cmath>
#include <sstream>

using namespace deltaflow;

namespace {

std::string print(double left, double right, std::vector<double> impulses) {
    return print_germ(left, right, impulses);
}

}  // namespace

TEST_CASE("a germ prints as value and impulses") {
    CHECK(print(2, 2, {3, 0, -0.5}) == "2 + 3 delta - 0.5 delta''");
    CHECK(print(1, 2, {3}) == "1 | 2 + 3 delta");
    CHECK(print(1, 0, {3}) == "1 | 0 + 3 delta");
    CHECK(print(0, 0, {}) == "0");
    CHECK(print(-0.0, 0, {0, 0}) == "0");
    CHECK(print(0, 0, {6}) == "6 delta");
    CHECK(print(0, 0, {-1}) == "-delta");
    CHECK(print(-2, -2, {1, -1}) == "-2 + delta - delta'");
    CHECK(print(0, 0, {1, 1, 1, 1, 1}) == "delta + delta' + delta'' + delta''' + delta^(4)");
    CHECK(print(0.1, 0.1, {1e22, 1e-7}) == "0.1 + 1e+22 delta + 1e-07 delta'");
    CHECK(print(0.1 + 0.2, 0.3, {}) == "0.30000000000000004 | 0.3");
    CHECK(print(HUGE_VAL, HUGE_VAL, {std::nan("")}) == "inf + nan delta");
}

TEST_CASE("fractions print as fractions") {
    const auto u = Germ<Rational>::constant(2, 2) + 3 * Germ<Rational>::delta(0, 2) -
                   Rational(1, 2) * Germ<Rational>::delta(2, 2);
    CHECK(fmt::format("{}", u) == "2 + 3 delta - 1/2 delta''");
    CHECK(fmt::format("{:#}", u) == "(2, 0) + 3 delta - 1/2 delta''");
    CHECK(fmt::format("{:#}", Germ<double>{{1, 2}, {1, 0.5}, {}}) == "(1, 2 | 1, 0.5)");
    std::ostringstream out;
    out << u;
    CHECK(out.str() == "2 + 3 delta - 1/2 delta''");
}

TEST_CASE("texts of germs are read") {
    const auto read = [](const char* text) { return fmt::format("{}", parse_germ(text)); };
    CHECK(read("1 | 2 + 3 delta - 1/2 delta''") == "1 | 2 + 3 delta - 1/2 delta''");
    CHECK(read(" -1|-2-delta ") == "-1 | -2 - delta");
    CHECK(read("1e-3 + 2.5delta^(12)") == "1/1000 + 5/2 delta^(12)");
    CHECK(read("delta''''") == "delta^(4)");
    CHECK(read("3 delta + 1 - 2 delta") == "1 + delta");
    CHECK(read("1 | delta") == "1 | 0 + delta");
    CHECK(to_double(parse_germ("0.1 | 1/3")) == Germ<double>{{0.1}, {1.0 / 3}, {}});
    for (const auto* wrong :
         {"", "|", "1 |", "| 1", "1 2", "1 +", "+", "delta delta", "3 dleta", "delta^(", "delta^(x)",
          "delta^(999999999999)", "1/0", "1 | 2 | 3", "delta | 1", "2 * delta"}) {
        INFO(wrong);
        CHECK_THROWS_AS(parse_germ(wrong), std::invalid_argument);
    }
}

TEST_CASE("printing and reading are inverse") {
    law("in fractions", [] {
        const auto u = *germs();
        const Germ<Rational> value{{u.left[0]}, {u.right[0]}, u.impulses};
        RC_ASSERT(parse_germ(fmt::format("{}", u)) == value);
    });
    law("in doubles, to the last bit", [](double left, double right, double a, double b) {
        const auto u = make_germ<double>({left}, {right}, {a, b});
        RC_ASSERT(to_double(parse_germ(fmt::format("{}", u))) == u);
    });
}
