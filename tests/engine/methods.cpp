// The same models by every method: what happens does not depend on how the flow is integrated.
#include "engine/solve/steppers/stepper.hpp"
#include "tests/engine/run.hpp"

#include <fmt/format.h>

namespace deltaflow::engine_test {

namespace {

// Every method but Euler's is asked for 1e-12 (or has a step for it); global errors of adaptive methods are a
// few hundred times the tolerance, and CVODE, with many orders and steps, loses the most.
constexpr double by_tolerance = 1e-8;
constexpr double by_order_4 = 1e-9;  // h^4 with h = 1e-3, times a constant
constexpr double by_euler = 5e-2;    // h with h = 1e-3, times the growth of the error

struct Plan {
    const char* name;
    const char* step;
    double tolerance;
};

std::vector<Plan> methods() {
    std::vector<Plan> list{{"taylor", "0.001", 1e-11},
                           {"dopri5", "0.001", by_tolerance},
                           {"rk4", "0.001", by_order_4},
                           {"rosenbrock4", "0.001", by_tolerance},
                           {"euler", "0.001", by_euler}};
    if (has_cvode()) list.push_back({"cvode", "0.001", by_tolerance});
    return list;
}

struct Example {
    const char* name;
    const char* text;
};

const std::vector<Example> examples{
    {"a bouncing ball", R"toml(
[blocks]
a = "-9.81 + F"
F = "-1.8 * pre(v) * hit"
hit = { type = "crossing", in = "y", direction = "falling" }
v = { type = "integrator", in = "a" }
y = { type = "integrator", in = "v", initial = 2 }
[simulation]
stop = 2
record = ["y", "v", "F"]
)toml"},
    {"an oscillator that is hit, with delta'", R"toml(
[blocks]
kick = { type = "impulse", train = [{ at = 0.5, size = 2 }, { at = 1.25, size = -0.25, order = 1 }] }
v = { type = "integrator", in = "-4*x - 0.2*v + kick" }
x = { type = "integrator", in = "v", initial = 1 }
[simulation]
stop = 2
record = ["x", "v"]
)toml"},
    {"a heater with hysteresis", R"toml(
[blocks]
T = { type = "integrator", in = "heat - T", initial = 0 }
heat = "2 * (1 - off)"
off = { type = "hysteresis", in = "T", low = 0.5, high = 1, initial = 0 }
[simulation]
stop = 3
record = ["T", "off"]
)toml"},
    {"a decision, a saturation and an algebraic loop", R"toml(
[blocks]
s = "sin(3*t)"
y = "0.5*y + x + if(s, 1, -1)"
x = { type = "integrator", in = "-x + z" }
z = { type = "saturate", in = "2*s", low = -1, high = 1 }
[simulation]
stop = 3
record = ["x", "y"]
)toml"},
    {"an integrator facing a derivative, driven by steps", R"toml(
[blocks]
u = { type = "pulse", at = 0.5, width = 0.75, size = 2 }
x = { type = "integrator", in = "u - x - der(y)" }
y = "0.5*x"
[simulation]
stop = 2
record = ["x", "y", "u"]
)toml"},
    {"a controller that samples", R"toml(
[blocks]
x = { type = "integrator", in = "k - x", initial = 1 }
k = { type = "hold", in = "-x", period = "1/4" }
[simulation]
stop = 2
record = ["x", "k"]
)toml"},
};

void check_alike(const Trace& trace, const Trace& wanted, double tolerance) {
    REQUIRE(trace.events.size() == wanted.events.size());
    for (std::size_t e = 0; e < wanted.events.size(); ++e) {
        INFO("event " << e);
        CHECK(trace.events[e].t == close_to(wanted.events[e].t, tolerance));
        CHECK(trace.causes_of(trace.events[e]) == wanted.causes_of(wanted.events[e]));
        const auto seen = trace.jumps_of(trace.events[e]), jumps = wanted.jumps_of(wanted.events[e]);
        REQUIRE(seen.size() == jumps.size());
        for (std::size_t j = 0; j < jumps.size(); ++j) {
            CHECK(seen[j].signal == jumps[j].signal);
            CHECK(seen[j].left == close_to(jumps[j].left, 20 * tolerance));
            CHECK(seen[j].right == close_to(jumps[j].right, 20 * tolerance));
            const auto impulses = wanted.impulses_of(jumps[j]);
            check_impulses(trace.impulses_of(seen[j]), {impulses.begin(), impulses.end()}, 20 * tolerance);
        }
    }
    for (std::size_t s = 0; s < wanted.signals.size(); ++s)
        CHECK(trace.samples[s].back() == close_to(wanted.samples[s].back(), 20 * tolerance));
}

Trace run_by(const char* text, const Plan& m, const char* step) {
    return run(text, {}, {{"simulation.method", m.name}, {"simulation.step", step}});
}

}  // namespace

TEST_CASE("Every method finds the same events, jumps, impulses and final values", "[engine]") {
    for (const Example& example : examples) {
        const Trace wanted = run(example.text);
        CHECK(wanted.events.size() >= 2);
        for (const Plan& m : methods()) {
            INFO(example.name << " by " << m.name);
            check_alike(run_by(example.text, m, m.step), wanted, m.tolerance);
        }
    }
}

TEST_CASE("Halving the step divides the error of Runge-Kutta by sixteen and that of Euler by two",
          "[engine]") {
    const char* text = R"toml(
[blocks]
kick = { type = "impulse", at = 0.5 }
v = { type = "integrator", in = "-sin(x) + kick" }
x = { type = "integrator", in = "v", initial = 1 }
[simulation]
stop = 2
record = ["x", "v"]
)toml";
    const double exact = last_sample(run(text), "x");
    const auto error = [&](const char* name, const char* step) {
        return std::abs(last_sample(run_by(text, {name, step, 0}, step), "x") - exact);
    };
    CHECK(error("rk4", "1/20") / error("rk4", "1/40") == Approx(16).epsilon(0.15));
    CHECK(error("euler", "1/400") / error("euler", "1/800") == Approx(2).epsilon(0.05));
}

TEST_CASE("A stiff model takes few steps by the methods that are made for it", "[engine]") {
    const char* text = R"toml(
[blocks]
x = { type = "integrator", in = "-10000*(x - cos(t)) + kick" }
kick = { type = "impulse", at = 1 }
[simulation]
stop = 2
tolerance = 1e-8
record = ["x"]
)toml";
    // x = a cos t + b sin t after the transients: a = 1e8/(1e8 + 1), b = 1e4/(1e8 + 1)
    const double wanted = (1e8 * std::cos(2.0) + 1e4 * std::sin(2.0)) / (1e8 + 1);
    for (const Plan& m : methods()) {
        if (m.name != std::string("rosenbrock4") && m.name != std::string("cvode")) continue;
        INFO(m.name);
        const Trace trace = run_by(text, m, m.step);
        CHECK(last_sample(trace, "x") == Approx(wanted).epsilon(1e-6));
        CHECK(trace.statistics.steps < 4000);
    }
}

TEST_CASE("A touch is no passage under any method", "[engine][methods]") {
    const char* text = R"toml(
[blocks]
a = { type = "assert", in = "(t - 1)^2" }
b = { type = "assert", in = "abs(sin(t))" }
c = { type = "crossing", in = "(t - 0.7)^2*(t - 5)", direction = "falling" }
[simulation]
stop = 4
)toml";
    for (const Plan& m : methods()) {
        INFO(m.name);
        CHECK(happenings(run_by(text, m, m.step), "c").empty());
    }
}

// At the end of the first step u is 1e21, and its rounding there larger than all that happens at the
// beginning.
TEST_CASE("A long first step blurs nothing under any method", "[engine][methods]") {
    const char* text = R"toml(
[blocks]
u = "0.001*t^8 + 0.5"
y = "if(2 - u, 1/(u + 1), 0)"
[simulation]
stop = 1000
record = ["y"]
)toml";
    for (const Plan& m : methods()) {
        if (m.name == std::string("euler") || m.name == std::string("rk4")) continue;  // a million steps
        INFO(m.name);
        check_times(run_by(text, m, m.step), "y", {std::pow(1500, 0.125)}, 1e-9);
    }
}

// Far before its step the slope is the rounding of 1 - 1, and the state is smaller still.
TEST_CASE("Slopes that are hardly more than rounding stop no method", "[engine][methods]") {
    const char* text = R"toml(
[blocks]
x = { type = "integrator", in = "1 + tanh(5*(t - 5))" }
[simulation]
stop = 10
)toml";
    for (const Plan& m : methods()) {
        INFO(m.name);
        CHECK(last_sample(run_by(text, m, m.step), "x") == close_to(10, 10 * m.tolerance));
    }
}

TEST_CASE("A blow-up ends the run under every method that chooses its steps", "[engine][methods][slow]") {
    for (const char* slope : {"x^2", "1000*x"})
        for (const Plan& m : methods()) {
            if (m.name == std::string("euler") || m.name == std::string("rk4")) continue;
            INFO(m.name << ", " << slope);
            const Trace trace =
                try_run(fmt::format("[blocks]\nx = {{ type = \"integrator\", in = \"{}\", "
                                    "initial = 1 }}\n[simulation]\nmethod = \"{}\"\n",
                                    slope, m.name));
            REQUIRE(trace.errors.size() == 1);
            CHECK(trace.errors[0].kind == ErrorKind::not_finite);
        }
}

// x = -2 - (t - 1/2)^2 from t = 1/2 on; the first steps after an instant are very short.
TEST_CASE("Every method keeps the slope of a delayed signal", "[engine][methods]") {
    const char* text = R"toml(
[blocks]
r = { type = "ramp", at = 0.5, slope = -2 }
x = { type = "integrator", in = "r", initial = -2 }
y = { type = "delay", in = "x", by = 1 }
d = "der(y)"
k = { type = "delay", in = "y", by = 0.5 }
[simulation]
stop = 4
record = ["d"]
)toml";
    for (const Plan& m : methods()) {
        if (m.name == std::string("euler")) continue;
        INFO(m.name);
        const Trace trace = run_by(text, m, m.step);
        CHECK(last_sample(trace, "d") == close_to(-5, 1e-9));
        check_once(trace, "d", 1, 0, 0, {-2});
    }
}

// A first step that is too long by six powers of ten is made shorter until it fits.
TEST_CASE("A very stiff model begins well under the default tolerance", "[engine][methods][slow]") {
    const char* text = R"toml(
[blocks]
x = { type = "integrator", in = "-1e6*(x - cos(t))" }
y = { type = "integrator", in = "x - y" }
[simulation]
stop = 3
record = ["y"]
)toml";
    const double wanted =
        (std::cos(3.0) + std::sin(3.0) - std::exp(-3.0)) / 2;  // but for what 1e6 is short of
    for (const Plan& m : methods()) {
        if (m.name != std::string("rosenbrock4") && m.name != std::string("cvode")) continue;
        INFO(m.name);
        CHECK(last_sample(run_by(text, m, m.step), "y") == Approx(wanted).epsilon(3e-6));
    }
}

TEST_CASE("A tiny state that is the difference of others does not hold up methods that choose their steps",
          "[engine][methods]") {
    // Two bodies are pushed alike; what bends the spring between them grows as t^4, and begins as rounding.
    const std::string model =
        "[blocks]\nu = {{ type = \"integrator\", in = \"1 - 10*x + 15*d\" }}\n"
        "v = {{ type = \"integrator\", in = \"1 - 7.5*d\" }}\nx = {{ type = \"integrator\", in = \"u\" }}\n"
        "d = {{ type = \"integrator\", in = \"v - u\" }}\n[simulation]\nstop = 1\nmethod = \"{}\"\n";
    const Trace reference = run(fmt::format(fmt::runtime(model), "taylor"));
    for (const Plan& m : methods()) {
        if (m.tolerance != by_tolerance) continue;
        INFO(m.name);
        const Trace trace = run(fmt::format(fmt::runtime(model), m.name));
        CHECK(trace.statistics.steps <
              10000);  // of order four: six times as many for a thousandth of the error
        CHECK(last_sample(trace, "d") == close_to(last_sample(reference, "d"), 1e-9));
    }
}

TEST_CASE("A method that this program was built without is refused", "[engine]") {
    if (has_cvode()) return;
    CHECK_THAT(refusal("[blocks]\nx = \"t\"\n[simulation]\nmethod = \"cvode\"\n"),
               Catch::Contains("SUNDIALS"));
}

}  // namespace deltaflow::engine_test
