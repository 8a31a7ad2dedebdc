// Proof on request: right numbers, or exit code 7 with words.
#include "tests/engine/run.hpp"

using namespace deltaflow;
using namespace deltaflow::engine_test;

namespace {

const Changes certified{{"simulation.certify", "true"}};

// A run that must be proved from start to stop.
Trace proved(const std::string& text, const std::vector<double>& at = {}) {
    Trace trace = run(text, at, certified);
    REQUIRE(trace.proved);
    CHECK(trace.proved->steps > 0);
    CHECK(trace.proved->local_error <= 1e-12);
    return trace;
}

// What a run says that cannot be proved.
std::string complaint(const std::string& text) {
    const Trace trace = try_run(text, {}, certified);
    REQUIRE(trace.errors.size() == 1);
    CHECK(trace.errors[0].kind == ErrorKind::not_finite);
    return trace.errors[0].text;
}

std::string integral(const std::string& of, double stop) {
    return fmt::format("[blocks]\nx = {{ type = \"integrator\", in = \"{}\" }}\n[simulation]\nstop = {}\n",
                       of, stop);
}

std::string detector(const std::string& of, double stop) {
    return fmt::format(
        "[blocks]\nc = {{ type = \"crossing\", in = \"{}\" }}\nn = {{ type = \"integrator\", in = \"c\" }}\n"
        "[simulation]\nstop = {}\n",
        of, stop);
}

}  // namespace

TEST_CASE("A proof sees what vanishes where the series begins", "[engine]") {
    CHECK(last_sample(proved(integral("t^24", 2)), "x") == close_to(1342177.28));
    CHECK(last_sample(proved(integral("1 + tanh(5*(t - 5))", 10)), "x") == close_to(10));
    CHECK(last_sample(proved("[blocks]\ny = \"min(t^30, t)\"\n[simulation]\nstop = 2"), "y") == close_to(2));
    check_times(proved(detector("(t/1.5)^200 - 1", 2)), "c", {1.5});
}

TEST_CASE("Bumps of any width are found", "[engine]") {
    const double root_pi = 1.7724538509055159;
    for (const double width : {1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5}) {
        INFO(width);
        const double steepness = 1 / (width * width);
        const Trace trace = proved(integral(fmt::format("exp(-{:.17g}*(t - 5)^2)", steepness), 10));
        // At both ends the widest one still has exp(-25).
        CHECK(last_sample(trace, "x") == close_to(width * root_pi * std::erf(5 / width), 1e-10));
    }
}

TEST_CASE("A bump of a thousandth in a run of a thousand is found, and where it passes a half", "[engine]") {
    CHECK(last_sample(proved(integral("exp(-1e6*(t - 500)^2)", 1000)), "x") ==
          close_to(1.7724538509055159e-3, 1e-10));
    const double off = std::sqrt(std::log(2.0)) * 1e-3;
    const Trace trace = proved(detector("exp(-1e6*(t - 500)^2) - 0.5", 1000));
    check_times(trace, "c", {500 - off, 500 + off});
    CHECK(trace.proved->events == 2);
}

TEST_CASE("A bump that is too narrow for any step ends the run within a bound of work", "[engine]") {
    const Trace trace = try_run(integral("exp(-1e30*(t - 500.3)^2)", 1000), {}, certified);
    if (trace.errors.empty())
        CHECK(last_sample(trace, "x") == close_to(1.7724538509055159e-15, 1e-9));
    else
        CHECK(trace.errors[0].kind == ErrorKind::not_finite);
}

TEST_CASE("Smooth nonlinear flow is proved step by step", "[engine]") {
    const Trace pendulum = proved(R"toml(
        [blocks]
        a = { type = "integrator", in = "w", initial = 2 }
        w = { type = "integrator", in = "-9.81*sin(a)" }
        energy = "w^2/2 - 9.81*cos(a)"
        [simulation]
        stop = 20
    )toml");
    for (const double e : samples_of(pendulum, "energy")) CHECK(e == close_to(-9.81 * std::cos(2.0), 1e-11));
    const Trace kepler = proved(R"toml(
        [blocks]
        x = { type = "integrator", in = "vx", initial = 0.5 }
        y = { type = "integrator", in = "vy" }
        vx = { type = "integrator", in = "-x/r3" }
        vy = { type = "integrator", in = "-y/r3", initial = "sqrt(3)" }
        r2 = "x^2 + y^2"
        r3 = "r2*sqrt(r2)"
        [simulation]
        stop = "2*pi"
    )toml");
    CHECK(last_sample(kepler, "x") == close_to(0.5, 1e-11));
    CHECK(last_sample(kepler, "y") == close_to(0, 1e-11));
}

TEST_CASE("A proved run of Lorenz's equations agrees with a plain one at a finer tolerance", "[engine]") {
    const std::string text = R"toml(
        [blocks]
        x = { type = "integrator", in = "10*(y - x)", initial = 1 }
        y = { type = "integrator", in = "x*(28 - z) - y", initial = 1 }
        z = { type = "integrator", in = "x*y - 8*z/3", initial = 1 }
        [simulation]
        stop = 10
    )toml";
    const double x = last_sample(proved(text), "x");
    const Trace plain = run(text, {}, {{"simulation.tolerance", "1e-15"}});
    CHECK(x == close_to(last_sample(plain, "x"), 1e-8));  // errors grow by exp(0.9 t)
}

TEST_CASE("Bounces are proved, in free flight and with drag", "[engine]") {
    const std::string ball = R"toml(
        [blocks]
        a   = "-9.81 - {}*v*abs(v) + F"
        F   = "-1.8 * pre(v) * hit"
        hit = {{ type = "crossing", in = "y", direction = "falling" }}
        v   = {{ type = "integrator", in = "a" }}
        y   = {{ type = "integrator", in = "v", initial = 10 }}
        [simulation]
        stop = 4
    )toml";
    const double fall = std::sqrt(20 / 9.81);
    const Trace free = proved(fmt::format(fmt::runtime(ball), 0));
    check_times(free, "v", {fall, 2.6 * fall});
    CHECK(free.proved->events >= 2);
    // y = ln(cosh(sqrt(g k) t)) / k fallen
    const double k = 0.1, first = std::acosh(std::exp(10 * k)) / std::sqrt(9.81 * k);
    const Trace drag = proved(fmt::format(fmt::runtime(ball), k));
    CHECK(times_of(drag, "v").at(0) == close_to(first));
}

TEST_CASE("A touch is undecided, and told so", "[engine]") {
    CHECK_THAT(complaint(detector("1 - sin(t)", 4)),
               Catch::Contains("undecided") && Catch::Contains("1.5707"));
    CHECK_THAT(complaint(detector("exp(t) - 1 - t + 0*t", 4) + "start = -1\n"), Catch::Contains("undecided"));
    // A hair above or below is none.
    CHECK(proved(detector("1 + 1e-9 - sin(t)", 4)).events.empty());
    CHECK(proved(detector("1 - 1e-9 - sin(t)", 4)).events.size() == 2);
}

TEST_CASE("Where the flow is a polynomial fractions tell a touch from a passage", "[engine]") {
    CHECK(proved(detector("(t - 1)^2", 4)).events.empty());
    CHECK(proved(detector("(t - 1/3)^4", 4)).events.empty());
    const Trace trace = proved(detector("(t - 1)^3", 4));
    REQUIRE(trace.events.size() == 1);
    CHECK(trace.events[0].t == close_to(1));
    // A parabola through a state: it touches where its velocity is zero.
    CHECK(proved(R"toml(
        [blocks]
        v = { type = "integrator", in = "2", initial = -4 }
        y = { type = "integrator", in = "v", initial = 4 }
        c = { type = "crossing", in = "y" }
        n = { type = "integrator", in = "c" }
        [simulation]
        stop = 5
    )toml")
              .events.empty());
}

TEST_CASE("A condition that leaves zero later than its derivatives show is undecided", "[engine]") {
    CHECK_THAT(complaint("[blocks]\ns = \"sign(sin(t)^40)\"\n[simulation]\nstop = 2\n"),
               Catch::Contains("undecided"));
    CHECK_THAT(complaint("[blocks]\ns = \"if(-sin(t)^40, 1, 2)\"\n[simulation]\nstop = 2\n"),
               Catch::Contains("undecided"));
    // What rests at zero is no trouble.
    const Trace rest = proved(R"toml(
        [blocks]
        x = { type = "integrator", in = "-x" }
        y = { type = "integrator", in = "cos(t)", initial = 1 }
        z = { type = "integrator", in = "cos(t)", initial = 1 }
        s = "sign(x)"
        m = "max(y - z, -1)"
        e = "if(y - z, 1, 2)"
        [simulation]
        stop = 5
    )toml");
    CHECK(last_sample(rest, "s") == 0);
    CHECK(last_sample(rest, "e") == 1);
}

TEST_CASE("Detectors of one direction let the other pass", "[engine]") {
    const Trace trace = proved(R"toml(
        [blocks]
        up = { type = "crossing", in = "sin(t)", direction = "rising" }
        n  = { type = "integrator", in = "up" }
        [simulation]
        stop = 20
    )toml");
    const double pi = 3.141592653589793;
    check_times(trace, "up", {2 * pi, 4 * pi, 6 * pi});
}

TEST_CASE("A diode in a loop is proved by Krawczyk's test", "[engine]") {
    const Trace trace = proved(R"toml(
        [blocks]
        u = { type = "sine", amplitude = 5, omega = 1 }
        d = "u - 1e-9*(exp(d/0.026) - 1)"
        x = { type = "integrator", in = "d" }
        residual = "u - 1e-9*(exp(d/0.026) - 1) - d"
        [simulation]
        stop = 7
    )toml");
    for (const double r : samples_of(trace, "residual")) CHECK(r == close_to(0, 1e-10));
}

TEST_CASE("A loop that rests is proved", "[engine]") {
    const Trace trace = proved(R"toml(
        [blocks]
        a = "0.4*tanh(b)"
        b = "a + 7/4"
        x = { type = "integrator", in = "a - x" }
        [simulation]
        stop = 3
    )toml");
    const double a = last_sample(trace, "a");
    CHECK(a == close_to(0.4 * std::tanh(a + 1.75)));
    CHECK(last_sample(trace, "x") == close_to(a * (1 - std::exp(-3.0))));
}

TEST_CASE("Linear loops are proved, of values and of slopes", "[engine]") {
    const Trace trace = proved(R"toml(
        [blocks]
        y = { type = "integrator", in = "u" }
        u = "der(w)"
        w = "sin(t) - y"
        a = "t - 2*b"
        b = "a + x"
        x = { type = "integrator", in = "-x", initial = 1 }
        z = { type = "integrator", in = "a" }
        [simulation]
        stop = 2
    )toml");
    CHECK(last_sample(trace, "y") == close_to(std::sin(2.0) / 2));
    // a = (t - 2 x) / 3
    CHECK(last_sample(trace, "z") == close_to((2 - 2 * (1 - std::exp(-2.0))) / 3));
}

TEST_CASE("Delays are proved on the past that they were given", "[engine]") {
    const Trace trace = proved(R"toml(
        [blocks]
        x = { type = "integrator", in = "-d", initial = 1 }
        d = { type = "delay", in = "x", by = 1, initial = 1 }
        [simulation]
        stop = 3
    )toml");
    // Steps of x' = -x(t - 1): 1 - t, then polynomials.
    CHECK(last_sample(trace, "x") == close_to(1 - 3 + 4.0 / 2 - 1.0 / 6));
    proved(R"toml(
        [blocks]
        x = { type = "integrator", in = "2*d/(1 + d^10) - x", initial = 0.5 }
        d = { type = "delay", in = "x", by = 2, initial = 0.5 }
        [simulation]
        stop = 10
    )toml");
}

TEST_CASE("A collision of a bond graph is proved", "[engine]") {
    const Trace trace = proved(R"toml(
        [elements]
        body1   = { type = "I", value = 1, momentum = 1.0, displacement = -1.0 }
        body2   = { type = "I", value = 2 }
        v1      = { type = "1" }
        v2      = { type = "1" }
        contact = { type = "0", off = "effort", automaton = "touch" }
        bounce  = { type = "MSf", flow = "0.5 * pre(v1.flow - v2.flow)" }
        [bonds]
        b1 = "v1 -> body1"
        b2 = "v2 -> body2"
        b3 = "v1 -> contact"
        b4 = "contact -> v2"
        b5 = "bounce -> contact"
        [automata.touch]
        initial = "apart"
        states  = { apart = "off", together = "on" }
        transitions = [
          { from = "apart",    to = "together", when = "body1.displacement >= body2.displacement and pre(v1.flow - v2.flow) > 0" },
          { from = "together", to = "apart",    when = "pre(v1.flow - v2.flow) < 0" },
        ]
        [simulation]
        stop = 3
        record = ["v1.flow", "v2.flow"]
    )toml");
    CHECK(trace.events.at(0).t == close_to(1));
    CHECK(last_sample(trace, "v1.flow") == close_to(0));
    CHECK(last_sample(trace, "v2.flow") == close_to(0.5));
    CHECK(trace.proved->events >= 1);
}

TEST_CASE("A solution that runs into a pole cannot be proved up to there", "[engine]") {
    const Trace trace = try_run(
        "[blocks]\nx = { type = \"integrator\", in = \"x^2\", initial = 1 }\n[simulation]\nstop = 2\n", {},
        certified);
    REQUIRE(trace.errors.size() == 1);
    CHECK(trace.errors[0].kind == ErrorKind::not_finite);
    CHECK(trace.end_t == close_to(1, 1e-3));
}

TEST_CASE("A tolerance below rounding cannot be proved", "[engine]") {
    const Trace trace = try_run(integral("sin(100*t)*exp(sin(t))", 10), {},
                                {{"simulation.certify", "true"}, {"simulation.tolerance", "1e-17"}});
    REQUIRE(trace.errors.size() == 1);
    CHECK(trace.errors[0].kind == ErrorKind::not_finite);
    CHECK_THAT(trace.errors[0].text, Catch::Contains("rounding"));
}

TEST_CASE("Only taylor with symbolic impulses is certified", "[engine]") {
    const std::string text = integral("t", 1) + "certify = true\n";
    CHECK_THAT(refusal(text + "method = \"dopri5\"\n", 2), Catch::Contains("dopri5"));
    CHECK_THAT(refusal(text + "method = \"auto\"\n", 2), Catch::Contains("auto"));
    CHECK(refusal(text + "method = \"taylor\"\n").empty());
    CHECK_THAT(refusal(text + "impulses = \"numeric\"\n", 2), Catch::Contains("numeric"));
    CHECK(refusal(text).empty());
}

TEST_CASE("Without certify nothing is said to be proved", "[engine]") {
    CHECK(!run(integral("t", 1)).proved);
}
