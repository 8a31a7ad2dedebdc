// What stops a run: the exit code, the words, and that everything before is kept.
#include "tests/engine/run.hpp"

#include <fmt/format.h>

namespace deltaflow::engine_test {

namespace {

struct Failing {
    const char* blocks;
    int code;
    double t;
    const char* words;
    const char* settings = "";
};

// Tried with its message, its time and what is left of the trace.
void check_failure(const Failing& f) {
    INFO(f.blocks);
    const Trace trace = try_run(
        fmt::format("[blocks]\nwitness = \"2*t\"\n{}\n[simulation]\nstop = 4\n{}\n", f.blocks, f.settings));
    REQUIRE(trace.errors.size() == 1);
    const RunError& error = trace.errors[0];
    CHECK(exit_code(error.kind) == f.code);
    CHECK(error.t == close_to(f.t, 1e-9));  // a pole is approached, a root located
    CHECK_THAT(error.text, Catch::Contains(f.words));
    CHECK_THAT(error.text, Catch::Contains("model.toml:"));
    CHECK(trace.end_reason == EndReason::error);
    CHECK(trace.end_t == close_to(f.t, 1e-9));
    // 50 samples a second were taken up to there, and they are right.
    REQUIRE(!trace.t.empty());
    CHECK(trace.t.back() >= f.t - 0.0201);
    CHECK(trace.t.back() <= f.t + 1e-9);
    CHECK(last_sample(trace, "witness") == close_to(2 * trace.t.back()));
}

}  // namespace

TEST_CASE("What distribution theory does not define ends the run with code 4", "[engine][errors]") {
    const char* d = "d = { type = \"impulse\", at = 1 }\n";
    const char* d1 = "d1 = { type = \"impulse\", at = 1, order = 1 }\n";
    const char* s = "s = { type = \"step\", at = 1, size = 2, initial = -1 }\n";
    const std::vector<std::pair<std::string, const char*>> cases{
        {std::string(d) + "y = \"d*d\"", "delta times delta"},
        {std::string(d) + d1 + "y = \"d*d1\"", "delta times delta' at the same instant is not defined"},
        {std::string(d) + s + "y = \"d*s\"", "delta times a signal that jumps"},
        {std::string(d) + "x = { type = \"integrator\", in = \"d\" }\ny = \"x*d\"", "a signal that jumps"},
        {std::string(d1) + "r = { type = \"ramp\", at = 1 }\ny = \"d1*r\"",
         "delta' times a signal whose slope jumps"},
        {"d2 = { type = \"impulse\", at = 1, order = 2 }\nr = { type = \"ramp\", at = 1 }\n"
         "q = { type = \"integrator\", in = \"r\" }\ny = \"d2*q\"",
         "delta'' times a signal whose higher derivative jumps"},
        {std::string(d) + "y = { type = \"switch\", in = \"d\" }", "an impulse in a condition"},
        {std::string(d) + "y = \"if(d, 1, 2)\"", "an impulse in a condition"},
        {std::string(d) + "y = { type = \"crossing\", in = \"d + 1\" }", "an impulse in a condition"},
        {std::string(d) + "y = { type = \"sign\", in = \"d + 1\" }", "an impulse in a condition"},
        {std::string(d) + "y = { type = \"hysteresis\", in = \"d\", low = -1, high = 1 }",
         "an impulse in a condition"},
        {std::string(d) + "y = { type = \"assert\", in = \"d + 1\", message = \"no\" }",
         "an impulse in a condition"},
        {std::string(d) + "y = \"1/(2 + d)\"", "the inverse of an impulse"},
        {std::string(d) + "y = \"exp(d)\"", "a nonlinear function of an impulse"},
        {std::string(d) + "y = \"sin(d + t)\"", "a nonlinear function of an impulse"},
        {std::string(d) + s + "y = \"if(s, d, t)\"",
         "a decision that flips while one of its inputs carries an impulse"},
        {std::string(d) + s + "y = \"if(s, t, d)\"",
         "a decision that flips while one of its inputs carries an impulse"},
        {std::string(d) + "y = { type = \"hold\", in = \"d\", period = \"1/2\" }", "at the tick of a clock"},
        {std::string(d) + "y = { type = \"unit_delay\", in = \"d\", period = 1 }", "at the tick of a clock"},
    };
    for (const auto& [blocks, words] : cases) check_failure({blocks.c_str(), 4, 1, words});
}

TEST_CASE("Beside each other in time the same blocks are fine", "[engine][errors]") {
    const Trace trace = run(R"toml(
[blocks]
d = { type = "impulse", at = 1 }
e = { type = "impulse", at = 2 }
s = { type = "step", at = 2, size = 3, initial = 1 }
product = "d*e"
scaled = "d*s"
chosen = "if(s - 2, t, d)"
held = { type = "hold", in = "d", period = 1, phase = "1/2" }
before = "pre(s)*e"
[simulation]
stop = 3
)toml");
    CHECK(happenings(trace, "product").empty());
    check_once(trace, "scaled", 1, 0, 0, {1});
    check_once(trace, "before", 2, 0, 0, {1});
    REQUIRE(happenings(trace, "chosen").size() == 2);
    check_impulses(happenings(trace, "chosen")[0].impulses, {1});
}

TEST_CASE("Poles, branch points and blow-up end the run with code 7", "[engine][errors]") {
    check_failure({"y = \"1/(t - 1)\"", 7, 1, "pole"});
    check_failure({"y = \"sqrt(1 - t)\"", 7, 1, "branch point"});
    check_failure({"y = \"log(2 - t)\"", 7, 2, "branch point"});
    check_failure({"y = \"tan(t)\"", 7, 1.5707963267948966, "pole"});
    check_failure({"y = \"asin(t/2)\"", 7, 2, "branch point"});
    check_failure({"y = \"acos(-t/2)\"", 7, 2, "branch point"});
    check_failure({"y = \"(1 - t)^0.5\"", 7, 1, "branch point"});
    check_failure({"y = \"1/(t - 1)^2\"", 7, 1, "pole"});  // no change of sign
    check_failure({"y = \"atan2(t - 1, 2*t - 2)\"", 7, 1, "origin"});
    check_failure({"y = \"atan2(t - 1, 0)\"", 7, 1, "origin"});
}

TEST_CASE("A solution that blows up is followed to the brink", "[engine][errors]") {
    const Trace trace = try_run(
        "[blocks]\nx = { type = \"integrator\", in = \"x^2\", initial = 1 }\n[simulation]\nstop = 2\n");
    REQUIRE(trace.errors.size() == 1);
    CHECK(trace.errors[0].kind == ErrorKind::not_finite);
    CHECK(trace.errors[0].t == Approx(1).epsilon(1e-3));
    CHECK(sample(trace, "x", 0.9) == close_to(10, 1e-9));
}

TEST_CASE("A loop that becomes singular under way ends the run with code 7", "[engine][errors]") {
    const Trace trace = try_run("[blocks]\ny = \"t*y + 1\"\n[simulation]\nstop = 2\n");
    REQUIRE(trace.errors.size() == 1);
    CHECK(trace.errors[0].kind == ErrorKind::not_finite);
    CHECK(trace.errors[0].t == close_to(1, 1e-6));
    CHECK(sample(trace, "y", 0.5) == close_to(2));
}

TEST_CASE("Models that cannot run are refused with code 3", "[engine][errors]") {
    CHECK_THAT(refusal("[blocks]\ny = \"y + 1\"\n"),
               Catch::Contains("singular") && Catch::Contains("loop: y -> y"));
    CHECK_THAT(refusal("[blocks]\na = \"b\"\nb = \"c + t\"\nc = \"a\"\n"), Catch::Contains("singular"));
    CHECK_THAT(refusal("[blocks]\nn = \"pre(n) + 1\"\n"), Catch::Contains("singular"));
    CHECK_THAT(refusal("[blocks]\ny = \"y\"\n"), !Catch::Equals(""));
    CHECK_THAT(refusal("[blocks]\ny = \"t - der(y)\"\n"), Catch::Contains("derivative"));
    CHECK_THAT(refusal("[blocks]\nx = \"sin(t)\"\ny = \"der(pre(x))\"\n"),
               Catch::Contains("derivative of pre"));
}

TEST_CASE("A branch that is not taken may be undefined", "[engine][errors]") {
    const Trace trace =
        run("[blocks]\nx = \"t - 1\"\ny = \"if(x, sqrt(x + 1), 3)\"\nz = \"if(t - 5, 1/(t - 1), 2)\"\n"
            "w = \"if(x - 1, log(x), x)\"\n[simulation]\nstop = 3\n");
    CHECK(last_sample(trace, "y") == close_to(std::sqrt(3)));
    CHECK(last_sample(trace, "z") == 2);
    CHECK(last_sample(trace, "w") == close_to(std::log(2)));
}

TEST_CASE("An assertion that fails ends the run with code 8 and its own message", "[engine][errors]") {
    check_failure({"y = { type = \"assert\", in = \"1 - t\", message = \"t must stay below one\" }", 8, 1,
                   "t must stay below one"});
    check_failure(
        {"s = { type = \"step\", at = 2, size = -2, initial = 1 }\n"
         "y = { type = \"assert\", in = \"s\", message = \"s fell\" }",
         8, 2, "s fell"});
}

namespace {
const std::string ball = R"toml(
[blocks]
a = "-10 + F"
F = "-1.5 * pre(v) * hit"
hit = { type = "crossing", in = "y", direction = "falling" }
v = { type = "integrator", in = "a" }
y = { type = "integrator", in = "v", initial = 5 }
[simulation]
stop = 10
)toml";
}

// Falls for 1 s; the hops take 1, 1/2, 1/4 ... seconds: all are done after 3.
TEST_CASE("Bounces that accumulate are told, with the time at which they do", "[engine][errors]") {
    const Trace trace = try_run(ball);
    REQUIRE(trace.errors.size() == 1);
    CHECK(trace.errors[0].kind == ErrorKind::no_progress);
    CHECK_THAT(trace.errors[0].text, Catch::Contains("accumulate") && Catch::Contains("Zeno"));
    CHECK(trace.end_reason == EndReason::zeno);
    CHECK(trace.end_t == close_to(3, 1e-6));
    CHECK(happenings(trace, "F").size() > 15);
    const Trace stopped = try_run(ball + "zeno = \"stop\"\n");
    CHECK(stopped.errors.empty());
    CHECK(stopped.end_reason == EndReason::zeno);
    CHECK(stopped.end_t == close_to(3, 1e-6));
}

TEST_CASE("Sliding along a switching surface ends the run with code 5 where it is not wanted",
          "[engine][errors]") {
    for (const char* rate : {"-sign(x)", "if(x, -1, 1)", "-2*sign(x) + 0.5"}) {
        INFO(rate);
        const Trace trace = try_run(fmt::format(
            "[blocks]\nx = {{ type = \"integrator\", in = \"{}\", initial = 1 }}\n[simulation]\nstop = 3\n"
            "sliding = \"error\"\n",
            rate));
        REQUIRE(trace.errors.size() == 1);
        CHECK(trace.errors[0].kind == ErrorKind::no_progress);
        CHECK_THAT(trace.errors[0].text, Catch::Contains("slides") || Catch::Contains("again and again"));
        CHECK(trace.t.size() > 40);
    }
}

TEST_CASE("More events than allowed end the run with code 5", "[engine][errors]") {
    const Trace trace = try_run(
        "[blocks]\nd = { type = \"impulse\", at = 0, period = \"1/10\" }\n"
        "[simulation]\nstop = 10\nmax_events = 20\n");
    REQUIRE(trace.errors.size() == 1);
    CHECK(trace.errors[0].kind == ErrorKind::no_progress);
    CHECK_THAT(trace.errors[0].text, Catch::Contains("max_events"));
    CHECK(trace.events.size() >= 20);
}

}  // namespace deltaflow::engine_test
