// Numeric impulses: what they keep off the grid, through delays and at zero.
#include "tests/engine/run.hpp"

#include <fmt/format.h>

namespace deltaflow::engine_test {

namespace {

Trace run_numeric(const std::string& text, const std::string& step, const std::string& riemann,
                  const std::vector<double>& at = {}) {
    return run(
        text, at,
        {{"simulation.impulses", "numeric"}, {"simulation.step", step}, {"simulation.riemann", riemann}});
}

}  // namespace

TEST_CASE("delta and its derivatives keep all their moments off the grid and delayed", "[engine][numeric]") {
    const std::string riemann = GENERATE("right", "left");
    const int order = GENERATE(0, 1, 2);
    const auto [at, by] = GENERATE(table<std::string, std::string>(
        {{"0.5", "0.5"}, {"0.5004", "0.5"}, {"0.50077", "0.50033"}, {"1/3", "1/7"}, {"0.0004", "0.5"}}));
    const bool delayed = GENERATE(false, true);
    CAPTURE(riemann, order, at, by, delayed);
    std::string text = fmt::format(R"toml(
[blocks]
d = {{ type = "impulse", at = "{}", order = {} }}
q = {{ type = "delay", in = "d", by = "{}" }}
f = "(1 + t)^3"
n = {{ type = "integrator", in = "f*u" }}
x0 = {{ type = "integrator", in = "u" }}
x1 = {{ type = "integrator", in = "x0" }}
x2 = {{ type = "integrator", in = "x1" }}
u = "{}"
[simulation]
stop = 2
)toml",
                                   at, order, by, delayed ? "q" : "d");
    const Trace symbolic = run(text, {1.7});
    const Trace numeric = run_numeric(text, "1/1000", riemann, {1.7});
    for (const char* signal : {"n", "x0", "x1", "x2"}) {
        INFO(signal);
        CHECK(sample(numeric, signal, 1.7) == close_to(sample(symbolic, signal, 1.7), 0.01));
    }
    if (order < 2) return;
    CHECK(sample(numeric, "x0", 1.7) == close_to(0, 1e-6));
    CHECK(sample(numeric, "x1", 1.7) == close_to(0, 1e-6));
}

TEST_CASE("an impulse of order n off the grid begins a sample there, and n equal steps follow",
          "[engine][numeric]") {
    const std::string riemann = GENERATE("right", "left");
    const std::string text =
        "[blocks]\nd = { type = \"impulse\", at = \"0.43\", order = 2 }\n[simulation]\nstop = 1\n";
    const Trace trace = run_numeric(text, "1/10", riemann, {0.42, 0.431, 0.531, 0.631, 0.735, 0.8});
    const std::vector<double> wanted{0, 1000, -2000, 1000, 0, 0};
    for (std::size_t i = 0; i < wanted.size(); ++i)
        CHECK(samples_of(trace, "d")[i] == close_to(wanted[i], 1e-9));
}

TEST_CASE("sign leaves zero and comes to it, on samples as in symbols", "[engine][numeric]") {
    const std::string riemann = GENERATE("right", "left");
    const std::string u =
        GENERATE("u = { type = \"ramp\", at = 1 }",                                //
                 "u = { type = \"ramp\", at = \"1.0004\", slope = -1 }",           //
                 "u = { type = \"pulse\", at = 0.5, width = 0.7 }",                //
                 "u = { type = \"pulse\", at = 0.5003, width = 0.7, size = -1 }",  //
                 "u = { type = \"step\", at = 1, size = 1, initial = -1 }",        //
                 "u = { type = \"hold\", in = \"t\", period = 1 }",                //
                 "d = { type = \"impulse\", at = \"1.0003\" }\nu = { type = \"integrator\", in = \"d\" }",
                 "u = \"max(t - 1, 0)\"",  //
                 "u = \"t^3 - t^2\"",      //
                 "F = { type = \"step\", at = 0.5 }\nu = { type = \"integrator\", in = \"F - 0.3*y\" }");
    const std::string text =
        "[blocks]\n" + u +
        "\ny = \"sign(u)\"\nx = { type = \"integrator\", in = \"y\" }\n[simulation]\nstop = 2\n";
    CAPTURE(riemann, u);
    const std::vector<double> at{0.3, 0.8, 1.1, 1.5, 1.9};
    const Trace symbolic = run(text, at), numeric = run_numeric(text, "1/1000", riemann, at);
    for (const double t : at) {
        CHECK(sample(numeric, "y", t) == sample(symbolic, "y", t));
        CHECK(sample(numeric, "x", t) == close_to(sample(symbolic, "x", t), 0.01));
    }
}

TEST_CASE("crossings that jump, or leave in the step of an impulse, are all counted", "[engine][numeric]") {
    const std::string riemann = GENERATE("right", "left");
    const std::string step = GENERATE("1/1000", "1/10000");
    const auto [model, count] = GENERATE(table<std::string, double>({
        // a saw tooth, one that jumps to the same side, one that comes back soon
        {"w = { type = \"integrator\", in = \"1 - h\" }\nh = { type = \"crossing\", in = \"w - 1\" }", 3},
        {"w = { type = \"integrator\", in = \"1 + h\" }\nh = { type = \"crossing\", in = \"w - 1\" }", 1},
        {"w = { type = \"integrator\", in = \"1 - 0.5*h\" }\nh = { type = \"crossing\", in = \"w - 1\" }", 6},
        {"h = { type = \"crossing\", in = \"t - 1 - 2*n\" }", 2},
        // the impulse of one carries the signal of the other over zero
        {"w = { type = \"integrator\", in = \"1 - 3*k\" }\n"
         "k = { type = \"crossing\", in = \"w - 1\", direction = \"rising\" }\n"
         "h = { type = \"crossing\", in = \"w\", direction = \"falling\" }",
         1},
        // over zero by an impulse; to zero, and on later
        {"d = { type = \"impulse\", at = 0.5, size = 2 }\nw = { type = \"integrator\", in = \"d\", initial = "
         "-1 }\n"
         "h = { type = \"crossing\", in = \"w\" }",
         1},
        {"d = { type = \"impulse\", at = 0.5 }\nw = { type = \"integrator\", in = \"d\", initial = -1 }\n"
         "u = { type = \"ramp\", at = 1 }\nh = { type = \"crossing\", in = \"w + u\" }",
         1},
    }));
    CAPTURE(riemann, step, model);
    const std::string text =
        "[blocks]\n" + model + "\nn = { type = \"integrator\", in = \"h\" }\n[simulation]\nstop = 3.7\n";
    CHECK(last_sample(run_numeric(text, step, riemann), "n") == close_to(count, 1e-6));
    CHECK(last_sample(run(text), "n") == close_to(count));
}

TEST_CASE("the first sample of a dependent storage is what the model gives it", "[engine][numeric]") {
    const Trace trace = run(R"toml(
[elements]
a = { type = "C", value = 1, displacement = 3 }
b = { type = "C", value = 2, displacement = 0 }
j = { type = "0" }
[bonds]
b1 = "j -> a"
b2 = "j -> b"
[simulation]
stop = 1
record = ["a.displacement", "b.displacement"]
impulses = "numeric"
step = "1/10"
every = "1/10"
)toml");
    // 3 = q (1 + 2): the charge divides in the first step.
    const auto& a = samples_of(trace, "a.displacement");
    const auto& b = samples_of(trace, "b.displacement");
    CHECK(a[0] == 3);
    CHECK(b[0] == 0);
    CHECK(a[1] == close_to(1));
    CHECK(b[1] == close_to(2));
    CHECK(b.back() == close_to(2));
}

}  // namespace deltaflow::engine_test
