// Words that follow their input late: rate_limiter and variable_delay; and laws of resistors by their effort.
#include "tests/engine/run.hpp"
#include "tests/engine/simulation_held.hpp"

namespace deltaflow::engine_test {

namespace {

const std::vector<std::string> all_methods{"taylor", "dopri5", "rk4", "rosenbrock4", "auto"};

std::string model(const std::string& blocks, double stop) {
    return "[blocks]\n" + blocks + "\n[simulation]\nstop = " + std::to_string(stop) +
           "\nstep = 0.001\nrecord = [\"y\"]\n";
}

}  // namespace

TEST_CASE("a rate limiter follows as fast as it may, and begins at its input") {
    for (const std::string& method : all_methods) {
        INFO(method);
        // 3 + a step by 4 at t = 1, at rate 2: up to 7 at t = 3
        const Trace step = run(model("s = { type = \"step\", at = 1, size = 4 }\n"
                                     "y = { type = \"rate_limiter\", in = \"3 + s\", rate = 2 }",
                                     5),
                               {0.5, 2, 4}, {{"simulation.method", method}});
        CHECK(sample(step, "y", 0.5) == close_to(3, 1e-9));
        CHECK(sample(step, "y", 2) == close_to(5, 1e-9));
        CHECK(sample(step, "y", 4) == close_to(7, 1e-9));
        CHECK(happenings(step, "y").empty());
        // What it does is no mistake of the model, where sliding is one.
        const Trace strict = run(model("y = { type = \"rate_limiter\", in = \"min(3*t, 4)\", rate = 2 }", 5),
                                 {1, 4}, {{"simulation.method", method}, {"simulation.sliding", "error"}});
        CHECK(sample(strict, "y", 1) == close_to(2, 1e-9));
        CHECK(sample(strict, "y", 4) == close_to(4, 1e-9));
        // sin(t) at rate 1/2: left at cos(t) = 1/2, met again where sin(t) has come back
        const Trace sine = run(model("y = { type = \"rate_limiter\", in = \"t - t^2/4\", rate = 0.5 }", 6),
                               {0.5, 1.5, 4}, {{"simulation.method", method}});
        CHECK(sample(sine, "y", 0.5) == close_to(0.25, 1e-9));
        CHECK(sample(sine, "y", 1.5) == close_to(0.75, 1e-9));
        // t/2 = t - t^2/4 at t = 2; from there the input falls, faster than 1/2 from t = 3 on
        CHECK(sample(sine, "y", 4) == close_to(0.75 - 0.5, 1e-9));
    }
    const Trace struck =
        try_run(model("d = { type = \"impulse\", at = 1 }\n"
                      "y = { type = \"rate_limiter\", in = \"d\", rate = 1 }",
                      2));
    REQUIRE(struck.errors.size() == 1);
    CHECK(exit_code(struck.errors[0].kind) == 4);
    const Trace sampled = run(model("y = { type = \"rate_limiter\", in = \"3*t\", rate = 2 }", 2), {1.5},
                              {{"simulation.impulses", "numeric"}});
    CHECK(sample(sampled, "y", 1.5) == close_to(3, 1e-2));
}

TEST_CASE("a delay that varies reads the past where it says") {
    const auto by = [](double t) { return 1 + 0.5 * std::sin(t); };
    const auto u = [](double t) { return t < 0 ? 7 : std::cos(2 * t); };
    for (const std::string& method : all_methods) {
        INFO(method);
        const std::vector<double> times{0.5, 1, 2, 3, 4.5, 6, 7.7};
        const Trace trace = run(model("y = { type = \"variable_delay\", in = \"cos(2*t)\", "
                                      "by = \"1 + 0.5*sin(t)\", at_most = 2, initial = 7 }",
                                      8),
                                times, {{"simulation.method", method}});
        for (const double t : times) CHECK(sample(trace, "y", t) == close_to(u(t - by(t)), 1e-8));
    }
    const Trace sampled = run(model("y = { type = \"variable_delay\", in = \"cos(2*t)\", "
                                    "by = \"1 + 0.5*sin(t)\", at_most = 2, initial = 7 }",
                                    8),
                              {3, 6}, {{"simulation.impulses", "numeric"}});
    CHECK(sample(sampled, "y", 3) == close_to(u(3 - by(3)), 1e-2));
    CHECK(sample(sampled, "y", 6) == close_to(u(6 - by(6)), 1e-2));
}

TEST_CASE("a delay that varies may jump, go backwards, and pass impulses on") {
    const Trace jumps =
        run(model("s = { type = \"step\", at = 2 }\n"
                  "y = { type = \"variable_delay\", in = \"t^2\", by = \"1.5 - s\", at_most = 2 }",
                  3),
            {1.75, 2.5});
    CHECK(sample(jumps, "y", 1.75) == close_to(0.0625));
    CHECK(sample(jumps, "y", 2.5) == close_to(4));
    REQUIRE(happenings(jumps, "y").size() == 1);
    CHECK(happenings(jumps, "y")[0].right == close_to(2.25));
    // t - by = t - t^2/4 - 1/10 rises up to t = 2 and then falls
    const Trace back =
        run(model("y = { type = \"variable_delay\", in = \"3*t\", by = \"t^2/4 + 0.1\", at_most = 5 }", 4),
            {1, 2, 3.5});
    CHECK(sample(back, "y", 1) == close_to(3 * (1 - 0.25 - 0.1)));
    CHECK(sample(back, "y", 2) == close_to(3 * 0.9));
    CHECK(sample(back, "y", 3.5) == close_to(3 * (3.5 - 3.0625 - 0.1)));
    // delta at 1 comes out where t/2 - 1/4 = 1, twice as large
    const Trace struck =
        run(model("d = { type = \"impulse\", at = 1, size = 3 }\n"
                  "y = { type = \"variable_delay\", in = \"d\", by = \"t/2 + 0.25\", at_most = 4 }",
                  4));
    REQUIRE(happenings(struck, "y").size() == 1);
    CHECK(happenings(struck, "y")[0].t == close_to(2.5));
    check_impulses(happenings(struck, "y")[0].impulses, {6});
    for (const std::string by : {"1 - t", "1 + t"}) {
        const Trace fails = try_run(
            model("y = { type = \"variable_delay\", in = \"t\", by = \"" + by + "\", at_most = 1.5 }", 3));
        REQUIRE(fails.errors.size() == 1);
    }
}

TEST_CASE("a resistor by its inverse law") {
    // f = e + e^3 in front of a capacitor: q' = -(q + q^3), q^2 / (1 + q^2) falls like exp(-2 t)
    const std::string text = R"toml(
[elements]
c = { type = "C", value = 1, displacement = 1 }
r = { type = "R", law = "e + e^3" }
j = { type = "0" }
[bonds]
b1 = "j -> c"
b2 = "j -> r"
[blocks]
y = "c.displacement"
[simulation]
stop = 2
step = 0.001
)toml";
    for (const std::string& method : all_methods) {
        INFO(method);
        const Trace trace = run(text, {1, 2}, {{"simulation.method", method}});
        for (const double t : {1.0, 2.0}) {
            const double part = 0.5 * std::exp(-2 * t);
            CHECK(sample(trace, "y", t) == close_to(std::sqrt(part / (1 - part)), 1e-9));
        }
    }
    // In series with a source of flow it is solved for e: e + e^3 = 10 at e = 2.
    const Trace solved = run(R"toml(
[elements]
s = { type = "Sf", flow = 10 }
r = { type = "R", law = "e + e^3" }
[bonds]
b = "s -> r"
[blocks]
y = "r.effort"
[simulation]
stop = 1
)toml");
    CHECK(last_sample(solved, "y") == close_to(2));
}

TEST_CASE("words that keep something go on from saved states, bit for bit", "[simulation][slow]") {
    const std::string text = R"toml(
[blocks]
v = { type = "integrator", in = "z - 10 + 12*sin(t)" }
x = { type = "integrator", in = "v", initial = 5 }
z = { type = "complement", w = "x" }
r = { type = "rate_limiter", in = "5*sin(3*t)", rate = 4 }
q = { type = "variable_delay", in = "x", by = "1 + 0.5*sin(t)", at_most = 2 }
b = { type = "backlash", in = "x", width = 1, initial = 9 }
l = { type = "limited_integrator", in = "cos(t)", low = -0.5, high = 0.5 }
[simulation]
stop = 6
)toml";
    for (const std::string method : {"taylor", "dopri5", "rosenbrock4"}) {
        INFO(method);
        const Model model = Model::parse(text, "words.toml", {{"simulation.method", method}});
        const Options options = model.options();
        const Trace alone = held::run(model, options, 1, held::Way::held);
        CHECK(held::difference(alone, held::run(model, options, 7, held::Way::restored)).empty());
        CHECK(held::difference(alone, held::run(model, options, 7, held::Way::looked_at)).empty());
    }
}

}  // namespace deltaflow::engine_test
