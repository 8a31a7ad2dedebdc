// What rests at zero, or passes it at the end of a step, up to rounding.
#include "tests/engine/run.hpp"

#include <fmt/format.h>

namespace deltaflow::engine_test {

TEST_CASE("a crossing of one direction is found after a root of the other at the end of a step",
          "[engine][watch]") {
    // The delay makes steps end at multiples of 1/2; the parabola passes zero at 1, falling, and at 3/2,
    // rising.
    const Trace trace = run(R"toml(
[blocks]
c = { type = "crossing", in = "(t - 1)*(t - 3/2)", direction = "rising" }
d = { type = "delay", in = "c", by = 0.5 }
n = { type = "integrator", in = "c" }
[simulation]
stop = 3
)toml");
    check_times(trace, "c", {1.5});
    check_times(trace, "d", {2});
    CHECK(last_sample(trace, "n") == close_to(1));
}

TEST_CASE("a state that rests at zero up to rounding flips no switch at a later event", "[engine][watch]") {
    for (int k = 1; k <= 40; ++k) {
        const std::string text = fmt::format(R"toml(
[blocks]
going = {{ type = "hysteresis", in = "x", low = 0, high = 100, initial = 1 }}
x = {{ type = "integrator", in = "-going/3", initial = "{}/7 + 1/10" }}
y = {{ type = "switch", in = "x" }}
z = {{ type = "hold", in = "x + t", period = "1/10" }}
[simulation]
stop = 25
record = ["y", "x"]
)toml",
                                             k);
        CAPTURE(k);
        const Trace trace = run(text);
        CHECK(happenings(trace, "y").empty());
        CHECK(last_sample(trace, "y") == 1);
        CHECK(std::abs(last_sample(trace, "x")) < 1e-13);
    }
}

TEST_CASE("a crossing on a multiple of a bouncing height fires with the bounce, down to small hops",
          "[engine][watch]") {
    const Trace trace = run(R"toml(
[blocks]
b = { type = "integrator", in = "v", initial = "11/4" }
v = { type = "integrator", in = "-10 - (1 + 2/3)*pre(v)*h", initial = -1.4 }
h = { type = "crossing", in = "b", direction = "falling" }
twice = "2*b"
c = { type = "crossing", in = "twice" }
n = { type = "integrator", in = "c" }
m = { type = "integrator", in = "h" }
[simulation]
stop = 3.62
)toml");
    CHECK(last_sample(trace, "n") == close_to(last_sample(trace, "m")));
    CHECK(last_sample(trace, "m") > 10);
}

}  // namespace deltaflow::engine_test
