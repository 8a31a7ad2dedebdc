// Exact fractions: to the nearest double and back, decimals, texts.
#include "signal/rational.hpp"

#include "tests/signal/law.hpp"

#include <cmath>
#include <cstring>
#include <limits>

using namespace deltaflow;

namespace {

double from_bits(std::uint64_t bits) {
    double x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}

double finite(std::uint64_t bits) {
    const double x = from_bits(bits);
    return std::isfinite(x) ? x : from_bits(bits & ~(std::uint64_t{1} << 62));
}

// Of every size, and in half of the cases below the smallest normal double.
rc::Gen<double> doubles() {
    const auto bits = full_range(rc::gen::arbitrary<std::uint64_t>());
    const auto subnormal_bits = rc::gen::map(bits, [](std::uint64_t b) { return b >> 12; });
    return rc::gen::map(rc::gen::oneOf(bits, subnormal_bits), finite);
}

Rational distance(const Rational& a, const Rational& b) { return abs(a - b); }

// No neighbour of x is nearer to r, and of two equally near ones x is the even one.
bool is_nearest(double x, const Rational& r) {
    const Rational own = distance(exact(x), r);
    for (const double to : {-HUGE_VAL, HUGE_VAL}) {
        const double y = std::nextafter(x, to);
        if (!std::isfinite(y)) continue;
        const Rational other = distance(exact(y), r);
        std::uint64_t bits;
        std::memcpy(&bits, &x, sizeof bits);
        if (other < own || (other == own && bits % 2 != 0)) return false;
    }
    return true;
}

Rational power_of_two(int e) {
    const Integer power = Integer(1) << std::abs(e);
    return e < 0 ? Rational(1, power) : Rational(power);
}

constexpr double tiny = std::numeric_limits<double>::denorm_min();

}  // namespace

TEST_CASE("a fraction goes to the nearest double") {
    law("every double is its own nearest", [] {
        const double x = *doubles();
        RC_ASSERT(to_double(exact(x)) == x);
    });
    law("small fractions", [](std::int32_t n, std::uint32_t d) {
        RC_PRE(d != 0);
        RC_ASSERT(is_nearest(to_double(Rational(n, d)), Rational(n, d)));
    });
    law("long fractions of every size", [](std::int64_t a, std::uint64_t b, std::int64_t c) {
        RC_PRE(b != 0);
        const int e = *integers(-1080, 900);
        const Rational r = Rational(Integer(a) * 1000003 + c, b) * power_of_two(e);
        RC_ASSERT(is_nearest(to_double(r), r));
    });
    law("ties go to even, also below the normal doubles", [] {
        const double x = *doubles(), y = std::nextafter(x, 0.0);
        const Rational tie = (exact(x) + exact(y)) / Rational(2);
        RC_ASSERT(is_nearest(to_double(tie), tie));
    });
    law("beside a tie there is one rounding, not two", [] {
        const double x = *doubles(), y = std::nextafter(x, 0.0);
        const Rational tie = (exact(x) + exact(y)) / Rational(2), little = power_of_two(-1200);
        RC_ASSERT(is_nearest(to_double(tie + little), tie + little));
        RC_ASSERT(is_nearest(to_double(tie - little), tie - little));
    });
}

TEST_CASE("fractions beyond the range of doubles") {
    CHECK(to_double(power_of_two(1024)) == HUGE_VAL);
    CHECK(to_double(-power_of_two(5000)) == -HUGE_VAL);
    CHECK(to_double(power_of_two(1024) - power_of_two(970)) == HUGE_VAL);
    CHECK(to_double(power_of_two(1024) - power_of_two(970) - Rational(1)) ==
          std::numeric_limits<double>::max());
    CHECK(to_double(power_of_two(-1075)) == 0);
    CHECK(to_double(power_of_two(-1075) * Rational(1001, 1000)) == tiny);
    CHECK(to_double(power_of_two(-9000)) == 0);
    CHECK_THROWS_AS(exact(HUGE_VAL), std::domain_error);
    CHECK_THROWS_AS(decimal(std::nan("")), std::domain_error);
}

TEST_CASE("a decimal is what was written, not its bits") {
    CHECK(decimal(0.1) == Rational(1, 10));
    CHECK(exact(0.1) != Rational(1, 10));
    CHECK(decimal(-2.5e-7) == Rational(-1, 4000000));
    CHECK(decimal(1e22) == Rational(Integer("10000000000000000000000")));
    law("its nearest double is the one it was written from", [] {
        const double x = *doubles();
        RC_ASSERT(to_double(decimal(x)) == x);
    });
}

TEST_CASE("texts of fractions") {
    CHECK(parse_rational("3") == Rational(3));
    CHECK(parse_rational("-1/3") == Rational(-1, 3));
    CHECK(parse_rational("+0.25") == Rational(1, 4));
    CHECK(parse_rational("1e-3") == Rational(1, 1000));
    CHECK(parse_rational("2.5E+2") == Rational(250));
    CHECK(parse_rational("010") == Rational(10));
    CHECK(parse_rational("0.080") == Rational(2, 25));
    for (const auto* wrong : {"", "-", ".", "e3", "1e", "1/0", "1/", "1//2", "1 ", "0x10", "--1", "1/-2",
                              "1e99999", "inf", "nan", "1e-99999999999999999999"}) {
        INFO(wrong);
        CHECK(!parse_rational(wrong));
    }
    law("printing and reading give the same fraction", [](std::int64_t n, std::uint32_t d) {
        RC_PRE(d != 0);
        RC_ASSERT(*parse_rational(to_string(Rational(n, d))) == Rational(n, d));
    });
    CHECK(to_string(Rational(-6, 4)) == "-3/2");
    CHECK(to_string(Rational(-6, 3)) == "-2");
}
