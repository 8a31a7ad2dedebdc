// Steps that are confirmed by the equations: series that vanish where they are expanded.
#include "tests/engine/run.hpp"

#include <fmt/format.h>

using namespace deltaflow;
using namespace deltaflow::engine_test;

namespace {

// The integral of a function of t from 0 to `stop`.
double integral(const std::string& function, const std::string& stop) {
    const Trace trace =
        run(fmt::format("[blocks]\nx = {{ type = \"integrator\", in = \"{}\" }}\n[simulation]\n"
                        "stop = \"{}\"\n",
                        function, stop));
    return last_sample(trace, "x");
}

// Where a function of t crosses zero.
std::vector<double> crossings(const std::string& function, double stop) {
    const Trace trace =
        run(fmt::format("[blocks]\nk = {{ type = \"crossing\", in = \"{}\" }}\n[simulation]\n"
                        "stop = {}\n",
                        function, stop));
    return times_of(trace, "k");
}

// The integral of sin^n over half a period.
double wallis(int n) { return std::sqrt(M_PI) * std::tgamma(0.5 * (n + 1)) / std::tgamma(0.5 * n + 1); }

}  // namespace

TEST_CASE("Powers of any degree are integrated", "[engine][confirmed]") {
    for (const int n : {9, 23, 24, 25, 31, 63, 64, 70, 200}) {
        INFO(n);
        CHECK(integral(fmt::format("t^{}", n), "2") / (std::pow(2, n + 1) / (n + 1)) == close_to(1));
        CHECK(integral(fmt::format("(1 - t)^{}", n), "1") * (n + 1) == close_to(1));
    }
    // Beta(61, 61): the terms of the expansion at 1/2 outweigh the polynomial by 2^60
    CHECK(integral("(t*(1 - t))^60", "1") / (std::pow(std::tgamma(61), 2) / std::tgamma(122)) == close_to(1));
}

TEST_CASE("Powers of a sine are integrated", "[engine][confirmed]") {
    for (const int n : {24, 30, 50, 100}) {
        INFO(n);
        CHECK(integral(fmt::format("sin(t)^{}", n), "4*pi") == close_to(4 * wallis(n)));
        CHECK(integral(fmt::format("cos(3*t)^{}", n), "2*pi") == close_to(2 * wallis(n)));
    }
}

TEST_CASE("A steep function far from its step is integrated", "[engine][confirmed]") {
    CHECK(integral("1 + tanh(5*(t - 5))", "10") == close_to(10));
    CHECK(integral("1 + tanh(300*(t - 7.25))", "10") == close_to(2 * (10 - 7.25)));
    CHECK(integral("1/(1 + exp(-200*(t - 3.1)))", "5") == close_to(5 - 3.1));
    CHECK(integral("tanh(1000*(t - 5.01)) - tanh(1000*(t - 5.02))", "10") == close_to(0.02));
    CHECK(integral("atan(1e4*(t - 3))", "6") == close_to(0, 1e-11));
}

// The slope of t's rounding is what limits them: 1e-16 t / width.
TEST_CASE("Bumps are integrated wherever they are", "[engine][confirmed]") {
    for (const double at : {20.0, 17.3, 3.21, 38.9})
        for (const double sharpness : {1.0, 10.0, 100.0, 1000.0}) {
            INFO(at << " " << sharpness);
            const double x = integral(fmt::format("exp(-({}*(t - {}))^2)", sharpness, at), "40");
            const double whole = std::erf(sharpness * at) + std::erf(sharpness * (40 - at));
            CHECK(2 * x * sharpness / std::sqrt(M_PI) / whole == close_to(1, 1e-10));
        }
    CHECK(integral("exp(-1e6*(t - 500)^2)", "1000") * 1e3 / std::sqrt(M_PI) == close_to(1, 1e-9));
    const double lorentz = (std::atan(6.7e3) + std::atan(3.3e3)) / 1e3;
    CHECK(integral("1/(1 + 1e6*(t - 3.3)^2)", "10") / lorentz == close_to(1));
}

TEST_CASE("Branches of what is small for long are taken", "[engine][confirmed]") {
    CHECK(integral("min(t^30, t)", "2") == close_to(1.0 / 31 + 1.5));
    CHECK(integral("max(t^130, t)", "1.1") / (0.5 + (std::pow(1.1, 131) - 1) / 131) == close_to(1));
    CHECK(integral("heaviside(exp(-1e4*(t - 5.37)^2) - 0.5)", "10") ==
          close_to(2 * std::sqrt(std::log(2)) / 100));
    CHECK(integral("max(exp(-1e4*(t - 5.37)^2), 0.5) - 0.5", "10") ==
          close_to((std::sqrt(M_PI) * std::erf(std::sqrt(std::log(2))) - std::sqrt(std::log(2))) / 100));
    CHECK(integral("abs(tanh(200*(t - 3.3)))", "5") == close_to(5 - 2 * std::log(2) / 200));
}

// All 24 rungs are zero where the sine is: no side shows, and yet it leaves to the other one.
TEST_CASE("A branch follows a root of more orders than the series has", "[engine][confirmed]") {
    for (const int n : {25, 47, 61}) {
        INFO(n);
        CHECK(integral(fmt::format("abs(sin(3*t)^{})", n), "2*pi") == close_to(2 * wallis(n)));
        CHECK(integral(fmt::format("max(sin(t)^{}, 0)", n), "4*pi") == close_to(2 * wallis(n)));
    }
}

TEST_CASE("Crossings of what is flat for long are found", "[engine][confirmed]") {
    CHECK(crossings("(t/1.5)^200 - 1", 2) == std::vector<double>{1.5});
    CHECK(crossings("sin(t)^40 - 0.5", 20).size() == 12);
    const double half = std::sqrt(std::log(2)) / 100;
    const auto bump = crossings("exp(-1e4*(t - 5.37)^2) - 0.5", 10);
    REQUIRE(bump.size() == 2);
    CHECK(bump[0] == close_to(5.37 - half));
    CHECK(bump[1] == close_to(5.37 + half));
}

TEST_CASE("Inputs of delays and unknowns of loops are confirmed", "[engine][confirmed]") {
    const Trace delayed = run(R"toml(
[blocks]
bump = "exp(-1e4*(t - 3.3)^2)"
late = { type = "delay", in = "bump", by = 2.5 }
x    = { type = "integrator", in = "late" }
[simulation]
stop = 10
)toml");
    CHECK(last_sample(delayed, "x") * 100 / std::sqrt(M_PI) == close_to(1, 1e-11));
    // y + y^3 = 2 bump passes y = 1/2 where the bump is 5/16
    const Trace loop = run(R"toml(
[blocks]
y = "2*exp(-1e4*(t - 3.3)^2) - y^3"
k = { type = "crossing", in = "y - 0.5" }
[simulation]
stop = 10
)toml");
    const double half = std::sqrt(std::log(16.0 / 5)) / 100;
    check_times(loop, "k", {3.3 - half, 3.3 + half});
}

// Where a signal turns fast, the rounding of the time moves it by more than the tolerance allows.
TEST_CASE("Fast delayed signals are not held against the rounding of the time", "[engine][confirmed]") {
    const Trace trace = run(R"toml(
[blocks]
x = { type = "integrator", in = "2.48" }
d = { type = "delay", in = "sin(1.5*(1 + x^2)^2.5 - 1)", by = 0.5 }
y = "max(d, 2*d)"
[simulation]
stop = 2
)toml");
    const double x = 2.48 * 1.5;
    CHECK(last_sample(trace, "d") == close_to(std::sin(1.5 * std::pow(1 + x * x, 2.5) - 1), 1e-10));
}

TEST_CASE("A root of several orders is placed where its condition has it", "[engine][confirmed]") {
    for (const double at : {0.99, 1.0, 1.125, 1.37}) {
        INFO(at);
        const auto times = crossings(fmt::format("sin(t - {0}) - (t - {0})", at), 2);
        REQUIRE(times.size() == 1);
        CHECK(times[0] == close_to(at, 1e-9));
    }
}

TEST_CASE("What leaves zero leaves it in time", "[engine][confirmed]") {
    const Trace trace = run(R"toml(
[blocks]
x = { type = "integrator", in = "50*x*(1 - x)", initial = 1e-40 }
k = { type = "crossing", in = "x - 0.5" }
[simulation]
stop = 4
)toml");
    check_times(trace, "k", {40 * std::log(10) / 50});
    CHECK(last_sample(trace, "x") == close_to(1));
}
