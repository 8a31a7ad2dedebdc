// Ideal elements and sliding on samples (numeric impulses).
#include "tests/engine/run.hpp"

using namespace deltaflow;
using namespace deltaflow::engine_test;

TEST_CASE("on samples, too, bodies whose hops accumulate come to rest", "[ideal][numeric]") {
    const Trace trace = run(R"toml(
[mechanics]
ram = { type = "mass", at = "r", value = 5, position = 1.5 }
pile = { type = "mass", at = "p", value = 20 }
g1 = { type = "force", at = "r", value = "-9.81*5" }
g2 = { type = "force", at = "p", value = "-9.81*20" }
k = { type = "contact", between = "r p", size = 0.5, restitution = 0.1 }
soil = { type = "friction", between = "p ground", level = 600, static = 900 }
[simulation]
stop = 1.5
impulses = "numeric"
step = 1e-3
record = ["r.position", "r.velocity", "p.position"]
)toml");
    CHECK(last_sample(trace, "p.position") == Approx(-0.02765).margin(1e-3));
    CHECK(last_sample(trace, "r.position") - last_sample(trace, "p.position") == Approx(0.5).margin(1e-5));
    CHECK(std::abs(last_sample(trace, "r.velocity")) < 1e-2);
}

TEST_CASE("a contact that opens is not held shut by what its closing left", "[ideal][numeric]") {
    const std::string text = R"toml(
[mechanics]
m = { type = "mass", at = "y", value = 1 }
g = { type = "force", at = "y", value = "-9.81 + 15*sin(30*t)" }
k = { type = "contact", between = "y ground" }
h = { type = "mass", at = "x", value = 1, velocity = 1 }
p = { type = "force", at = "x", value = "3*sin(7*t)" }
f = { type = "friction", between = "x ground", mu = 0.3, normal = "k" }
[simulation]
stop = 2
record = ["x.position", "y.position"]
)toml";
    const Trace exact = run(text);
    for (const char* step : {"1e-3", "1e-4", "3e-5"}) {
        INFO(step);
        const Trace trace = run(text, {}, {{"simulation.impulses", "numeric"}, {"simulation.step", step}});
        for (const char* signal : {"x.position", "y.position"})
            CHECK(last_sample(trace, signal) ==
                  Approx(last_sample(exact, signal)).margin(10 * std::stod(step)));
    }
}

TEST_CASE("relays that slide together chatter on samples within the step", "[sliding][numeric]") {
    const std::string text = R"toml(
[blocks]
a = { type = "integrator", in = "-2*sign(a) - 0.5*sign(b) + 0.3*cos(t)", initial = 1 }
b = { type = "integrator", in = "0.4*sign(a) - 3*sign(b) + 0.5*sin(2*t)", initial = -2 }
[simulation]
stop = 3
)toml";
    const Trace trace = run(text, {}, {{"simulation.impulses", "numeric"}, {"simulation.step", "1e-3"}});
    for (const char* signal : {"a", "b"}) CHECK(std::abs(last_sample(trace, signal)) < 5e-3);
}
