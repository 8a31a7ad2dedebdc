// Numeric impulses: Table 1 of 003, the closed forms of a lag, and what each block does on samples.
#include "tests/engine/run.hpp"

#include <fmt/format.h>

using namespace deltaflow;
using namespace deltaflow::engine_test;

namespace {

// Samples at the grid itself.
Trace run_numeric(const std::string& text, const std::string& step, const std::string& riemann = "right",
                  Changes set = {}) {
    set.insert(set.end(), {{"simulation.impulses", "numeric"},
                           {"simulation.step", step},
                           {"simulation.every", step},
                           {"simulation.riemann", riemann}});
    return run(text, {}, set);
}

double binomial(int n, int k) { return k == 0 ? 1 : binomial(n, k - 1) * (n - k + 1) / k; }

std::string lag(int order, const std::string& at = "1") {
    return fmt::format(R"toml(
[parameters]
a = 2
[blocks]
u = {{ type = "impulse", at = "{}", order = {} }}
x = {{ type = "integrator", in = "u - a*x" }}
[simulation]
stop = 2
)toml",
                       at, order);
}

constexpr const char* ball = R"toml(
[parameters]
g = 9.81
e = 0.8
[blocks]
a   = "-g + F"
F   = "-(1 + e) * pre(v) * hit"
hit = { type = "crossing", in = "y", direction = "falling" }
v   = { type = "integrator", in = "a" }
y   = { type = "integrator", in = "v", initial = 10 }
[simulation]
stop = 4
)toml";

}  // namespace

TEST_CASE("derivatives of a sampled step are Table 1 of 003, corrected, to the last digit") {
    std::string text = "[blocks]\nS0 = { type = \"step\", at = 1 }\n";
    for (int n = 1; n <= 8; ++n)
        text += fmt::format("S{} = \"der(S{})\"\nU{} = {{ type = \"impulse\", at = 1, order = {} }}\n", n,
                            n - 1, n, n - 1);
    const std::string step = GENERATE("1/10", "1/100");
    const double rate = step == "1/10" ? 10 : 100;
    const Trace trace = run_numeric(text + "[simulation]\nstop = 2\n", step);
    const auto start = static_cast<std::size_t>(rate);
    double height = 1;
    for (int n = 1; n <= 8; ++n) {
        height *= rate;
        CAPTURE(step, n);
        for (int k = -1; k <= n; ++k) {
            const double entry = k < 0 || k >= n ? 0 : (k % 2 ? -1 : 1) * binomial(n - 1, k) * height;
            CHECK(samples_of(trace, fmt::format("S{}", n))[start + static_cast<std::size_t>(k)] == entry);
            CHECK(samples_of(trace, fmt::format("U{}", n))[start + static_cast<std::size_t>(k)] == entry);
        }
    }
}

TEST_CASE("a lag driven by an impulse of order n has the closed forms of both sums") {
    const int n = GENERATE(0, 1, 2, 3);
    const std::string step = GENERATE("1/10", "1/100");
    const double h = step == "1/10" ? 0.1 : 0.01, a = 2;
    const auto tau = static_cast<std::size_t>(std::lround(1 / h));
    CAPTURE(n, step);
    const auto right = samples_of(run_numeric(lag(n), step, "right"), "x");
    const auto left = samples_of(run_numeric(lag(n), step, "left"), "x");
    // Differences of order n lose n times the digits of h.
    const double lost = 1e-14 * std::pow(h, -n);
    for (int k = n; k < 10; ++k) {
        const auto at = tau + static_cast<std::size_t>(k);
        CHECK(right[at] == close_to(std::pow(-a, n) * std::pow(1 + a * h, -(k + 1)), lost));
        if (k > n) CHECK(left[at] == close_to(std::pow(-a, n) * std::pow(1 - a * h, k - 1 - n), lost));
    }
    CHECK(left[tau] == 0);
}

TEST_CASE("samples that an impulse occupies in a lag are as worked out by hand") {
    const auto right = samples_of(run_numeric(lag(3), "1/10", "right"), "x");
    const auto left = samples_of(run_numeric(lag(3), "1/10", "left"), "x");
    const std::vector<double> by_right{833.333333333333, -1805.55555555556, 995.37037037037, -3.85802469136};
    const std::vector<double> by_left{0, 1000, -2200, 1240, -8};
    for (std::size_t k = 0; k < by_right.size(); ++k) CHECK(right[10 + k] == close_to(by_right[k], 1e-11));
    for (std::size_t k = 0; k < by_left.size(); ++k) CHECK(left[10 + k] == close_to(by_left[k], 1e-11));
}

TEST_CASE("an impulse between grid points gets a sample of its own, and its area with it") {
    const std::string riemann = GENERATE("right", "left");
    const int order = GENERATE(0, 1, 2);
    std::string text = fmt::format(R"toml(
[blocks]
u = {{ type = "impulse", at = "1/3", order = {} }}
x0 = {{ type = "integrator", in = "u" }}
x1 = {{ type = "integrator", in = "x0" }}
x2 = {{ type = "integrator", in = "x1" }}
[simulation]
stop = 2
)toml",
                                   order);
    const Trace trace = run_numeric(text, "1/10", riemann);
    CAPTURE(riemann, order);
    CHECK(last_sample(trace, fmt::format("x{}", order)) == close_to(1, 1e-11));
    if (order > 0) CHECK(last_sample(trace, "x0") == close_to(0, 1e-9));
}

TEST_CASE("with the right sum a numeric ball is exactly the symbolic one on the same steps") {
    const std::string step = GENERATE("1/100", "1/1000");
    const Trace numeric = run_numeric(ball, step);
    const Trace symbolic = run(
        ball, {}, {{"simulation.method", "euler"}, {"simulation.step", step}, {"simulation.every", step}});
    REQUIRE(numeric.t.size() == symbolic.t.size());
    for (std::size_t i = 0; i < numeric.t.size(); ++i) {
        CHECK(samples_of(numeric, "y")[i] == close_to(samples_of(symbolic, "y")[i], 1e-10));
        CHECK(samples_of(numeric, "v")[i] == close_to(samples_of(symbolic, "v")[i], 1e-10));
    }
    check_times(numeric, "v", times_of(symbolic, "v"));
}

TEST_CASE("with the left sum a numeric ball is not the symbolic one on the same steps") {
    const Trace numeric = run_numeric(ball, "1/100", "left");
    const Trace symbolic = run(ball, {},
                               {{"simulation.method", "euler"},
                                {"simulation.step", "1/100"},
                                {"simulation.every", "1/100"},
                                {"simulation.riemann", "left"}});
    CHECK(std::abs(last_sample(numeric, "y") - last_sample(symbolic, "y")) > 1e-3);
}

TEST_CASE("an event on a grid point takes no sample of its own") {
    const char* text = R"toml(
[blocks]
c = { type = "crossing", in = "1/2 - t" }
n = { type = "integrator", in = "c" }
w = "if(t - 1/4, 1, 0)"
x = { type = "integrator", in = "w" }
[simulation]
stop = 1
)toml";
    const std::string riemann = GENERATE("right", "left");
    CAPTURE(riemann);
    const Trace trace = run_numeric(text, "1/100", riemann);
    CHECK(trace.statistics.steps == 200);  // two islands
    CHECK(last_sample(trace, "n") == close_to(1));
    CHECK(last_sample(trace, "x") == close_to(0.75));
    CHECK(sample(trace, "c", 0.3) == 0);
    CHECK(sample(trace, "c", riemann == "right" ? 0.51 : 0.5) == close_to(100));
}

TEST_CASE("a train of impulses counts as many as came") {
    const char* text = R"toml(
[blocks]
u = { type = "impulse", at = 0.1, size = 2, period = "1/7" }
x = { type = "integrator", in = "u" }
[simulation]
stop = 2
)toml";
    const std::string riemann = GENERATE("right", "left");
    const std::string step = GENERATE("1/1000", "0.03");
    CAPTURE(riemann, step);
    CHECK(last_sample(run_numeric(text, step, riemann), "x") == close_to(28, 1e-11));
}

TEST_CASE("what happens at the start falls into the first step") {
    const char* text = R"toml(
[blocks]
u = { type = "impulse", at = 0 }
w = { type = "impulse", at = 0, order = 1 }
s = { type = "step" }
x = { type = "integrator", in = "u", initial = 3 }
y = { type = "integrator", in = "der(s)" }
z = { type = "integrator", in = "w" }
zz = { type = "integrator", in = "z" }
[simulation]
stop = 1
)toml";
    const std::string riemann = GENERATE("right", "left");
    CAPTURE(riemann);
    const Trace trace = run_numeric(text, "1/10", riemann);
    CHECK(samples_of(trace, "x")[0] == 3);
    CHECK(samples_of(trace, "x")[1] == close_to(4));
    CHECK(samples_of(trace, "y")[1] == close_to(1));
    CHECK(samples_of(trace, "s")[0] == 1);
    CHECK(last_sample(trace, "z") == close_to(0));
    CHECK(last_sample(trace, "zz") == close_to(1));
}

TEST_CASE("an impulse at the stop is still carried out") {
    const char* text = R"toml(
[blocks]
u = { type = "impulse", at = 0.95 }
x = { type = "integrator", in = "u" }
[simulation]
stop = 0.95
)toml";
    const Trace trace = run_numeric(text, "1/10");
    CHECK(trace.end_t == 0.95);
    CHECK(times_of(trace, "x") == std::vector<double>{0.95});
}

TEST_CASE("a step that does not divide the run leaves the last sample held") {
    const char* text = R"toml(
[blocks]
x = { type = "integrator", in = "1" }
[simulation]
stop = 1
)toml";
    FlatModel model = model_of(text, {{"simulation.impulses", "numeric"}, {"simulation.step", "0.3"}});
    model.settings.at = {0.29, 0.3, 0.8, 1};
    const auto x = samples_of(simulate(model), "x");
    CHECK(x[0] == 0);
    CHECK(x[1] == close_to(0.3));
    CHECK(x[2] == close_to(0.6));
    CHECK(x[3] == close_to(0.9));
}

TEST_CASE("a delay hands on all of an impulse, wherever steps are split") {
    const char* text = R"toml(
[blocks]
u = { type = "impulse", train = [{at = 0.5}, {at = 0.5555, size = 2}] }
d = { type = "delay", in = "u", by = 0.3 }
x = { type = "integrator", in = "d" }
s = { type = "sine", omega = 3 }
c = { type = "crossing", in = "s" }
dc = { type = "delay", in = "c", by = 0.2504 }
n = { type = "integrator", in = "dc" }
[simulation]
stop = 3
)toml";
    const std::string riemann = GENERATE("right", "left");
    CAPTURE(riemann);
    const Trace trace = run_numeric(text, "1/1000", riemann);
    CHECK(last_sample(trace, "x") == close_to(3, 1e-11));
    CHECK(last_sample(trace, "n") == close_to(2, 1e-11));
}

// The delayed impulse stands over [1.03, 1.1], and a root splits the step [1, 1.1].
TEST_CASE("a root that splits the step of a delayed impulse takes nothing of its area") {
    const char* text = R"toml(
[blocks]
c = { type = "crossing", in = "t - 0.53" }
d = { type = "delay", in = "c", by = 0.5 }
w = { type = "crossing", in = "t - 1.05" }
v = { type = "crossing", in = "t - 1.07" }
x = { type = "integrator", in = "d + 10*w + 10*v" }
[simulation]
stop = 2
)toml";
    const std::string riemann = GENERATE("right", "left");
    CAPTURE(riemann);
    const Trace trace = run_numeric(text, "1/10", riemann);
    CHECK(last_sample(trace, "x") == close_to(21));
}

TEST_CASE("a delay of whole steps gives the very samples of its input") {
    const char* text = R"toml(
[blocks]
s = { type = "sine", omega = 3 }
d = { type = "delay", in = "s", by = 0.2, initial = 7 }
[simulation]
stop = 1
)toml";
    const std::string riemann = GENERATE("right", "left");
    const Trace trace = run_numeric(text, "1/50", riemann);
    const auto s = samples_of(trace, "s"), d = samples_of(trace, "d");
    for (std::size_t k = 0; k < s.size(); ++k) CHECK(d[k] == (k < 10 ? 7 : s[k - 10]));
}

TEST_CASE("clocks tick at their own times") {
    const char* text = R"toml(
[blocks]
h = { type = "hold", in = "t", period = "1/7" }
u = { type = "unit_delay", in = "t", period = "1/7", initial = -1 }
x = { type = "integrator", in = "-k", initial = 1 }
k = { type = "hold", in = "2*x", period = "1/10" }
[simulation]
stop = 1
)toml";
    const std::string riemann = GENERATE("right", "left");
    CAPTURE(riemann);
    const Trace trace = run_numeric(text, "1/1000", riemann);
    CHECK(sample(trace, "h", 0.5) == close_to(3.0 / 7));
    CHECK(sample(trace, "u", 0.5) == close_to(2.0 / 7));
    CHECK(sample(trace, "x", 1) == close_to(std::pow(0.8, 10), 2e-3));
}

TEST_CASE("algebraic loops of the right sum are solved, linear or not") {
    const char* text = R"toml(
[blocks]
s = { type = "step", at = 1 }
y = { type = "integrator", in = "u" }
u = "der(w)"
w = "t - y + s"
x = { type = "integrator", in = "s - x^3 - sin(x)" }
g = { type = "transfer_function", in = "s", numerator = [1, 0, 0, 0], denominator = [1, 1] }
[simulation]
stop = 4
)toml";
    const Trace trace = run_numeric(text, "1/1000");
    CHECK(last_sample(trace, "y") == close_to(2.5, 1e-10));
    CHECK(last_sample(trace, "x") == close_to(0.704218, 1e-3));
    CHECK(last_sample(trace, "g") == close_to(std::exp(-3), 1e-3));
}

TEST_CASE("two decisions one behind the other switch in the same sample") {
    const char* text = R"toml(
[blocks]
s = { type = "step", at = 1 }
p = "if(s - 0.5, 1, 0)"
q = "if(p - 0.5, 1, 0)"
d = "der(q)"
[simulation]
stop = 2
)toml";
    const Trace trace = run_numeric(text, "1/10");
    CHECK(sample(trace, "q", 0.9) == 0);
    CHECK(sample(trace, "q", 1) == 1);
    CHECK(sample(trace, "d", 1) == close_to(10));
}

TEST_CASE("a relay chatters on samples instead of sliding") {
    const char* text = R"toml(
[blocks]
x = { type = "integrator", in = "-sign(x)", initial = 0.05 }
[simulation]
stop = 1
)toml";
    const Trace trace = run_numeric(text, "1/100", GENERATE("right", "left"));
    CHECK(std::abs(last_sample(trace, "x")) <= 0.011);
}

TEST_CASE("a ball whose bounces get shorter than a step falls through the floor; euler tells that it would") {
    const Changes set{{"simulation.step", "1/100"}, {"simulation.stop", "10"}, {"e", "0.5"}};
    Changes numeric = set, symbolic = set;
    numeric.emplace_back("simulation.impulses", "numeric");
    symbolic.emplace_back("simulation.method", "euler");
    const Trace n = run(ball, {}, numeric), s = try_run(ball, {}, symbolic);
    CHECK(s.end_reason == EndReason::zeno);
    const std::vector<double> sampled = times_of(n, "hit"), told = times_of(s, "hit");
    REQUIRE(told.size() >= 5);
    REQUIRE(sampled.size() >= told.size());
    for (std::size_t i = 0; i < told.size(); ++i) CHECK(sampled[i] == close_to(told[i], 1e-9));
    CHECK(last_sample(n, "y") < -100);
}

TEST_CASE("overflow is told with its block and step, and what was simulated is kept") {
    const char* growing = R"toml(
[blocks]
x = { type = "integrator", in = "1000*x", initial = 1 }
twice = "2*x"
[simulation]
stop = 10
)toml";
    const Trace trace = try_run(
        growing, {},
        {{"simulation.impulses", "numeric"}, {"simulation.step", "1/100"}, {"simulation.riemann", "left"}});
    REQUIRE(trace.errors.size() == 1);
    CHECK(trace.errors[0].kind == ErrorKind::not_finite);
    CHECK_THAT(trace.errors[0].text, Catch::Contains("(step ") && Catch::Contains("block"));
    CHECK(trace.end_reason == EndReason::error);
    CHECK(trace.t.size() > 10);
    CHECK(std::isfinite(last_sample(trace, "x")));
}

TEST_CASE("a branch that is not taken may be infinite on samples") {
    const char* text = R"toml(
[blocks]
x = { type = "integrator", in = "1", initial = -1 }
y = "if(x - 0.5, 1/x, if(-0.5 - x, 1/x, 2))"
[simulation]
stop = 2
)toml";
    CHECK(last_sample(run_numeric(text, "1/10"), "y") == close_to(1));
}

TEST_CASE("a pole between two samples ends the run, a jump over zero does not") {
    const Trace trace = try_run("[blocks]\ny = \"1/(t - 1.05)\"\n[simulation]\nstop = 2\n", {},
                                {{"simulation.impulses", "numeric"}, {"simulation.step", "1/10"}});
    REQUIRE(trace.errors.size() == 1);
    CHECK(trace.errors[0].kind == ErrorKind::not_finite);
    CHECK(trace.errors[0].t == close_to(1.1));
    CHECK_THAT(trace.errors[0].text, Catch::Contains("has passed zero"));
    const Trace jumps = run_numeric(
        "[blocks]\nu = { type = \"step\", at = 1.05, size = 2, initial = -1 }\ny = \"1/u\"\n"
        "[simulation]\nstop = 2\n",
        "1/10");
    CHECK(last_sample(jumps, "y") == 1);
}

TEST_CASE("an assertion that fails on a sample ends the run there") {
    const char* text = R"toml(
[blocks]
x = { type = "integrator", in = "-1", initial = 1 }
ok = { type = "assert", in = "x - 0.5", message = "too low" }
[simulation]
stop = 2
)toml";
    const Trace trace = try_run(text, {}, {{"simulation.impulses", "numeric"}, {"simulation.step", "1/100"}});
    REQUIRE(trace.errors.size() == 1);
    CHECK(trace.errors[0].kind == ErrorKind::assertion);
    CHECK(trace.errors[0].t == close_to(0.51, 1e-6));
}

TEST_CASE("What keeps its branch does not keep what it saw while others changed theirs, on samples",
          "[numeric]") {
    const Trace trace = run(R"toml(
[blocks]
s = { type = "step", at = 1, size = 1.5 }
h = { type = "switch", in = "t - 1" }
a = { type = "hysteresis", in = "min(s, 0)", low = -1, high = 1 }
b = { type = "hysteresis", in = "min(h, 0)", low = -1, high = 1 }
c = { type = "hysteresis", in = "s", low = 0, high = 1 }
[simulation]
stop = 2
impulses = "numeric"
)toml");
    CHECK(last_sample(trace, "a") == 0);
    CHECK(last_sample(trace, "b") == 0);
    CHECK(last_sample(trace, "c") == 1);
}
