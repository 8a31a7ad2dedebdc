// Every method on models that switch, against closed forms: right at every tolerance, and better with a
// tighter one.
#include "engine/solve/steppers/stepper.hpp"
#include "tests/engine/run.hpp"

#include <fmt/format.h>

namespace deltaflow::engine_test {

namespace {

// At the end of a run, in units of the tolerance; a tolerance below 1e-9 is not asked of these.
constexpr double gathered = 50;

std::vector<std::string> adaptive_methods() {
    std::vector<std::string> list{"taylor", "dopri5", "rosenbrock4", "auto"};
    if (has_cvode()) list.push_back("cvode");
    return list;
}

Changes by(const std::string& method, double tolerance) {
    return {{"simulation.method", method}, {"simulation.tolerance", fmt::format("{}", tolerance)}};
}

struct Hybrid {
    const char* name;
    const char* text;
    const char* event;          // whose times are known
    std::vector<double> times;  // of all its events
    const char* signal;         // whose value at the stop is known
    double end;
};

const double ln2 = std::log(2.0), root2 = std::sqrt(2.0);

const std::vector<Hybrid> hybrids{
    {"a bouncing ball",
     R"toml(
[blocks]
v = { type = "integrator", in = "-9.81 - 1.5*pre(v)*hit" }
y = { type = "integrator", in = "v", initial = 4.905 }
hit = { type = "crossing", in = "y", direction = "falling" }
[simulation]
stop = 2.6
)toml",
     "hit",
     {1, 2, 2.5},
     "y",
     0.073575},
    {"a thermostat",
     R"toml(
[blocks]
T = { type = "integrator", in = "2*(1 - off) - T" }
off = { type = "hysteresis", in = "T", low = 0.5, high = 1, initial = 0 }
[simulation]
stop = 2
)toml",
     "off",
     {ln2, 2 * ln2, 2 * ln2 + std::log(1.5)},
     "T",
     std::exp(2 * ln2 + std::log(1.5) - 2)},
    {"a neuron that fires",
     R"toml(
[blocks]
x = { type = "integrator", in = "2 - x - pre(x)*fire" }
fire = { type = "crossing", in = "x - 1", direction = "rising" }
[simulation]
stop = 3
)toml",
     "fire",
     {ln2, 2 * ln2, 3 * ln2, 4 * ln2},
     "x",
     2 - 2 * std::exp(4 * ln2 - 3)},
    {"a relay",
     R"toml(
[blocks]
x = { type = "integrator", in = "v", initial = 1 }
v = { type = "integrator", in = "-s" }
s = { type = "sign", in = "x" }
[simulation]
stop = 8
)toml",
     "s",
     {root2, 3 * root2, 5 * root2},
     "x",
     -root2*(8 - 5 * root2) + (8 - 5 * root2) * (8 - 5 * root2) / 2},
    {"pulses",
     R"toml(
[blocks]
u = { type = "pulse", at = 1, width = 0.5, size = 3 }
x = { type = "integrator", in = "u - x" }
low = "if(x - 0.5, 0, 1)"
[simulation]
stop = 3
)toml",
     "low",
     {1 - std::log(1 - 0.5 / 3), 1.5 + std::log((3 - 3 * std::exp(-0.5)) / 0.5)},
     "x",
     3 * (1 - std::exp(-0.5)) * std::exp(-1.5)},
    {"a switch at the very stop",
     R"toml(
[blocks]
x = { type = "integrator", in = "-x", initial = 1 }
d = "if(x - exp(-1), 1, -1)"
[simulation]
stop = 1
)toml",
     "d",
     {1},
     "d",
     -1},
    {"a bounce at the very stop",
     R"toml(
[blocks]
v = { type = "integrator", in = "-9.81 - 1.5*pre(v)*hit" }
y = { type = "integrator", in = "v", initial = 4.905 }
hit = { type = "crossing", in = "y", direction = "falling" }
[simulation]
stop = 2
)toml",
     "hit",
     {1, 2},
     "v",
     2.4525},
};

void check_hybrid(const Hybrid& h, const Changes& set, double error) {
    const Trace trace = run(h.text, {}, set);
    check_times(trace, h.event, h.times, error);
    CHECK(last_sample(trace, h.signal) == close_to(h.end, 10 * error));
}

}  // namespace

TEST_CASE("Models that switch agree with their closed forms at every tolerance", "[engine][methods]") {
    for (const Hybrid& h : hybrids) {
        for (const std::string& method : adaptive_methods())
            for (const double tolerance : {1e-3, 1e-5, 1e-7, 1e-9}) {
                INFO(h.name << " by " << method << ", tolerance " << tolerance);
                check_hybrid(h, by(method, tolerance), gathered * tolerance);
            }
        INFO(h.name << " by rk4");
        check_hybrid(h, {{"simulation.method", "rk4"}}, 1e-8);
    }
}

TEST_CASE("A pulse of a hundredth of the run is not stepped over", "[engine][methods][slow]") {
    for (const std::string& method : adaptive_methods())
        for (const double at : {20.0, 13.37, 31.7})
            for (const double tolerance : {1e-4, 1e-8, 1e-12}) {
                INFO(method << ", at " << at << ", tolerance " << tolerance);
                const Trace trace = run(
                    fmt::format("[blocks]\n"
                                "x = {{ type = \"integrator\", in = \"exp(-((t - {0})/0.2)^2)\" }}\n"
                                "y = {{ type = \"integrator\", in = \"exp(-(t - {0})^2)\" }}\n"
                                "seen = {{ type = \"crossing\", in = \"exp(-((t - {0})/0.2)^2) - 0.5\" }}\n"
                                "[simulation]\nstop = 40\n",
                                at),
                    {}, by(method, tolerance));
                const double pi = 3.141592653589793;
                CHECK(last_sample(trace, "x") == close_to(0.2 * std::sqrt(pi), gathered * tolerance + 1e-11));
                CHECK(last_sample(trace, "y") == close_to(std::sqrt(pi), gathered * tolerance + 1e-11));
                const double width = 0.2 * std::sqrt(ln2);
                check_times(trace, "seen", {at - width, at + width}, 1e-9);
            }
}

TEST_CASE("A very small state grows when its time has come", "[engine][methods]") {
    const char* text = R"toml(
[blocks]
x = { type = "integrator", in = "50*x*(1 - x)", initial = 1e-40 }
half = { type = "crossing", in = "x - 0.5" }
[simulation]
stop = 4
record = ["half", "x"]
)toml";
    for (const std::string& method : adaptive_methods())
        for (const double tolerance : {1e-4, 1e-8}) {
            INFO(method << ", tolerance " << tolerance);
            check_times(run(text, {}, by(method, tolerance)), "half", {40 * std::log(10.0) / 50},
                        gathered * tolerance);
        }
}

TEST_CASE("The sign of what leaves zero does so", "[engine][methods]") {
    const char* text = R"toml(
[blocks]
x = { type = "integrator", in = "t^30" }
y = { type = "integrator", in = "-t^40" }
s = { type = "sign", in = "x" }
r = { type = "sign", in = "y" }
q = { type = "sign", in = "t^30" }
[simulation]
stop = 2
)toml";
    for (const std::string method : {"dopri5", "rk4", "rosenbrock4", "cvode"}) {
        if (method == "cvode" && !has_cvode()) continue;
        INFO(method);
        const Trace trace = run(text, {}, by(method, 1e-6));
        CHECK(last_sample(trace, "s") == 1);
        CHECK(last_sample(trace, "r") == -1);
        CHECK(last_sample(trace, "q") == 1);
        for (const char* signal : {"s", "r", "q"}) CHECK(times_of(trace, signal).size() <= 1);
    }
}

// x - sin(t) is nothing but the method's error: what it decides must be what t decides.
TEST_CASE("The error of a method makes no events", "[engine][methods]") {
    const char* text = R"toml(
[blocks]
x = { type = "integrator", in = "y" }
y = { type = "integrator", in = "-x", initial = 1 }
s = { type = "sign", in = "x - sin(t) + t^9" }
r = { type = "sign", in = "x - sin(t) - t^5" }
q = { type = "sign", in = "sin(t)^3" }
[simulation]
stop = 4
)toml";
    std::vector<std::string> methods = adaptive_methods();
    methods.push_back("rk4");
    for (const std::string& method : methods) {
        INFO(method);
        const Trace trace = run(text, {}, by(method, 1e-6));
        CHECK(times_of(trace, "s").empty());
        CHECK(times_of(trace, "r").empty());
        check_times(trace, "q", {3.141592653589793}, 1e-5);
    }
}

// Published end values (Test Set for Initial Value Problem Solvers); a first step that is too long takes the
// root of a negative number.
TEST_CASE("First steps that cannot be taken are tried again, shorter", "[engine][methods]") {
    const char* text = R"toml(
[blocks]
e = "115.83*a*d"
r1 = "18.7*a^4*sqrt(b)"
r2 = "0.58*c*d"
r3 = "0.58/34.4*a*g"
r4 = "0.09*a*d^2"
r5 = "0.42*e^2*sqrt(b)"
a = { type = "integrator", in = "-2*r1 + r2 - r3 - r4", initial = 0.444 }
b = { type = "integrator", in = "-0.5*r1 - r4 - 0.5*r5 + 3.3*(0.9/737 - b)", initial = 0.00123 }
c = { type = "integrator", in = "r1 - r2 + r3" }
d = { type = "integrator", in = "-r2 + r3 - 2*r4", initial = 0.007 }
g = { type = "integrator", in = "r2 - r3 + r5" }
[simulation]
stop = 180
)toml";
    for (const std::string& method : adaptive_methods())
        for (const double tolerance : {1e-4, 1e-7}) {
            INFO(method << ", tolerance " << tolerance);
            const Trace trace = run(text, {}, by(method, tolerance));
            CHECK(last_sample(trace, "a") == Approx(0.1150794920661702).epsilon(gathered * tolerance));
            CHECK(last_sample(trace, "b") == Approx(0.1203831471567715e-2).epsilon(gathered * tolerance));
            CHECK(last_sample(trace, "c") == Approx(0.1611562887407974).epsilon(gathered * tolerance));
            CHECK(last_sample(trace, "d") == Approx(0.3656156421249283e-3).epsilon(gathered * tolerance));
            CHECK(last_sample(trace, "g") == Approx(0.1708010885264404e-1).epsilon(gathered * tolerance));
            CHECK(last_sample(trace, "e") == Approx(0.4873531310307455e-2).epsilon(gathered * tolerance));
        }
}

// A transient of 1e-6 s is over long before the first sample of an ordinary grid; samples inside the steps
// that cross it are right, too.
TEST_CASE("Samples inside stiff steps are as exact as their ends", "[engine][methods]") {
    const char* text = R"toml(
[blocks]
x = { type = "integrator", in = "-1e6*(x - cos(t))" }
[simulation]
stop = 3
)toml";
    std::vector<double> at;
    for (double t = 1e-8; t < 3; t *= 1.7) at.push_back(t);
    for (const std::string method : {"rosenbrock4", "cvode", "auto"}) {
        if (method == "cvode" && !has_cvode()) continue;
        INFO(method);
        for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
            const Trace trace = run(text, at, by(method, tolerance));
            for (std::size_t i = 0; i < at.size(); ++i) {
                const double a = 1e12 / (1e12 + 1), b = 1e6 / (1e12 + 1);
                const double x = a * (std::cos(at[i]) - std::exp(-1e6 * at[i])) + b * std::sin(at[i]);
                INFO("t = " << at[i] << ", tolerance " << tolerance);
                CHECK(samples_of(trace, "x")[i] == close_to(x, gathered * tolerance));
            }
        }
    }
}

TEST_CASE("`absolute` says how small a state need be known", "[engine][methods]") {
    const char* text = R"toml(
[blocks]
x = { type = "integrator", in = "-x", initial = 1 }
[simulation]
stop = 40
record = ["x"]
)toml";
    for (const std::string method : {"dopri5", "rosenbrock4", "cvode"}) {
        if (method == "cvode" && !has_cvode()) continue;
        INFO(method);
        Changes fine = by(method, 1e-6), coarse = by(method, 1e-6);
        fine.emplace_back("simulation.absolute", "1e-40");
        coarse.emplace_back("simulation.absolute", "1e-2");
        const Trace exact = run(text, {}, fine), rough = run(text, {}, coarse);
        CHECK(last_sample(exact, "x") == Approx(std::exp(-40)).epsilon(1e-4));
        CHECK(std::abs(last_sample(rough, "x")) < 1e-2);
        CHECK(rough.statistics.steps < exact.statistics.steps);
    }
    CHECK_THAT(
        [] {
            try {
                model_of("[blocks]\nx = \"t\"\n[simulation]\nabsolute = 0\n");
                return std::string();
            } catch (const ModelError& e) {
                return std::string(e.what());
            }
        }(),
        Catch::Contains("\"absolute\" must be greater than 0"));
}

// Its charge is 2e-4: `absolute`, a number for all states, must not stand for a volt of it.
TEST_CASE("`absolute` gives away nothing that a state has shown", "[engine][methods]") {
    const char* text = R"toml(
[circuit]
u = { type = "voltage", between = "a ground", value = "200*sin(314*t)" }
s = { type = "resistor", between = "a b", value = 100 }
d = { type = "diode", between = "b p" }
c = { type = "capacitor", between = "p ground", value = 1e-6 }
r = { type = "resistor", between = "p ground", value = 1e5 }
[simulation]
stop = 0.03
tolerance = 1e-6
record = ["p.voltage"]
)toml";
    const double end = last_sample(run(text, {}, by("taylor", 1e-12)), "p.voltage");
    for (const std::string& method : adaptive_methods())
        for (const char* absolute : {"1e-9", "1e-6", "1"}) {
            CAPTURE(method, absolute);
            Changes changes = by(method, 1e-6);
            changes.emplace_back("simulation.absolute", absolute);
            CHECK(last_sample(run(text, {}, changes), "p.voltage") == Approx(end).epsilon(1e-4));
        }
}

// 1 + tanh comes out of the rounding of two ones: no step is short enough for it to be smooth.
TEST_CASE("Slopes that are rounding alone end no run", "[engine][methods]") {
    const std::pair<const char*, double> cases[] = {{"tanh(40*(t - 8)) + 1", 4.0},
                                                    {"min(1 + tanh(9*(t - 5)), 0.5)", 2.562481682735}};
    for (const auto& [slope, end] : cases)
        for (const std::string& method : adaptive_methods()) {
            CAPTURE(slope, method);
            const Trace trace =
                run(fmt::format("[blocks]\nx = {{ type = \"integrator\", in = \"{}\" }}\n", slope), {},
                    {{"simulation.method", method}});
            CHECK(last_sample(trace, "x") == Approx(end).epsilon(1e-9));
        }
    for (const char* const method : {"dopri5", "rosenbrock4"}) {
        const Trace trace =
            run("[blocks]\nx = { type = \"integrator\", in = \"cos(t/9)^2 + sin(t/9)^2 - 1 + heaviside(t - "
                "9)\" }\n",
                {}, {{"simulation.method", method}});
        CHECK(last_sample(trace, "x") == Approx(1).epsilon(1e-9));
        CHECK(trace.statistics.steps < 2000);
    }
}

// The oscillator reaches 0.5 at asin(0.5). A step that comes a little later ends the flow there, when the
// crossing is over by less than the errors of the method.
TEST_CASE("A crossing is not lost where an event comes right behind it", "[engine][methods][slow]") {
    const double behind = GENERATE(-1e-6, -1e-9, 0.0, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6);
    std::vector<std::string> methods = adaptive_methods();
    methods.push_back("rk4");
    for (const std::string& method : methods)
        for (const double step : {0.1, 0.05, 0.037, 0.01}) {
            CAPTURE(method, behind, step);
            const Trace trace = try_run(fmt::format(R"toml(
[blocks]
x = {{ type = "integrator", in = "v" }}
v = {{ type = "integrator", in = "-x", initial = 1 }}
later = {{ type = "step", at = {} }}
hit = {{ type = "crossing", in = "x - 0.5", direction = "rising" }}
n = {{ type = "integrator", in = "hit" }}
z = {{ type = "integrator", in = "later + n" }}
[simulation]
stop = 1.5
record = ["n"]
)toml",
                                                    std::asin(0.5) + behind),
                                        {},
                                        {{"simulation.method", method},
                                         {"simulation.step", fmt::format("{}", step)},
                                         {"simulation.tolerance", fmt::format("{}", 1e-7 * step)}});
            CHECK(trace.samples[0].back() == 1);
        }
}

}  // namespace deltaflow::engine_test
