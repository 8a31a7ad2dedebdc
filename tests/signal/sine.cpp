// sin and cos that are the same on every machine.
#include "signal/sine.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>
#include <random>

using namespace deltaflow;

namespace {

// The error in units in the last place, against a wider number.
double units(double found, long double right) {
    const double size = std::abs(static_cast<double>(right));
    return static_cast<double>(std::abs(static_cast<long double>(found) - right)) /
           (std::nextafter(size, HUGE_VAL) - size);
}

}  // namespace

TEST_CASE("sin and cos are right to 0.82 units in the last place, near multiples of pi/2 too",
          "[signal][sine]") {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> share(-1, 1);
    for (int i = 0; i < 200000; ++i) {
        const double turns = std::nearbyint(6e4 * share(random)) * std::numbers::pi / 2;
        const double x = i % 4 == 0   ? share(random)
                         : i % 4 == 1 ? 20 * share(random)
                         : i % 4 == 2 ? 1e5 * share(random)
                                      : turns * (1 + (i % 8 == 3 ? 0 : 1e-9) * share(random));
        CAPTURE(x);
        // Multiples of pi/2 are known to a wide double's precision only as far as that reaches.
        if (std::abs(std::sin(x)) > 1e-3)
            REQUIRE(units(sine::sin(x), std::sin(static_cast<long double>(x))) < 0.82);
        if (std::abs(std::cos(x)) > 1e-3)
            REQUIRE(units(sine::cos(x), std::cos(static_cast<long double>(x))) < 0.82);
        REQUIRE(sine::sin(x) == Approx(std::sin(x)).epsilon(2.3e-16).margin(1e-300));
        REQUIRE(sine::cos(x) == Approx(std::cos(x)).epsilon(2.3e-16).margin(1e-300));
    }
}

TEST_CASE("sin and cos of special numbers", "[signal][sine]") {
    CHECK(sine::sin(0) == 0);
    CHECK(sine::cos(0) == 1);
    CHECK(std::isnan(sine::sin(HUGE_VAL)));
    CHECK(std::isnan(sine::cos(NAN)));
    CHECK(sine::sin(1e22) == std::sin(1e22));
    CHECK(sine::sin(1e-300) == 1e-300);
}
