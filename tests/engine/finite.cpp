// Nothing that is not finite is a result: the run ends where a block leaves the range of numbers.
#include "tests/engine/run.hpp"

#include <fmt/format.h>

namespace deltaflow::engine_test {

namespace {

bool is_finite(const Trace& trace) {
    const auto finite = [](double x) { return std::isfinite(x); };
    return std::all_of(trace.samples.begin(), trace.samples.end(),
                       [&](const auto& row) { return std::all_of(row.begin(), row.end(), finite); }) &&
           std::all_of(trace.jumps.begin(), trace.jumps.end(),
                       [&](const Jump& j) { return finite(j.left) && finite(j.right); }) &&
           std::all_of(trace.impulses.begin(), trace.impulses.end(), finite);
}

// Ends with code 7 at t (to the last step), in block y, with all that was before in the trace.
void check_end(const std::string& blocks, double t, const std::string& words, const std::string& settings,
               const std::vector<double>& at = {}, double tolerance = 1e-9) {
    INFO(blocks << settings);
    const Trace trace =
        try_run(fmt::format("[blocks]\n{}\n[simulation]\nstop = 2\n{}\n", blocks, settings), at);
    REQUIRE(trace.errors.size() == 1);
    CHECK(trace.errors[0].kind == ErrorKind::not_finite);
    CHECK(trace.errors[0].t == close_to(t, tolerance));
    CHECK_THAT(trace.errors[0].text, Catch::Contains(words));
    CHECK(trace.end_reason == EndReason::error);
    CHECK(is_finite(trace));
    if (at.empty() && t > 0) {
        REQUIRE(!trace.t.empty());
        CHECK(trace.t.back() >= t - 0.0101 - tolerance);
    }
}

const std::vector<std::string> methods{"taylor", "dopri5", "rk4", "rosenbrock4", "euler"};

}  // namespace

TEST_CASE("What is recorded ends the run where it overflows, though no state depends on it",
          "[engine][finite][slow]") {
    const double edge = std::log(std::numeric_limits<double>::max()) / 1000;
    for (const std::string& method : methods) {
        const std::string settings = fmt::format("method = \"{}\"\nstep = 0.001", method);
        check_end("y = \"exp(1000*t)\"", edge, "(block y)", settings);
        check_end("x = \"exp(500*t)\"\ny = \"x*x\"", edge, "x = ", settings);
        check_end("y = \"tanh(exp(1000*t))\"", edge, "(block y)", settings);
        check_end("y = { type = \"delay\", in = \"exp(1000*t)\", by = 0.25 }", edge, "", settings, {},
                  method == "taylor" ? 0.2 : 0.26);
    }
}

TEST_CASE("An overflow is found between samples, too", "[engine][finite]") {
    const double edge = std::log(std::numeric_limits<double>::max()) / 1000;
    check_end("y = \"exp(1000*t)\"", edge, "(block y)", "", {0.0});
    check_end("y = \"exp(1000*t)\"", edge, "(block y)", "method = \"dopri5\"", {0.0, 2.0});
}

TEST_CASE("A jump into a pole ends the run at the jump", "[engine][finite]") {
    const std::string s = "s = { type = \"step\", at = 1 }\n";
    for (const std::string& method : methods) {
        const std::string settings = fmt::format("method = \"{}\"\nstep = 0.001", method);
        check_end(s + "y = \"1/(1 - s)\"", 1, "a pole", settings);
        check_end(s + "y = \"(1 - s)/(1 - s)\"", 1, "a pole", settings);
        check_end(s + "y = \"log(0.5 - s)\"", 1, "out of the domain", settings);
        check_end("y = { type = \"hold\", in = \"exp(1000*t)\", period = 0.25 }", 0.75, "not finite",
                  settings);
    }
}

TEST_CASE("States, sums and derivatives are looked at, each where it happens", "[engine][finite]") {
    const double most = std::numeric_limits<double>::max();
    check_end("x = { type = \"integrator\", in = \"1e308\" }\ny = \"10*x\"", most / 1e308 / 10, "(block y)",
              "");
    check_end("x = { type = \"integrator\", in = \"1e308*t\" }", std::sqrt(2 * (most / 1e308)), "(block x)",
              "");
    check_end("x = \"sqrt(t)\"\ny = \"der(x)\"", 0, "(block y)", "", {0.0});
}

TEST_CASE("An impulse that overflows is no impulse of rounding size", "[engine][finite]") {
    const std::string i = "i = { type = \"impulse\", at = 1, size = 1e308 }\n";
    check_end(i + "y = \"100*i\"", 1, "an impulse is not finite", "");
    check_end(i + "x = { type = \"integrator\", in = \"100*i\" }", 1, "an impulse is not finite", "");
}

TEST_CASE("With numeric impulses samples must be finite", "[engine][finite]") {
    const std::string settings = "impulses = \"numeric\"\nstep = \"1/64\"";
    check_end("y = \"1/(t - 1)\"", 1, "(block y)", settings);
    check_end("y = \"exp(1000*t)\"", 46.0 / 64, "(block y)", settings);
    check_end("s = { type = \"step\", at = 1 }\ny = \"1/(1 - s)\"", 1, "(block y)", settings);
}

TEST_CASE("Overflows and poles of a branch that is not taken end nothing", "[engine][finite]") {
    for (const std::string& method : methods) {
        INFO(method);
        const Trace trace =
            run(fmt::format("[blocks]\n"
                            "y = \"if(t - 1, t, log(1.5 - t))\"\n"
                            "z = \"if(t - 1, exp(1000*(1 - t)), exp(1000*(t - 1)))\"\n"
                            "[simulation]\nstop = 2\nstep = 0.001\nmethod = \"{}\"\n",
                            method));
        CHECK(sample(trace, "y", 0.5) == close_to(0));
        CHECK(sample(trace, "y", 2) == close_to(2));
        CHECK(is_finite(trace));
    }
}

TEST_CASE("A branch may end at the branch point of its expression, not at a pole", "[engine][finite]") {
    for (const std::string& method : methods) {
        INFO(method);
        const std::string settings = fmt::format("step = 0.001\nmethod = \"{}\"\n", method);
        const Trace trace =
            run("[blocks]\ny = \"if(1 - t, sqrt(1 - t^2), 0)\"\n"
                "z = \"if(1 - t, asin(t*t), 2)\"\n[simulation]\nstop = 2\n" +
                settings);
        CHECK(sample(trace, "y", 0.6) == close_to(0.8));
        CHECK(sample(trace, "y", 2) == 0);
        CHECK(sample(trace, "z", 2) == 2);
        CHECK(is_finite(trace));
        if (method != "euler") check_end("y = \"if(1 - t, 1/(1 - t*t), 0)\"", 1, "pole", settings);
    }
}

TEST_CASE("What is recorded changes no run", "[engine][finite]") {
    const std::string blocks =
        "[blocks]\nx = { type = \"integrator\", in = \"1\" }\ny = \"1/(x - 1)\"\n"
        "i = { type = \"impulse\", at = 0.5 }\nz = \"2*i\"\n[simulation]\nstop = 2\n";
    for (const char* record : {"", "record = [\"x\"]\n", "record = [\"y\"]\n", "record = [\"x\", \"z\"]\n"}) {
        const Trace trace = try_run(blocks + record);
        INFO(record);
        REQUIRE(trace.errors.size() == 1);
        CHECK(trace.errors[0].kind == ErrorKind::not_finite);
        CHECK(trace.errors[0].t == close_to(1));
        CHECK(trace.samples.size() == trace.signals.size());
        CHECK(trace.signals.size() == (*record == 0                                         ? 4
                                       : std::string(record).find("z") == std::string::npos ? 1
                                                                                            : 2));
    }
    const Trace silent = try_run(blocks + "record = [\"x\"]\n");
    REQUIRE(silent.events.size() == 1);
    CHECK(silent.jumps.empty());
    check_impulses(happenings(try_run(blocks + "record = [\"x\", \"z\"]\n"), "z").at(0).impulses, {2});
}

TEST_CASE("What is before the start need not be finite", "[engine][finite]") {
    for (const char* settings : {"", "impulses = \"numeric\"\nstep = \"1/64\""}) {
        const Trace trace =
            run(fmt::format("[blocks]\ns = {{ type = \"step\", at = 0 }}\ny = \"1/s\"\n"
                            "[simulation]\nstop = 2\n{}\n",
                            settings));
        CHECK(is_finite(trace));
        CHECK(sample(trace, "y", 0) == 1);
        CHECK(sample(trace, "y", 2) == 1);
    }
}

TEST_CASE("A pole of even order ends the run, by every method", "[engine][finite]") {
    const double third = std::asin(0.5);
    for (const std::string method : {"taylor", "dopri5", "rk4", "rosenbrock4", "euler"}) {
        const std::string settings = fmt::format("method = \"{}\"\nstep = 0.003\ntolerance = 1e-6", method);
        const auto ends_at = [&](double t, const std::string& blocks) {
            INFO(blocks << settings);
            const Trace trace =
                try_run(fmt::format("[blocks]\n{}\n[simulation]\nstop = 3\n{}\n", blocks, settings), {0.0});
            REQUIRE(trace.errors.size() == 1);
            CHECK(trace.errors[0].kind == ErrorKind::not_finite);
            CHECK(trace.errors[0].t == close_to(t, method == "euler" ? 2e-2 : 1e-5));
        };
        ends_at(1, "y = { type = \"integrator\", in = \"1/(t - 1)^2\" }");
        ends_at(third, "u = \"sin(t) - 0.5\"\ny = { type = \"integrator\", in = \"1/(u*u)\" }");
        ends_at(third, "u = \"sin(t) - 0.5\"\ny = { type = \"integrator\", in = \"1/(u*u)^2\" }");
        ends_at(std::acos(0.0),
                "x = { type = \"integrator\", in = \"v\", initial = 1 }\n"
                "v = { type = \"integrator\", in = \"-x\" }\n"
                "y = { type = \"integrator\", in = \"1/(x*x)\" }");
    }
}

TEST_CASE("A pole that rounding alone lets a run miss ends it", "[engine][finite]") {
    for (const std::string rate : {"1/(1 + x)", "1/(1 + x)^2", "x/(1 - x^2 + 2*(1 + x))"}) {
        const Trace trace = try_run(
            "[blocks]\nx = { type = \"integrator\", in = \"v\", initial = 1 }\n"
            "v = { type = \"integrator\", in = \"-x\" }\n"
            "y = { type = \"integrator\", in = \"" +
            rate + "\" }\n[simulation]\nstop = 6\n");
        INFO(rate);
        REQUIRE(trace.errors.size() == 1);
        CHECK(trace.errors[0].kind == ErrorKind::not_finite);
        CHECK(trace.errors[0].t == close_to(2 * std::acos(0.0), 1e-5));
    }
    // It comes near, and that is all.
    const Trace trace =
        run("[blocks]\nx = { type = \"integrator\", in = \"v\", initial = 1 }\n"
            "v = { type = \"integrator\", in = \"-x\" }\n"
            "y = { type = \"integrator\", in = \"1/(1.0000000001 + x)\" }\n"
            "[simulation]\nstop = 6\n");
    const double a = 1.0000000001, root = std::sqrt((a - 1) * (a + 1));
    const double turn = 2 * std::atan(std::sqrt((a - 1) / (a + 1)) * std::tan(3)) / root;
    CHECK(samples_of(trace, "y").back() == close_to(turn + 4 * std::acos(0.0) / root, 1e-4));
}

TEST_CASE("What numbers alone make infinite is a mistake of the model, however it is written",
          "[engine][finite]") {
    for (const std::string blocks :
         {"y = \"cos(asin(1.06))\"", "h = { type = \"asin\", in = \"1.06\" }\ny = \"cos(h)\"",
          "h = { type = \"sum\", in = [\"3\", \"4\"] }\ny = \"(1 + h^2)^123456.789\"",
          "y = \"(1 + 7^2)^123456.789\"", "h = \"3\"\ny = \"1/(h - 3)\""}) {
        INFO(blocks);
        CHECK_THROWS_AS(try_run("[blocks]\n" + blocks + "\n"), ModelError);
    }
    CHECK_THROWS_WITH(try_run("[blocks]\nh = { type = \"asin\", in = \"1.06\" }\ny = \"cos(h)\"\n"),
                      Catch::Contains("(block h)"));
    check_end("y = \"1/t\"", 0, "y", "");  // at another start there is no pole
}

}  // namespace deltaflow::engine_test
