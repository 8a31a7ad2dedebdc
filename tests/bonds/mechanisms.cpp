// Mechanisms: inertias behind modulated transformers, whose ratios pass through zero.
#include "engine/solve/steppers/stepper.hpp"
#include "tests/engine/run.hpp"

#include <fmt/format.h>

using namespace deltaflow;
using namespace deltaflow::engine_test;

namespace {

// A point of mass 0.8 on a rod of 1.3 without mass, made of two inertias and an angle; `first` stands first.
std::string pendulum(const std::string& first, const std::string& second, double angle, double rate) {
    return fmt::format(R"toml(
[parameters]
l = 1.3
m = 0.8
[blocks]
th = {{ type = "integrator", in = "w.flow", initial = {2} }}
[elements]
{0} = {{ type = "I", value = "m", momentum = "m*l*{3}*{4}({2})" }}
{1} = {{ type = "I", value = "m", momentum = "m*l*{3}*{5}({2})" }}
w = {{ type = "1" }}
x = {{ type = "1" }}
y = {{ type = "1" }}
arm_x = {{ type = "MTF", ratio = "l*cos(th)" }}
arm_y = {{ type = "MTF", ratio = "l*sin(th)" }}
weight = {{ type = "Se", effort = "-9.81*m" }}
[bonds]
b1 = "w -> arm_x"
b2 = "arm_x -> x"
b3 = "w -> arm_y"
b4 = "arm_y -> y"
b5 = "x -> mx"
b6 = "y -> my"
b7 = "weight -> y"
[simulation]
stop = 6
record = ["th", "w.flow", "total.energy"]
)toml",
                       first, second, angle, rate, first == "mx" ? "cos" : "sin",
                       first == "mx" ? "sin" : "cos");
}

// th'' = -g/l sin(th) by steps of Runge and Kutta so small that twelve digits are right.
double angle_after(double time, double angle, double rate) {
    const int steps = 60000;
    const double h = time / steps, k = -9.81 / 1.3;
    for (int i = 0; i < steps; ++i) {
        const double a1 = rate, b1 = k * std::sin(angle);
        const double a2 = rate + h / 2 * b1, b2 = k * std::sin(angle + h / 2 * a1);
        const double a3 = rate + h / 2 * b2, b3 = k * std::sin(angle + h / 2 * a2);
        const double a4 = rate + h * b3, b4 = k * std::sin(angle + h * a3);
        angle += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        rate += h / 6 * (b1 + 2 * b2 + 2 * b3 + b4);
    }
    return angle;
}

}  // namespace

TEST_CASE("A pendulum of two masses and an angle swings through all angles, in any order", "[bonds]") {
    for (const double angle : {1.0, 2.6})
        for (const double rate : {0.0, 2.0})
            for (const bool x_first : {true, false}) {
                INFO("from " << angle << " at " << rate << (x_first ? ", mx" : ", my") << " first");
                const Trace trace = run(pendulum(x_first ? "mx" : "my", x_first ? "my" : "mx", angle, rate));
                CHECK(trace.events.empty());
                const double end = last_sample(trace, "th");
                CHECK(end == close_to(angle_after(6, angle, rate), 1e-9));
                const double gained = 0.8 * 9.81 * 1.3 * (std::cos(end) - std::cos(angle));
                CHECK(last_sample(trace, "total.energy") ==
                      close_to(0.4 * 1.69 * rate * rate + gained, 1e-10));
            }
}

TEST_CASE("A pendulum of two masses swings by every method", "[bonds][slow]") {
    const double end = angle_after(6, 1, 2);
    for (const char* method : {"dopri5", "rk4", "rosenbrock4", "cvode"}) {
        if (std::string_view(method) == "cvode" && !has_cvode()) continue;
        INFO(method);
        const Trace trace = run(pendulum("my", "mx", 1, 2), {}, {{"simulation.method", method}});
        CHECK(last_sample(trace, "th") == close_to(end, 1e-7));
    }
    const Trace samples = run(pendulum("my", "mx", 1, 2), {},
                              {{"simulation.impulses", "numeric"}, {"simulation.step", "1/5000"}});
    CHECK(last_sample(samples, "th") == close_to(end, 0.05));
}

TEST_CASE("A pendulum that starts against its rod moves with the part along its circle", "[bonds]") {
    std::string text = pendulum("my", "mx", 1, 0);
    const std::string given = "momentum = \"m*l*0*cos(1)\"";
    text.replace(text.find(given), given.size(), "momentum = 1.0");
    const Trace trace = run(text);
    CHECK(sample(trace, "w.flow", 0) == close_to(std::cos(1.0) / (0.8 * 1.3)));
    const double lost = 0.5 / 0.8 * std::sin(1.0) * std::sin(1.0);
    check_once(trace, "total.energy", 0, 0.5 / 0.8, 0.5 / 0.8 - lost);
}
