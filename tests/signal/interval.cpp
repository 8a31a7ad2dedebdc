// Intervals hold what they should: tested against wider arithmetic on random operands.
#include "signal/interval.hpp"

#include "signal/taylor.hpp"
#include "tests/signal/dice.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cmath>

using namespace deltaflow;

namespace {

using Wide = long double;

struct Sampler {
    Dice dice;
    // Either sign, and all sizes that matter.
    double number() {
        const double size = std::ldexp(dice.between(0.5, 1), static_cast<int>(dice.between(-60, 60)));
        return dice.between(0, 1) < 0.5 ? -size : size;
    }
    Interval interval() {
        const double a = number();
        if (dice.between(0, 1) < 0.3) return Interval(a);
        const double b = dice.between(0, 1) < 0.5 ? number() : a * (1 + dice.between(0, 1e-6));
        return a < b ? Interval(a, b) : Interval(b, a);
    }
    double inside(const Interval& x) {
        const double chance = dice.between(0, 1);
        if (chance < 0.3) return x.lo;
        if (chance < 0.6) return x.hi;
        const double at = dice.between(x.lo, x.hi);
        return at < x.lo ? x.lo : at > x.hi ? x.hi : at;
    }
};

bool holds(const Interval& y, Wide exact) { return Wide(y.lo) <= exact && exact <= Wide(y.hi); }

// Sampled points of x, by a function of wider arithmetic.
template <class F, class G>
void check_inclusion(F of_interval, G wide, double low, double high) {
    Dice dice;
    for (int i = 0; i < 20000; ++i) {
        const double a = dice.between(low, high);
        const double width = i % 3 == 0 ? 0 : std::pow(10, dice.between(-12, 0)) * (high - low);
        const Interval x(a, std::fmin(high, a + width));
        const Interval y = of_interval(x);
        INFO("[" << x.lo << ", " << x.hi << "] -> [" << y.lo << ", " << y.hi << "]");
        for (const double part : {0.0, 0.37, 0.5, 1.0}) {
            const double u = std::fmin(x.hi, std::fmax(x.lo, x.lo + part * (x.hi - x.lo)));
            REQUIRE(holds(y, wide(Wide(u))));
        }
    }
}

}  // namespace

TEST_CASE("A sum, a product and a quotient of intervals hold those of all their members", "[signal]") {
    Sampler s;
    for (int i = 0; i < 200000; ++i) {
        const Interval x = s.interval(), y = s.interval();
        const double u = s.inside(x), v = s.inside(y);
        REQUIRE(holds(x + y, Wide(u) + Wide(v)));
        REQUIRE(holds(x - y, Wide(u) - Wide(v)));
        REQUIRE(holds(square(x), Wide(u) * Wide(u)));
        // A product of two doubles may have 106 bits: its rounding to 64 stays on the right side of a double.
        REQUIRE(holds(x * y, Wide(u) * Wide(v)));
        if (!y.contains(0)) REQUIRE(holds(x / y, Wide(u) / Wide(v)));
    }
}

#ifdef __SIZEOF_INT128__
__extension__ using Exact = __float128;

TEST_CASE("Not even the last bit of a product falls out of its interval", "[signal]") {
    Sampler s;
    for (int i = 0; i < 200000; ++i) {
        const double u = s.number(), v = s.number();
        const Interval product = Interval(u) * Interval(v), quotient = Interval(u) / Interval(v);
        const Exact exact = Exact(u) * Exact(v);
        REQUIRE(bool(Exact(product.lo) <= exact && exact <= Exact(product.hi)));
        REQUIRE(product.hi - product.lo <= 0x1p-50 * std::abs(u * v));
        const bool positive = v > 0;  // lo v <= u <= hi v, or the other way round
        const Exact below = Exact(quotient.lo) * Exact(v), above = Exact(quotient.hi) * Exact(v);
        REQUIRE(
            bool(positive ? below <= Exact(u) && Exact(u) <= above : above <= Exact(u) && Exact(u) <= below));
        const Interval sum = Interval(u) + Interval(v);
        REQUIRE(bool(Exact(sum.lo) <= Exact(u) + Exact(v) && Exact(u) + Exact(v) <= Exact(sum.hi)));
    }
}
#endif

TEST_CASE("Widening holds down to the smallest doubles and gives up beyond the largest", "[signal]") {
    const double tiny = 0x1p-1074;
    const Interval product = Interval(tiny) * Interval(0.3);
    CHECK(product.lo <= 0);
    CHECK(product.hi >= tiny);
    CHECK(!(Interval(1e200) * Interval(1e200)).is_known());
    CHECK(!exp(Interval(1000)).is_known());
    CHECK(!(Interval(1) / Interval(-1, 1)).is_known());
    CHECK(!(Interval(1) / Interval(0, 1)).is_known());
    CHECK(!log(Interval(-1, 1)).is_known());
    CHECK(!sqrt(Interval(-1e-30, 1)).is_known());
    CHECK(!asin(Interval(0, 1.1)).is_known());
    CHECK(!tan(Interval(1.5, 1.6)).is_known());
}

TEST_CASE("What is not known stays so, whatever is done to it", "[signal]") {
    const Interval n = Interval::nowhere(), x(1, 2), zero(0);
    for (const Interval& y :
         {n + x, x - n, n * x, n * zero, zero * n, n / x, x / n, square(n), exp(n), sin(n), cos(n), tanh(n),
          cosh(n), sech_squared(n), atan(n), pow(n, 0.5), angle(n, x, 1)})
        CHECK(!y.is_known());
}

TEST_CASE("Zero and one are exact factors, and zero an exact term", "[signal]") {
    const Interval x(0.1, 0.3), zero(0);
    CHECK((x * zero).is_zero());
    CHECK((x + zero).lo == 0.1);
    CHECK((Interval(1) * x).hi == 0.3);
    CHECK((Interval(-1) * x).hi == -0.1);
}

TEST_CASE("Elementary functions of intervals hold their values", "[signal][slow]") {
    check_inclusion([](auto x) { return exp(x); }, [](Wide u) { return std::exp(u); }, -750, 700);
    check_inclusion([](auto x) { return log(x); }, [](Wide u) { return std::log(u); }, 1e-10, 1e3);
    check_inclusion([](auto x) { return sqrt(x); }, [](Wide u) { return std::sqrt(u); }, 0, 1e3);
    check_inclusion([](auto x) { return sin(x); }, [](Wide u) { return std::sin(u); }, -50, 50);
    check_inclusion([](auto x) { return cos(x); }, [](Wide u) { return std::cos(u); }, -50, 50);
    check_inclusion([](auto x) { return sin(x); }, [](Wide u) { return std::sin(u); }, 1e6, 1e6 + 10);
    check_inclusion([](auto x) { return tan(x); }, [](Wide u) { return std::tan(u); }, -50, 50);
    check_inclusion([](auto x) { return asin(x); }, [](Wide u) { return std::asin(u); }, -1, 1);
    check_inclusion([](auto x) { return atan(x); }, [](Wide u) { return std::atan(u); }, -1e3, 1e3);
    check_inclusion([](auto x) { return sinh(x); }, [](Wide u) { return std::sinh(u); }, -300, 300);
    check_inclusion([](auto x) { return cosh(x); }, [](Wide u) { return std::cosh(u); }, -300, 300);
    check_inclusion([](auto x) { return tanh(x); }, [](Wide u) { return std::tanh(u); }, -30, 30);
    check_inclusion([](auto x) { return pow(x, 2.7); }, [](Wide u) { return std::pow(u, Wide(2.7)); }, 1e-3,
                    1e3);
    check_inclusion([](auto x) { return pow(x, -0.3); }, [](Wide u) { return std::pow(u, Wide(-0.3)); }, 1e-3,
                    1e3);
    check_inclusion([](auto x) { return sech_squared(x); },
                    [](Wide u) { return 1 / (std::cosh(u) * std::cosh(u)); }, -800, 800);
}

TEST_CASE("A wave over an extreme reaches it", "[signal]") {
    CHECK(sin(Interval(1.5, 1.6)).hi == 1);
    CHECK(sin(Interval(4.7, 4.8)).lo == -1);
    CHECK(cos(Interval(-0.1, 0.1)).hi == 1);
    CHECK(cos(Interval(3, 4)).lo == -1);
    const Interval whole = sin(Interval(0, 100));
    CHECK(whole.lo == -1);
    CHECK(whole.hi == 1);
    CHECK(sin(Interval(0, 0.5)).hi < 0.48);
}

TEST_CASE("Where tanh has reached one, its slope keeps its digits", "[signal]") {
    const Interval slope = sech_squared(Interval(25));
    CHECK(slope.lo > 7.7e-22);
    CHECK(slope.hi < 7.8e-22);
}

TEST_CASE("An angle goes on over its cut on the side it came from", "[signal]") {
    const double pi = 3.141592653589793;
    const Interval above = angle(Interval(-0.01, 0.01), Interval(-1), 1);
    CHECK(above.contains(pi));
    CHECK(above.hi < pi + 0.011);
    CHECK(angle(Interval(-0.01, 0.01), Interval(-1), -1).contains(-pi));
    CHECK(angle(Interval(1), Interval(-0.1, 0.1), 1).contains(pi / 2));
    CHECK(!angle(Interval(-1, 1), Interval(-1, 1), 1).is_known());
    CHECK(!atan2(Interval(-1, 1), Interval(-2, -1)).is_known());
}

TEST_CASE("The square of a series knows that both factors are one", "[signal]") {
    const std::array<Interval, 3> u{Interval(-1, 1), Interval(2), Interval(0)};
    const auto series = [&](int k) { return u[static_cast<std::size_t>(k)]; };
    CHECK(taylor::squared(series, 0).lo == 0);
    CHECK(taylor::product(series, series, 0).lo < -0.9);
    CHECK(taylor::squared(series, 2).lo > 3.9);
}
