// Comparisons in expressions, and conditions where one is read.
#include "engine/exact.hpp"
#include "tests/engine/run.hpp"

namespace deltaflow::engine_test {

namespace {

const std::vector<std::string> all_methods{"taylor", "dopri5", "rk4", "euler", "rosenbrock4"};

// What one expression does between 0 and 2.
Trace run_one(const std::string& expression, const Changes& set = {}) {
    return run("[blocks]\nH = { type = \"step\", at = 1 }\ny = \"" + expression +
                   "\"\n[simulation]\nstop = 2\nrecord = [\"y\"]\n",
               {0.5, 1, 1.5}, set);
}

void check_sides(const std::string& expression, double before, double after) {
    INFO(expression);
    const Trace trace = run_one(expression);
    CHECK(sample(trace, "y", 0.5) == before);
    CHECK(sample(trace, "y", 1) == after);
    CHECK(sample(trace, "y", 1.5) == after);
    CHECK(times_of(trace, "y").size() == (before == after ? 0 : 1));
}

}  // namespace

TEST_CASE("a comparison is 1 or 0, and its change is located") {
    for (const std::string& method : all_methods) {
        INFO(method);
        const Trace trace = run(R"toml(
[blocks]
x = "sin(t)"
y = "2*(x > 0.5) + (t >= 3 and x < 0)"
[simulation]
stop = 6
step = 0.001
record = ["y"]
)toml",
                                {0.1, 1, 3.1, 3.2}, {{"simulation.method", method}});
        const double pi = 3.141592653589793;
        CHECK(sample(trace, "y", 0.1) == 0);
        CHECK(sample(trace, "y", 1) == 2);
        CHECK(sample(trace, "y", 3.1) == 0);
        CHECK(sample(trace, "y", 3.2) == 1);
        check_times(trace, "y", {pi / 6, 5 * pi / 6, pi}, 1e-9);
    }
}

TEST_CASE("the germ decides where both sides are equal") {
    check_sides("t >= 1", 0, 1);
    check_sides("t > 1", 0, 1);
    check_sides("t <= 1", 1, 0);
    check_sides("t < 1", 1, 0);
    check_sides("H > 0", 0, 1);
    check_sides("H >= 1", 0, 1);
    check_sides("H > 1", 0, 0);
    check_sides("H <= 0", 1, 0);
    check_sides("H < 1", 1, 0);
}

TEST_CASE("equal are signals only where they stay equal") {
    check_sides("t == 1", 0, 0);
    check_sides("t != 1", 1, 1);
    check_sides("H == 1", 0, 1);
    check_sides("H != 1", 1, 0);
    check_sides("H == 0", 1, 0);
    check_sides("2*t - t == t", 1, 1);
}

TEST_CASE("and, or, not take signals that are 1 or 0 as they say") {
    check_sides("H and t < 3", 0, 1);
    check_sides("not H", 1, 0);
    check_sides("H or not H", 1, 1);
    check_sides("not (H and not (t < 1))", 1, 0);
}

TEST_CASE("what a condition does not ask is not held against the model") {
    const Trace trace = run_one("if(t > 1.25 and 1/(t - 1) > 3, 5, 7)");
    CHECK(sample(trace, "y", 0.5) == 7);
    CHECK(sample(trace, "y", 1.5) == 7);
    check_times(trace, "y", {1.25, 4.0 / 3});
}

TEST_CASE("comparisons on samples of numeric impulses") {
    for (const std::string expression : {"H == 1", "H >= 1", "t > 1", "H and t < 3"}) {
        INFO(expression);
        const Trace trace =
            run_one(expression, {{"simulation.impulses", "numeric"}, {"simulation.step", "1/64"}});
        CHECK(sample(trace, "y", 0.5) == 0);
        CHECK(sample(trace, "y", 1.5) == 1);
    }
}

TEST_CASE("an impulse in a comparison is not defined") {
    const Trace trace = try_run(R"toml(
[blocks]
d = { type = "impulse", at = 1 }
y = "d > 0"
[simulation]
stop = 2
)toml");
    REQUIRE(trace.errors.size() == 1);
    CHECK(exit_code(trace.errors[0].kind) == 4);
}

TEST_CASE("switch, decision and assert read conditions") {
    const std::string text = R"toml(
[blocks]
n = { type = "step", at = 1, size = 3 }
a = { type = "switch", in = "n < 3" }
b = { type = "switch", in = "n" }
c = { type = "decision", if = "n > 0 and n <= 3", then = "10", else = "20" }
d = { type = "decision", if = "2 > 1", then = "n", else = "20" }
e = { type = "assert", in = "n == 0 or n == 3" }
f = { type = "assert", in = "n" }
[simulation]
stop = 2
)toml";
    const Trace trace = run(text, {0.5, 1});
    CHECK(sample(trace, "a", 0.5) == 1);
    CHECK(sample(trace, "a", 1) == 0);
    CHECK(sample(trace, "b", 0.5) == 1);
    CHECK(sample(trace, "c", 0.5) == 20);
    CHECK(sample(trace, "c", 1) == 10);
    CHECK(sample(trace, "d", 1) == 3);
    CHECK(sample(trace, "e", 1) == 1);
    CHECK(sample(trace, "f", 1) == 3);
    const Trace fails = try_run("[blocks]\ny = { type = \"assert\", in = \"t*t < 2\", message = \"m\" }\n");
    REQUIRE(fails.errors.size() == 1);
    CHECK(exit_code(fails.errors[0].kind) == 8);
    CHECK(fails.errors[0].t == close_to(std::sqrt(2.0)));
}

TEST_CASE("a condition that is 1 or 0 is warned of where it is read as a signal") {
    const auto warnings = [](const std::string& condition) {
        return check(model_of("[blocks]\nflag = \"t > 1\"\ny = \"if(" + condition + ", 1, 2)\"\n")).warnings;
    };
    REQUIRE(warnings("flag").size() == 1);
    CHECK(warnings("flag")[0].message.find("compare it") != std::string::npos);
    CHECK(warnings("flag > 0").empty());
    CHECK(warnings("flag and t < 2").empty());
}

TEST_CASE("parameters may be compared, too") {
    const Trace trace = run(R"toml(
[parameters]
n = 3
big = "n > 2 and not (n == 4)"
k = "if(n < 3, 1, 2)"
[blocks]
y = "big + 10*k + 100*(n >= 3)"
[simulation]
stop = 1
)toml");
    CHECK(last_sample(trace, "y") == 121);
}

TEST_CASE("comparisons in closed form") {
    const FractionBook book;
    const ExactTrace trace = run_exactly(model_of(R"toml(
[blocks]
y = "t^2 > 2 or t == 5"
[simulation]
stop = 2
)toml"),
                                         book);
    REQUIRE(trace.errors.empty());
    REQUIRE(trace.signals[0].pieces.size() == 2);
    CHECK(to_double(trace.signals[0].pieces[1].from) == std::sqrt(2.0));
}

}  // namespace deltaflow::engine_test
