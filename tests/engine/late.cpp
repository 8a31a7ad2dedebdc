// Runs that begin late, where times have few digits for what is short: only these digits may be lost.
#include "engine/solve/steppers/stepper.hpp"
#include "tests/engine/run.hpp"

#include <fmt/format.h>

namespace deltaflow::engine_test {

namespace {

std::vector<std::string> every_method() {
    std::vector<std::string> list{"taylor", "dopri5", "rosenbrock4", "rk4", "auto"};
    if (has_cvode()) list.push_back("cvode");
    return list;
}

Changes by(const std::string& method) {
    Changes set{{"simulation.method", method}};
    if (method == "rk4") set.emplace_back("simulation.step", "1e-12");
    return set;
}

}  // namespace

TEST_CASE("The rounding of times does not add up over the steps of a late run", "[engine][late]") {
    const char* const model = R"toml(
[blocks]
v = { type = "integrator", in = "-3.2e19 - 1.69*pre(v)*hit" }
y = { type = "integrator", in = "v", initial = 5 }
hit = { type = "crossing", in = "y", direction = "falling" }
[blocks.seen]
type = "unit_delay"
in = "v"
period = "1e-10"
[simulation]
start = 100
stop = "100 + 1e-9"
)toml";
    constexpr double g = 3.2e19, last = 1e-9;
    const double hit = std::sqrt(10 / g), after = last - hit;
    // A time is known to half a unit in its last place, 7e-15: of it three roundings act, stop, root and end.
    const double lost = 3 * 7.2e-15 * g;
    for (const std::string& method : every_method()) {
        INFO(method);
        const Trace trace = run(model, {}, by(method));
        CHECK(last_sample(trace, "v") == Approx(0.69 * g * hit - g * after).epsilon(0).margin(lost));
    }
}

TEST_CASE("A wave of a megahertz keeps its phase at the end of the world", "[engine][late]") {
    const char* const model = R"toml(
[blocks]
x = { type = "integrator", in = "2^20*y", initial = 1 }
y = { type = "integrator", in = "-2^20*x" }
[simulation]
start = 1048576
stop = "1048576 + 1/16384"
)toml";
    for (const std::string& method : every_method()) {
        if (method == "rk4") continue;
        INFO(method);
        const Trace trace = run(model, {}, {{"simulation.method", method}, {"simulation.tolerance", "1e-9"}});
        CHECK(last_sample(trace, "x") == Approx(std::cos(64.0)).margin(2e-6));
        CHECK(last_sample(trace, "y") == Approx(-std::sin(64.0)).margin(2e-6));
    }
}

TEST_CASE("Whole turns of a sine's phase take no digits from the time", "[engine][late]") {
    const char* const model = R"toml(
[blocks]
s = { type = "sine", omega = 0.5, phase = 1e40 }
x = { type = "integrator", in = "s" }
d = { type = "delay", in = "s", by = 1 }
[simulation]
stop = 4
)toml";
    const double phase = std::atan2(std::sin(1e40), std::cos(1e40));
    for (const std::string& method : every_method()) {
        INFO(method);
        const Trace trace = run(model, {}, {{"simulation.method", method}, {"simulation.step", "1/100"}});
        CHECK(last_sample(trace, "s") == Approx(std::sin(2 + phase)).margin(1e-9));
        CHECK(last_sample(trace, "x") == Approx(2 * (std::cos(phase) - std::cos(2 + phase))).margin(1e-9));
        CHECK(last_sample(trace, "d") == Approx(std::sin(1.5 + phase)).margin(1e-9));
    }
}

TEST_CASE("What touched zero at the start does not fall through it right behind", "[engine][late]") {
    const Trace trace = run(R"toml(
[blocks]
down = { type = "crossing", in = "cos(t) - 1", direction = "falling" }
x = { type = "integrator", in = "down", initial = 2 }
steep = { type = "table", in = "1e40*t - x", x = [-0.75, 0, 1.5], y = [1.25, 0, -0.5] }
[simulation]
stop = 1
)toml");
    CHECK(last_sample(trace, "x") == 2);
}

TEST_CASE("A delayed signal begins where it begins, however times round", "[engine][late]") {
    const char* const model = R"toml(
[blocks]
fast = { type = "integrator", in = "-1e9*fast", initial = 3 }
late = { type = "delay", in = "fast", by = "by", initial = 2.75 }
[parameters]
by = 1
[simulation]
stop = 40
)toml";
    for (const auto& [start, by] :
         {std::pair{"5.3746", "5.978"}, {"31.7336", "5.807"}, {"18.9828", "4.705"}}) {
        INFO(start);
        const Trace trace = run(model, {}, {{"simulation.start", start}, {"by", by}});
        const std::vector<Happening> jumps = happenings(trace, "late");
        REQUIRE(jumps.size() == 1);
        CHECK(jumps[0].left == 2.75);
        CHECK(jumps[0].right == 3);
    }
}

}  // namespace deltaflow::engine_test
