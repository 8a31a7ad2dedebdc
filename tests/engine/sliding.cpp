// Sliding: branch blocks that are held between their two sides, against closed forms.
#include "engine/solve/steppers/stepper.hpp"
#include "tests/engine/run.hpp"

using namespace deltaflow;
using namespace deltaflow::engine_test;

namespace {

struct Slide {
    std::string block;
    double from, to;
};

void check_sliding(const Trace& trace, const std::vector<Slide>& wanted, double tolerance = twelve_digits) {
    REQUIRE(trace.sliding.size() == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        INFO("interval " << i);
        CHECK(trace.sliding[i].block == wanted[i].block);
        CHECK(trace.sliding[i].from == close_to(wanted[i].from, tolerance));
        CHECK(trace.sliding[i].to == close_to(wanted[i].to, tolerance));
    }
}

// Every event, with the one block that caused it.
void check_events(const Trace& trace, const std::vector<std::pair<double, std::string>>& wanted,
                  double tolerance = twelve_digits) {
    REQUIRE(trace.events.size() == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        INFO("event " << i);
        CHECK(trace.events[i].t == close_to(wanted[i].first, tolerance));
        CHECK(trace.causes_of(trace.events[i]) == std::vector<std::string>{wanted[i].second});
    }
}

const char* const resting = R"toml(
[blocks]
x = { type = "integrator", in = "-s", initial = 1 }
s = "sign(x)"
[simulation]
stop = 3
)toml";

// v' = t - 1 - 1.5 sign(v), from v = 1: it comes to rest where t^2 / 2 - 2.5 t + 1 = 0, and breaks away at
// 2.5.
const char* const friction = R"toml(
[blocks]
v = { type = "integrator", in = "F - R", initial = 1 }
x = { type = "integrator", in = "v" }
F = "t - 1"
R = "1.5 * sign(v)"
[simulation]
stop = 6
)toml";
const double at_rest = 2.5 - std::sqrt(4.25);

}  // namespace

TEST_CASE("what both sides drive to zero rests there", "[sliding]") {
    const Trace trace = run(resting, {0.5, 1, 2, 3});
    CHECK(sample(trace, "x", 0.5) == close_to(0.5));
    CHECK(std::abs(sample(trace, "x", 2)) < 1e-15);
    CHECK(std::abs(sample(trace, "x", 3)) < 1e-15);
    CHECK(std::abs(sample(trace, "s", 2)) < 1e-15);
    check_sliding(trace, {{"s", 1, 3}});
    check_events(trace, {{1, "s"}});
    check_once(trace, "s", 1, 1, 0);
}

TEST_CASE("sliding is an error for those who want it so", "[sliding]") {
    const Trace trace = try_run(resting, {}, {{"simulation.sliding", "error"}});
    REQUIRE(trace.errors.size() == 1);
    CHECK(trace.errors[0].kind == ErrorKind::no_progress);
    CHECK(trace.errors[0].t == close_to(1));
    CHECK(trace.errors[0].text.find("slides along a switching surface") != std::string::npos);
}

TEST_CASE("sliding ends where the output reaches a side", "[sliding]") {
    for (const char* const method : {"taylor", "auto", "dopri5", "rk4", "rosenbrock4", "cvode"}) {
        if (std::string(method) == "cvode" && !has_cvode()) continue;
        INFO(method);
        const double digits = std::string(method) == "taylor" || std::string(method) == "auto" ? 1e-12
                              : std::string(method) == "rosenbrock4"                           ? 1e-7
                                                                                               : 1e-8;
        const Trace trace =
            run(friction, {1, 2, 3, 6}, {{"simulation.method", method}, {"simulation.step", "1/1000"}});
        CHECK(std::abs(sample(trace, "v", 1)) < 1e-14);
        CHECK(std::abs(sample(trace, "v", 2)) < 1e-14);
        CHECK(sample(trace, "R", 1) == close_to(0, digits));
        CHECK(sample(trace, "R", 2) == close_to(1, digits));
        CHECK(sample(trace, "v", 3) == close_to(0.125, digits));
        CHECK(sample(trace, "v", 6) == close_to(3.5 * 3.5 / 2, digits));
        check_sliding(trace, {{"R", at_rest, 2.5}}, digits);
        check_events(trace, {{at_rest, "R"}, {2.5, "R"}}, digits);
    }
}

TEST_CASE("leaving a surface is an event though nothing jumps", "[sliding]") {
    const Trace trace = run(friction);
    REQUIRE(trace.events.size() == 2);
    CHECK(trace.events[1].jump_count == 0);
}

TEST_CASE("a surface that both sides pass in one direction is passed", "[sliding]") {
    const Trace trace = run(R"toml(
[blocks]
x = { type = "integrator", in = "2 * sign(x) - 3", initial = 1 }
[simulation]
stop = 2
)toml");
    CHECK(trace.sliding.empty());
    CHECK(last_sample(trace, "x") == close_to(-5));
}

TEST_CASE("a start on the surface slides from the start and is no event", "[sliding]") {
    for (const char* const drive : {"0", "0.5", "0.4 * sin(t)", "-0.7 * t / (1 + t)"}) {
        INFO(drive);
        const Trace trace =
            run("[blocks]\nx = { type = \"integrator\", in = \"d - s\" }\ns = \"sign(x)\"\nd = \"" +
                std::string(drive) + "\"\n[simulation]\nstop = 4\n");
        CHECK(trace.events.empty());
        check_sliding(trace, {{"s", 0, 4}});
        for (std::size_t i = 0; i < trace.t.size(); ++i) {
            CHECK(std::abs(samples_of(trace, "x")[i]) < 1e-15);
            CHECK(samples_of(trace, "s")[i] == close_to(samples_of(trace, "d")[i]));
        }
    }
}

TEST_CASE("a jump off the surface ends sliding, and it comes again", "[sliding]") {
    const Trace trace = run(R"toml(
[blocks]
x = { type = "integrator", in = "kick + 0.5 - s" }
s = "sign(x)"
kick = { type = "impulse", at = 2, size = 1 }
[simulation]
stop = 8
)toml");
    check_sliding(trace, {{"s", 0, 2}, {"s", 4, 8}});
    REQUIRE(trace.events.size() == 2);
    CHECK(trace.events[0].t == close_to(2));
    CHECK(trace.causes_of(trace.events[0]) == std::vector<std::string>{"kick", "s"});
    CHECK(trace.events[1].t == close_to(4));
    CHECK(sample(trace, "x", 3) == close_to(0.5));
}

TEST_CASE("a step of the drive that is too much ends sliding at once", "[sliding]") {
    const Trace trace = run(R"toml(
[blocks]
x = { type = "integrator", in = "d - s" }
s = "sign(x)"
d = { type = "pulse", at = 1, width = 1, size = 1.5 }
[simulation]
stop = 5
)toml");
    check_sliding(trace, {{"s", 0, 1}, {"s", 2.5, 5}});
    CHECK(sample(trace, "x", 2) == close_to(0.5));
}

TEST_CASE("the equivalent control of a sliding mode", "[sliding]") {
    // On x + v = 0 the control is u = -v, between -2 and 2, and x falls as exp(-t).
    const std::string model = R"toml(
[blocks]
x = { type = "integrator", in = "v", initial = 1 }
v = { type = "integrator", in = "u" }
u = "-2 * sign(x + v)"
[simulation]
stop = 40
)toml";
    // From (1, 0): v = -2 t, x = 1 - t^2, until 1 - t^2 = 2 t.
    const double t0 = std::sqrt(2.0) - 1, x0 = 2 * t0;
    for (const char* const method : {"taylor", "dopri5"}) {
        INFO(method);
        const Trace trace = run(model, {1, 2, 5, 40}, {{"simulation.method", method}});
        check_sliding(trace, {{"u", t0, 40}}, 1e-9);
        for (const double t : {1.0, 2.0, 5.0}) {
            CHECK(sample(trace, "x", t) == close_to(x0 * std::exp(-(t - t0)), 1e-10));
            CHECK(sample(trace, "u", t) == close_to(x0 * std::exp(-(t - t0)), 1e-10));
            CHECK(std::abs(sample(trace, "x", t) + sample(trace, "v", t)) < 1e-15);
        }
        CHECK(std::abs(sample(trace, "x", 40) + sample(trace, "v", 40)) < 1e-16);
    }
}

TEST_CASE("several surfaces at once", "[sliding]") {
    const Trace trace = run(R"toml(
[blocks]
x = { type = "integrator", in = "0.3 - sx", initial = 1 }
y = { type = "integrator", in = "-0.2 - sy + x + 0.5 * sx", initial = 2 }
sx = "sign(x)"
sy = "sign(y)"
[simulation]
stop = 6
)toml");
    // x falls by 0.7 up to 10/7; y' = -0.7 + 1 - 0.7 t up to there, then -1.05.
    const double t1 = 1 / 0.7, y1 = 2 + 0.3 * t1 - 0.35 * t1 * t1, t2 = t1 + y1 / 1.05;
    check_sliding(trace, {{"sx", t1, 6}, {"sy", t2, 6}});
    CHECK(last_sample(trace, "sx") == close_to(0.3));
    CHECK(last_sample(trace, "sy") == close_to(-0.05));
    CHECK(std::abs(last_sample(trace, "y")) < 1e-15);
}

TEST_CASE("surfaces that are reached together", "[sliding]") {
    const Trace trace = run(R"toml(
[blocks]
x = { type = "integrator", in = "-2 * sign(x) + sign(y)", initial = 1 }
y = { type = "integrator", in = "-2 * sign(y) + sign(x)", initial = 1 }
[simulation]
stop = 3
)toml");
    check_sliding(trace, {{"x", 1, 3}, {"y", 1, 3}});
    CHECK(std::abs(last_sample(trace, "x")) < 1e-15);
    CHECK(std::abs(last_sample(trace, "y")) < 1e-15);
}

TEST_CASE("blocks with one condition have one weight", "[sliding]") {
    // Filippov's field on x + y = 0: w (-1, 0.5 - y) + (1 - w) (2, 1 + y) with the sum of both zero.
    const std::string one = R"toml(
[blocks]
x = { type = "integrator", in = "if(x + y, -1, 2)", initial = 1 }
y = { type = "integrator", in = "if(2 * x + 2 * y, 0.5 - y, 1 + y)", initial = 0.25 }
[simulation]
stop = 3
)toml";
    const std::string other = R"toml(
[blocks]
w = "0.5 + 0.5 * sign(-3 * (x + y))"
x = { type = "integrator", in = "-1 + 3 * w", initial = 1 }
y = { type = "integrator", in = "0.5 - y + w * (0.5 + 2 * y)", initial = 0.25 }
[simulation]
stop = 3
)toml";
    const Trace a = run(one), b = run(other);
    REQUIRE(!a.sliding.empty());
    CHECK(a.sliding[0].block == "x");
    CHECK(a.sliding[1].block == "y");
    CHECK(a.sliding[0].from == close_to(b.sliding[0].from));
    for (std::size_t i = 0; i < a.t.size(); ++i) {
        CHECK(samples_of(a, "x")[i] == close_to(samples_of(b, "x")[i]));
        CHECK(samples_of(a, "y")[i] == close_to(samples_of(b, "y")[i]));
    }
}

TEST_CASE("every kind of branch can be held", "[sliding]") {
    // Each is a relay between 2 below and -1 above zero.
    for (const char* const relay : {"if(x, -1, 2)", "0.5 - 1.5 * sign(x)", "2 - 3 * heaviside(x)",
                                    "2 - 3 * if(x, 1, 0)", "-1 + 3 * heaviside(-x)"}) {
        INFO(relay);
        const Trace trace =
            run("[blocks]\nx = { type = \"integrator\", in = \"r + 0.25 * t\", initial = 1 }\nr = \"" +
                std::string(relay) + "\"\n[simulation]\nstop = 6\n");
        // 1 - t + t^2 / 8 = 0
        const double from = 4 - std::sqrt(8.0);
        check_sliding(trace, {{"r", from, 4}});
        CHECK(sample(trace, "r", 3) == close_to(-0.75));
        CHECK(sample(trace, "x", 6) == close_to(0.125 * 4));
    }
    const Trace trace = run(R"toml(
[blocks]
x = { type = "integrator", in = "2 - 3 * h", initial = 1 }
h = { type = "switch", in = "x" }
[simulation]
stop = 3
)toml");
    check_sliding(trace, {{"h", 1, 3}});
    CHECK(last_sample(trace, "h") == close_to(2.0 / 3));
}

// The weight of the branches is the solution of sin(exp(atan(u))) = 0, which Newton's method leaves for a
// place where the sine is swallowed by the weight.
TEST_CASE("sliding through functions that bend away from the surface", "[sliding]") {
    for (const char* const method : {"auto", "dopri5", "rk4", "rosenbrock4"}) {
        INFO(method);
        const Trace trace = run(R"toml(
[blocks]
x = { type = "integrator", in = "sin(exp(atan(u)))", initial = -2.21 }
u = "if(x - 0.59, 18, x)"
[simulation]
start = 2
stop = 12
)toml",
                                {}, {{"simulation.method", method}});
        CHECK(last_sample(trace, "x") == Approx(0.59).epsilon(1e-9));
        CHECK(last_sample(trace, "u") == Approx(std::tan(std::log(3.141592653589793))).epsilon(1e-9));
    }
}

TEST_CASE("a relay with a dead zone slides at its edges", "[sliding]") {
    const Trace trace = run(R"toml(
[blocks]
x = { type = "integrator", in = "0.5 * cos(t) - r" }
r = "if(x - 0.25, 1, if(-x - 0.25, -1, 0))"
[simulation]
stop = 6
)toml");
    // 0.5 sin(t) reaches 0.25 at pi/6; it slides up to pi/2, and so on below.
    REQUIRE(trace.sliding.size() == 2);
    const double pi = 3.141592653589793;
    CHECK(trace.sliding[0].from == close_to(pi / 6));
    CHECK(trace.sliding[0].to == close_to(pi / 2));
    // From there 0.25 + 0.5 (sin(t) - 1) falls to -0.25 at pi.
    CHECK(trace.sliding[1].from == close_to(pi));
    CHECK(trace.sliding[1].to == close_to(1.5 * pi));
}

TEST_CASE("a condition stays zero over long runs, on a curved surface", "[sliding][slow]") {
    const std::string model = R"toml(
[blocks]
c = "x^2 + y^2 - 1"
x = { type = "integrator", in = "-y - 2 * x * sign(c)", initial = 2 }
y = { type = "integrator", in = "x - 2 * y * sign(c)" }
[simulation]
stop = 200
)toml";
    for (const char* const method : {"taylor", "dopri5", "rk4"}) {
        INFO(method);
        const bool by_series = std::string(method) == "taylor";
        const Trace trace =
            run(model, {1, 10, 200}, {{"simulation.method", method}, {"simulation.step", "1/100"}});
        for (const double t : {1.0, 10.0, 200.0}) {
            CHECK(std::abs(sample(trace, "c", t)) < (by_series ? 1e-14 : 1e-11));
            CHECK(sample(trace, "x", t) == close_to(std::cos(t), by_series ? 1e-9 : 1e-4));
        }
    }
}

TEST_CASE("what jumps from branch to branch without a surface is still an error", "[sliding]") {
    const Trace trace = try_run("[blocks]\nx = \"if(x, -1, 1)\"\n");
    REQUIRE(trace.errors.size() == 1);
    CHECK(trace.errors[0].kind == ErrorKind::no_progress);
}

// x reaches the path t at 1/4; from there on one of its sides keeps it on the path by itself.
TEST_CASE("a path as steep as a relay is fast is followed, however the relay is written", "[sliding]") {
    for (const std::string relay : {"sign(x - t)", "2*heaviside(x - t) - 1", "if(x >= t, 1, -1)"})
        for (const std::string method : {"taylor", "dopri5", "rosenbrock4"}) {
            INFO(relay << " by " << method);
            const Trace trace =
                run("[blocks]\nx = { type = \"integrator\", in = \"-s\", initial = 0.5 }\ns = \"" + relay +
                        "\"\n[simulation]\nstop = 2\n",
                    {0.125, 1, 2}, {{"simulation.method", method}});
            CHECK(sample(trace, "x", 0.125) == close_to(0.375, 1e-9));
            CHECK(sample(trace, "x", 1) == close_to(1, 1e-9));
            CHECK(sample(trace, "x", 2) == close_to(2, 1e-9));
            CHECK(sample(trace, "s", 1) == close_to(-1, 1e-9));
        }
}

TEST_CASE("twisting accumulates", "[sliding]") {
    const Trace trace = try_run(R"toml(
[blocks]
x = { type = "integrator", in = "v", initial = 1 }
v = { type = "integrator", in = "-2 * sign(x) - sign(v)" }
[simulation]
stop = 20
)toml");
    CHECK(trace.end_reason == EndReason::zeno);
}

TEST_CASE("the second derivative of a condition may be what is held", "[sliding]") {
    const Trace trace = run(R"toml(
[blocks]
x = { type = "integrator", in = "v" }
v = { type = "integrator", in = "0.5 - u" }
u = "sign(x)"
[simulation]
stop = 3
)toml");
    check_sliding(trace, {{"u", 0, 3}});
    CHECK(last_sample(trace, "u") == close_to(0.5));
    CHECK(std::abs(last_sample(trace, "x")) < 1e-15);
}

TEST_CASE("the order of lines does not change what slides", "[sliding]") {
    const std::vector<std::string> lines = {
        "x = { type = \"integrator\", in = \"-2 * sx + sy + 0.3\", initial = 1 }",
        "y = { type = \"integrator\", in = \"sx - 2 * sy - 0.1 * x\", initial = 0.5 }", "sx = \"sign(x)\"",
        "sy = \"sign(y)\""};
    std::vector<int> order = {0, 1, 2, 3};
    std::optional<std::vector<double>> first;
    do {
        std::string model = "[blocks]\n";
        for (const int i : order) model += lines[static_cast<std::size_t>(i)] + "\n";
        const Trace trace = run(model + "[simulation]\nstop = 4\n");
        std::vector<double> seen;
        for (const SlidingInterval& s : trace.sliding) seen.insert(seen.end(), {s.from, s.to});
        for (const char* const name : {"x", "y", "sx", "sy"}) seen.push_back(last_sample(trace, name));
        if (!first) first = seen;
        REQUIRE(seen.size() == first->size());
        for (std::size_t i = 0; i < seen.size(); ++i) CHECK(seen[i] == close_to((*first)[i]));
    } while (std::next_permutation(order.begin(), order.end()));
}
