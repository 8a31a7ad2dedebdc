// Roots of many orders: a series around another point has lost them in its rounding.
#include "tests/engine/run.hpp"

#include <fmt/format.h>

namespace deltaflow::engine_test {

namespace {

constexpr double pi = 3.14159265358979323846;

Trace crossing(const std::string& condition, double start, double stop,
               const std::string& direction = "both") {
    return run(fmt::format(R"toml(
[blocks]
c = {{ type = "crossing", in = "{}", direction = "{}" }}
[simulation]
start = {}
stop = {}
)toml",
                           condition, direction, start, stop));
}

}  // namespace

TEST_CASE("A touch of many orders switches nothing", "[engine][watch]") {
    for (const int power : {2, 4, 8, 20, 32, 102}) {
        CAPTURE(power);
        const Trace trace = run(fmt::format(R"toml(
[blocks]
c = "if(sin(3.062*t + 0.9)^{}, 1, 0)"
y = {{ type = "integrator", in = "c" }}
)toml",
                                            power));
        CHECK(times_of(trace, "c").empty());
        CHECK(last_sample(trace, "y") == close_to(10));
        check_times(crossing(fmt::format("sin(t)^{}", power), 0, 20), "c", {});
    }
    check_times(crossing("t^200", -1, 2), "c", {});
}

TEST_CASE("A crossing of many orders fires once, where it is", "[engine][watch]") {
    for (const int power : {3, 7, 9, 15}) {
        CAPTURE(power);
        check_times(crossing(fmt::format("(t - 0.37)^{}", power), 0, 2), "c", {0.37}, 1e-11);
        check_times(crossing(fmt::format("sinh(t - 3)^{}", power), 0, 10), "c", {3}, 1e-11);
        check_times(crossing(fmt::format("sin(t)^{}", power), 0.1, 20), "c",
                    {pi, 2 * pi, 3 * pi, 4 * pi, 5 * pi, 6 * pi}, 1e-11);
        check_times(crossing(fmt::format("sin(t)^{}", power), 0, 20, "rising"), "c", {2 * pi, 4 * pi, 6 * pi},
                    1e-11);
    }
    check_times(crossing("(t - 0.37)^63", 0, 2), "c", {0.37}, 1e-4);
}

TEST_CASE("Conditions count where they are tiny, too", "[engine][watch]") {
    check_times(crossing("sin(t)^31", 0.1, 10), "c", {pi, 2 * pi, 3 * pi}, 1e-9);
    check_times(crossing("exp(-t) - 1e-200", 0, 1000), "c", {200 * std::log(10.0)}, 1e-9);
}

TEST_CASE("Many roots in a row do not hand on their errors", "[engine][watch]") {
    std::string product = "1";
    std::vector<double> roots;
    for (int k = 1; k <= 40; ++k) {
        product += fmt::format("*(t - {})", k / 4.0);
        roots.push_back(k / 4.0);
    }
    check_times(crossing(product, 0, 11), "c", roots, 1e-11);
}

TEST_CASE("A branch may end where both of its expressions have a branch point", "[engine][watch]") {
    const Trace trace = run(R"toml(
[blocks]
y = "if(t - 5, sqrt(t - 5), sqrt(5 - t))"
[simulation]
every = 1
)toml");
    for (int k = 0; k <= 10; ++k) CHECK(sample(trace, "y", k) == close_to(std::sqrt(std::abs(k - 5.0))));
}

TEST_CASE("A pole that is touched ends fixed steps, too", "[engine][methods]") {
    const Trace trace = try_run(R"toml(
[blocks]
y = { type = "integrator", in = "1/(t - 3.3)^2" }
[simulation]
method = "rk4"
)toml");
    REQUIRE(trace.errors.size() == 1);
    CHECK(trace.errors[0].kind == ErrorKind::not_finite);
    CHECK(trace.errors[0].t == close_to(3.3, 1e-6));
}

TEST_CASE("A delayed bump is as exact as the method, whatever its steps", "[engine][methods]") {
    for (const std::string method : {"taylor", "dopri5", "rosenbrock4"})
        for (const double width : {0.3, 0.05, 0.03}) {
            CAPTURE(method, width);
            const Trace trace = run(fmt::format(R"toml(
[blocks]
b = "1 + exp(-((t - 4.2)/{})^2)"
d = {{ type = "delay", in = "b", by = 1.23456 }}
y = {{ type = "integrator", in = "d" }}
[simulation]
method = "{}"
)toml",
                                                width, method));
            double worst = 0;
            for (std::size_t i = 0; i < trace.t.size(); ++i) {
                const double s = (trace.t[i] - 1.23456 - 4.2) / width;
                if (trace.t[i] > 1.3)
                    worst = std::max(worst, std::abs(samples_of(trace, "d")[i] - 1 - std::exp(-s * s)));
            }
            CHECK(worst < 1e-12);
            const double end = (10 - 1.23456 - 4.2) / width, begin = 4.2 / width;
            const double area = 0.5 * std::sqrt(pi) * width * (std::erf(end) + std::erf(begin));
            CHECK(last_sample(trace, "y") == close_to(10 - 1.23456 + area, 1e-11));
        }
}

TEST_CASE("`absolute` brings what is smaller than any size that means something into sight",
          "[engine][watch]") {
    const Trace trace = run(R"toml(
[blocks]
c = { type = "crossing", in = "exp(-t) - 1e-200" }
[simulation]
stop = 1000
absolute = 1e-240
)toml");
    check_times(trace, "c", {200 * std::log(10.0)}, 1e-11);
}

}  // namespace deltaflow::engine_test
