// Instants: what fires, what does not, and the order of things at one time.
#include "tests/engine/run.hpp"

#include <fmt/format.h>

namespace deltaflow::engine_test {

TEST_CASE("A jump across zero fires an infinitesimal later", "[engine][instant]") {
    const Trace trace = run(R"toml(
[blocks]
u = { type = "step", at = 1, size = 3, initial = -1 }
up = { type = "crossing", in = "u", direction = "rising" }
down = { type = "crossing", in = "u", direction = "falling" }
n = { type = "integrator", in = "up" }
)toml");
    check_once(trace, "u", 1, -1, 2);
    check_once(trace, "up", 1, 0, 0, {1});
    check_once(trace, "n", 1, 0, 1);
    CHECK(happenings(trace, "u")[0].epsilon == 0);
    CHECK(happenings(trace, "up")[0].epsilon == 1);
    CHECK(happenings(trace, "n")[0].epsilon == 1);
    CHECK(happenings(trace, "up")[0].causes == std::vector<std::string>{"up"});
    CHECK(happenings(trace, "down").empty());
}

TEST_CASE("pre keeps the value from before the instant, and only then", "[engine][instant]") {
    const Trace trace = run(R"toml(
[blocks]
kick = { type = "impulse", at = 1, size = 2 }
x = { type = "integrator", in = "1 + pre(x)*kick", initial = 1 }
before = "pre(x)"
)toml",
                            {0.5, 1, 2});
    check_once(trace, "x", 1, 2, 6);
    CHECK(sample(trace, "before", 0.5) == close_to(1.5));
    CHECK(sample(trace, "before", 2) == close_to(7));
}

TEST_CASE("A decision on pre takes effect at the next epsilon", "[engine][instant]") {
    const Trace trace = run(R"toml(
[blocks]
u = { type = "step", at = 1, size = 2, initial = -1 }
now = "if(u, 10, 20)"
later = "if(pre(u), 10, 20)"
)toml");
    check_once(trace, "now", 1, 20, 10);
    check_once(trace, "later", 1, 20, 10);
    CHECK(happenings(trace, "now")[0].epsilon == 0);
    CHECK(happenings(trace, "later")[0].epsilon == 1);
}

namespace {
// A block that reads x = t - 1 (or another signal of t), with its jump or kink at t = 1.
Trace around_one(const std::string& block, const std::string& x = "t - 1") {
    return run("[blocks]\nx = \"" + x + "\"\ny = " + block + "\nd = \"der(y)\"\n[simulation]\nstop = 2\n",
               {0.5, 0.75, 1, 1.25, 1.5, 2});
}
}  // namespace

TEST_CASE("Blocks with branches switch at the root of their condition", "[engine][instant]") {
    check_once(around_one(R"({ type = "switch", in = "x" })"), "y", 1, 0, 1);
    check_once(around_one(R"({ type = "sign", in = "x" })"), "y", 1, -1, 1);
    check_once(around_one(R"({ type = "decision", if = "x", then = "2 + t", else = "t^2" })"), "y", 1, 1, 3);
    check_once(around_one(R"({ type = "hysteresis", in = "x", low = -1, high = 0 })"), "y", 1, 0, 1);
    // Kinks: the slope jumps.
    check_once(around_one("'abs(x)'"), "d", 1, -1, 1);
    check_once(around_one("'min(x, 0)'"), "d", 1, 1, 0);
    check_once(around_one("'max(x, 2*x)'"), "d", 1, 1, 2);
    check_once(around_one(R"({ type = "saturate", in = "x", low = -5, high = 0 })"), "d", 1, 1, 0);
    check_once(around_one(R"({ type = "table", in = "x", x = [-2, 0, 2], y = [0, 2, 8] })"), "d", 1, 1, 3);
    check_once(around_one(R"({ type = "crossing", in = "x" })"), "y", 1, 0, 0, {1});
}

TEST_CASE("A root of third order switches, too", "[engine][instant]") {
    check_once(around_one(R"({ type = "sign", in = "x" })", "(t - 1)^3"), "y", 1, -1, 1);
    check_once(around_one(R"({ type = "crossing", in = "x" })", "(t - 1)^3"), "y", 1, 0, 0, {1});
    check_once(around_one(R"({ type = "crossing", in = "x" })", "sin(t-1) - (t-1)"), "y", 1, 0, 0, {1});
}

TEST_CASE("Touching zero makes no event", "[engine][instant]") {
    for (const char* x : {"(t - 1)^2", "-(t - 1)^2", "(t - 1)^4", "1 - cos(t - 1)", "cos(t - 1) - 1"})
        for (const char* y : {R"({ type = "crossing", in = "x" })", R"({ type = "switch", in = "x" })",
                              R"({ type = "decision", if = "x", then = "2", else = "1" })"}) {
            INFO(x << ", " << y);
            CHECK(around_one(y, x).events.empty());
        }
}

// Rounding parts a double root into two passages, one of which has the direction that is asked for.
TEST_CASE("Touching zero makes no event in either direction", "[engine][instant]") {
    for (const char* x :
         {"(t - 0.7)^2*(t - 5)", "-(t - 0.7)^2", "(t - 0.3)^4*exp(-t)", "cos(t)^4", "(t - 1)^4*(t - 5)^5"})
        for (const char* direction : {"rising", "falling", "both"}) {
            INFO(x << ", " << direction);
            const std::string y =
                fmt::format(R"({{ type = "crossing", in = "x", direction = "{}" }})", direction);
            CHECK(around_one(y, x).events.empty());
        }
}

TEST_CASE("A block that switches in two places at once is one cause", "[engine][instant]") {
    const auto list = happenings(run("[blocks]\ny = \"if(t - 1, 2, 1) + heaviside(t - 1)\"\n"), "y");
    REQUIRE(list.size() == 1);
    CHECK(list[0].causes == std::vector<std::string>{"y"});
}

// The root is found to rounding, and so the slope there is not quite zero.
TEST_CASE("A touch between other things makes no event", "[engine][instant]") {
    const Trace trace = run(R"toml(
[blocks]
y = "sign(heaviside(sin(3*t + 1) - (t - 2)) + (cos(2*t) + sin(t))/(2 + abs(2*t - 2)))"
[simulation]
stop = 1.6
)toml");
    CHECK(happenings(trace, "y").empty());
}

// The inverse cosine has an infinite slope there, whose rounding is infinite, too.
TEST_CASE("What does not jump makes no event at a branch point", "[engine][instant]") {
    CHECK(run("[blocks]\ny = \"acos(cos(t))\"\n[simulation]\nstop = 2\n").events.empty());
}

// Ten thousand times later the input is so large that its rounding there is larger than all of this.
TEST_CASE("What a long step comes to does not blur its beginning", "[engine][instant]") {
    const Trace trace = run(R"toml(
[blocks]
y = { type = "hysteresis", in = "0.001*t^8 + 0.5", low = 0.4, high = 2 }
[simulation]
stop = 1000
)toml");
    check_times(trace, "y", {std::pow(1500, 0.125)});
}

TEST_CASE("Two roots a millionth apart are both found, and none where there is none", "[engine][instant]") {
    const Trace two = around_one(R"({ type = "crossing", in = "x" })", "(t - 1)*(t - 1.000001)");
    check_times(two, "y", {1, 1.000001}, 1e-9);  // the roots are ill-conditioned: 1e-16 / 1e-6
    const Trace flips = around_one(R"({ type = "switch", in = "x" })", "(t - 1)*(t - 1.000001)");
    check_times(flips, "y", {1, 1.000001}, 1e-9);
    CHECK(around_one(R"({ type = "crossing", in = "x" })", "(t - 1)^2 + 1e-12").events.empty());
}

TEST_CASE("Roots against the direction make no instant", "[engine][instant]") {
    const std::string text = R"toml(
[blocks]
hit = { type = "crossing", in = "sin(t)", direction = "DIRECTION" }
[simulation]
stop = 10
)toml";
    const auto with = [&](const std::string& direction) {
        std::string t = text;
        return run(t.replace(t.find("DIRECTION"), 9, direction));
    };
    const double pi = 3.141592653589793;
    check_times(with("falling"), "hit", {pi, 3 * pi});
    check_times(with("rising"), "hit", {2 * pi});
    check_times(with("both"), "hit", {pi, 2 * pi, 3 * pi});
}

TEST_CASE("Crossings find every root of an oscillation, once", "[engine][instant]") {
    const Trace trace = run(R"toml(
[blocks]
v = { type = "integrator", in = "-400*x", initial = 20 }
x = { type = "integrator", in = "v" }
hit = { type = "crossing", in = "x" }
n = { type = "integrator", in = "hit" }
[simulation]
stop = 50
)toml");
    // x = sin(20 t): 1000 / pi = 318.3 roots after the start, where nothing fires.
    CHECK(last_sample(trace, "n") == 318);
    for (const Happening& h : happenings(trace, "hit")) {
        const double phase = h.t * 20 / 3.141592653589793;
        CHECK(std::abs(phase - std::round(phase)) < 1e-9);  // errors of x grow with the phase
    }
}

TEST_CASE("Events at the very start and at the very stop are carried out", "[engine][instant]") {
    const Trace trace = run(R"toml(
[blocks]
begin = { type = "impulse", at = 0, size = 2 }
end = { type = "impulse", at = 3, size = 5 }
x = { type = "integrator", in = "begin + end" }
root = { type = "crossing", in = "t - 3" }
none = { type = "crossing", in = "t" }
s = { type = "step", at = 3 }
[simulation]
stop = 3
)toml");
    const auto x = happenings(trace, "x");
    REQUIRE(x.size() == 2);
    CHECK(x[0].t == 0);
    CHECK(x[0].right == 2);
    CHECK(x[1].t == 3);
    CHECK(x[1].right == 7);
    CHECK(samples_of(trace, "x").front() == 2);
    CHECK(last_sample(trace, "x") == 7);
    check_once(trace, "root", 3, 0, 0, {1});
    check_once(trace, "s", 3, 0, 1);
    CHECK(happenings(trace, "none").empty());
}

TEST_CASE("What happens at the same time is one event", "[engine][instant]") {
    const Trace trace = run(R"toml(
[blocks]
a = { type = "impulse", at = 1 }
b = { type = "step", at = 1 }
c = { type = "crossing", in = "t^2 - 1" }
x = { type = "integrator", in = "a + b + c" }
apart = { type = "step", at = 1 }
)toml");
    REQUIRE(trace.events.size() == 1);
    CHECK(trace.events[0].t == 1);
    CHECK(happenings(trace, "x")[0].right == 2);
    CHECK(trace.jumps_of(trace.events[0]).size() == 5);
}

TEST_CASE("A chain of reactions is ordered by epsilon", "[engine][instant]") {
    const Trace trace = run(R"toml(
[blocks]
x0 = { type = "step", at = 1, size = 2, initial = -1 }
c0 = { type = "crossing", in = "x0" }
x1 = { type = "integrator", in = "2*c0", initial = -1 }
c1 = { type = "crossing", in = "x1" }
x2 = { type = "integrator", in = "2*c1", initial = -1 }
c2 = { type = "crossing", in = "x2" }
x3 = { type = "integrator", in = "c2" }
[simulation]
stop = 2
)toml");
    for (const auto& [name, epsilon] : {std::pair{"x0", 0U}, {"x1", 1U}, {"x2", 2U}, {"x3", 3U}}) {
        INFO(name);
        REQUIRE(happenings(trace, name).size() == 1);
        CHECK(happenings(trace, name)[0].epsilon == epsilon);
    }
    CHECK(last_sample(trace, "x3") == 1);
}

TEST_CASE("Far from zero time, events keep their digits", "[engine][instant]") {
    const Trace trace = run(R"toml(
[blocks]
a = "-9.81 + F"
F = "-1.8 * pre(v) * hit"
hit = { type = "crossing", in = "y", direction = "falling" }
v = { type = "integrator", in = "a" }
y = { type = "integrator", in = "v", initial = 10 }
kick = { type = "impulse", at = 1000001 }
n = { type = "integrator", in = "kick" }
[simulation]
start = 1e6
stop = 1000004
record = ["v", "n"]
)toml");
    const double first = std::sqrt(20 / 9.81);
    // One ulp of a million is 1.2e-10.
    check_times(trace, "v", {1e6 + first, 1e6 + first * (1 + 2 * 0.8)}, 1e-15);
    CHECK(happenings(trace, "v")[0].right == close_to(0.8 * 9.81 * first, 1e-8));
    CHECK(times_of(trace, "n") == std::vector<double>{1000001});
}

// 2/5 - t + 3/5 t^2 = 3/5 (t - 2/3) (t - 1); 1 is a quarter of the step.
TEST_CASE("A condition that dips below zero within a step is seen to dip", "[engine][instant]") {
    const Trace trace = run(R"toml(
[blocks]
c = { type = "polynomial", coefficients = ["2/5", -1, "3/5"] }
y = "if(c, 1, 0)"
[simulation]
stop = 4
)toml");
    check_times(trace, "y", {2.0 / 3, 1});
}

TEST_CASE("a crossing does not fire at the start, whatever jumps there", "[engine][instant]") {
    for (const char* mode : {"symbolic", "numeric"}) {
        CAPTURE(mode);
        const Trace trace = run(fmt::format(R"toml(
[blocks]
u = {{ type = "step", at = 0, initial = -1, size = 2 }}
d = {{ type = "impulse", at = 0, size = 2 }}
x = {{ type = "integrator", in = "d", initial = -1 }}
w = {{ type = "step", at = 1, initial = -1, size = 2 }}
n = {{ type = "integrator", in = "cu + cx + 10*cw" }}
cu = {{ type = "crossing", in = "u" }}
cx = {{ type = "crossing", in = "x" }}
cw = {{ type = "crossing", in = "w" }}
[simulation]
stop = 2
impulses = "{}"
step = "1/10"
record = ["n"]
)toml",
                                            mode));
        CHECK(last_sample(trace, "n") == close_to(10));
    }
}

}  // namespace deltaflow::engine_test
