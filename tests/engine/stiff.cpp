// Stiff models: test problems with published ends, and explicit methods that notice them.
#include "engine/solve/steppers/stepper.hpp"
#include "tests/engine/run.hpp"

#include <fmt/format.h>

namespace deltaflow::engine_test {

namespace {

// Errors of single steps are kept to a part of the tolerance; at the end of a run some times the tolerance is
// left of them, where small states are asked for (`absolute`).
constexpr double gathered = 20;

// Of E5 eight digits are published.
constexpr double published = 1e-8;

struct Problem {
    const char* name;
    const char* text;
    std::vector<std::pair<const char*, double>> end;
};

// Ends as the Test Set for Initial Value Problem Solvers (Mazzia, Magherini) and Hairer and Wanner have them.
const std::vector<Problem> problems{
    {"Robertson's reaction",
     R"toml(
[blocks]
a = { type = "integrator", in = "-0.04*a + 1e4*b*c", initial = 1 }
b = { type = "integrator", in = "0.04*a - 1e4*b*c - 3e7*b*b" }
c = { type = "integrator", in = "3e7*b*b" }
[simulation]
stop = 1e11
absolute = 1e-20
)toml",
     {{"a", 0.2083340149701255e-7}, {"b", 0.8333360770334713e-13}, {"c", 0.9999999791665050}}},
    {"HIRES",
     R"toml(
[blocks]
a = { type = "integrator", in = "-1.71*a + 0.43*b + 8.32*c + 0.0007", initial = 1 }
b = { type = "integrator", in = "1.71*a - 8.75*b" }
c = { type = "integrator", in = "-10.03*c + 0.43*d + 0.035*e" }
d = { type = "integrator", in = "8.32*b + 1.71*c - 1.12*d" }
e = { type = "integrator", in = "-1.745*e + 0.43*f + 0.43*g" }
f = { type = "integrator", in = "-280*f*h + 0.69*d + 1.71*e - 0.43*f + 0.69*g" }
g = { type = "integrator", in = "280*f*h - 1.81*g" }
h = { type = "integrator", in = "-280*f*h + 1.81*g", initial = 0.0057 }
[simulation]
stop = 321.8122
)toml",
     {{"a", 0.7371312573325668e-3},
      {"b", 0.1442485726316185e-3},
      {"c", 0.5888729740967575e-4},
      {"d", 0.1175651343283149e-2},
      {"e", 0.2386356198831331e-2},
      {"f", 0.6238968252742796e-2},
      {"g", 0.2849998395185769e-2},
      {"h", 0.2850001604814231e-2}}},
    {"the Oregonator",
     R"toml(
[blocks]
a = { type = "integrator", in = "77.27*(b + a*(1 - 8.375e-6*a - b))", initial = 1 }
b = { type = "integrator", in = "(c - (1 + a)*b)/77.27", initial = 2 }
c = { type = "integrator", in = "0.161*(a - c)", initial = 3 }
[simulation]
stop = 360
)toml",
     {{"a", 0.1000814870318523e1}, {"b", 0.1228178521549917e4}, {"c", 0.1320554942846706e3}}},
    {"van der Pol's oscillator",
     R"toml(
[blocks]
x = { type = "integrator", in = "y", initial = 2 }
y = { type = "integrator", in = "((1 - x^2)*y - x)*1e6" }
[simulation]
stop = 2
)toml",
     {{"x", 0.1706167732170483e1}, {"y", -0.8928097010247975}}},
    {"the Brusselator",
     R"toml(
[blocks]
u = { type = "integrator", in = "1 + u^2*v - 4*u", initial = 1.5 }
v = { type = "integrator", in = "3*u - u^2*v", initial = 3 }
[simulation]
stop = 20
)toml",
     {{"u", 0.4986370712683478}, {"v", 0.4596780349452011e1}}},
    // Written with its law of conservation, c = b - d: as a state of its own c would keep the rounding of
    // times at which it was 1e12 times as large.
    {"E5",
     R"toml(
[blocks]
p = "7.89e-10*a"
q = "1.1e7*a*c"
a = { type = "integrator", in = "-p - q", initial = 1.76e-3 }
b = { type = "integrator", in = "p - 1.13e9*b*c" }
c = "b - d"
d = { type = "integrator", in = "q - 1.13e3*d" }
[simulation]
stop = 1e13
absolute = 1e-30
)toml",
     {{"b", 8.8612335e-23}, {"c", 8.8612335e-23}}},
};

std::vector<std::string> stiff_methods() {
    std::vector<std::string> list{"rosenbrock4", "auto"};
    if (has_cvode()) list.push_back("cvode");
    return list;
}

Trace run_with(const std::string& text, const std::string& method, double tolerance) {
    return run(text, {},
               {{"simulation.method", method}, {"simulation.tolerance", fmt::format("{}", tolerance)}});
}

const char* robertsons_roots = R"toml(
[blocks]
a = { type = "integrator", in = "-0.04*a + 1e4*b*c", initial = 1 }
b = { type = "integrator", in = "0.04*a - 1e4*b*c - 3e7*b*b" }
c = { type = "integrator", in = "3e7*b*b" }
low = { type = "crossing", in = "a - 1e-4" }
high = { type = "crossing", in = "c - 0.01" }
[simulation]
stop = 4e10
absolute = 1e-14
record = ["low", "high"]
)toml";

bool is_called_stiff(const Trace& trace) {
    return std::any_of(trace.warnings.begin(), trace.warnings.end(), [](const std::string& warning) {
        return warning.find("the model is stiff") != std::string::npos;
    });
}

}  // namespace

TEST_CASE("Stiff problems end at their published values, to the tolerance asked", "[engine][stiff][slow]") {
    for (const Problem& problem : problems)
        for (const std::string& method : stiff_methods())
            for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
                INFO(problem.name << " by " << method << ", tolerance " << tolerance);
                const Trace trace = run_with(problem.text, method, tolerance);
                for (const auto& [signal, end] : problem.end)
                    CHECK(last_sample(trace, signal) == Approx(end).epsilon(gathered * tolerance).margin(0));
            }
}

TEST_CASE("Robertson's reaction leaves the physical range with no tolerance", "[engine][stiff]") {
    for (const std::string& method : stiff_methods())
        for (const double tolerance : {1e-3, 1e-4, 1e-5, 1e-6}) {
            INFO(method << ", tolerance " << tolerance);
            const std::string text(problems[0].text);
            const Trace trace = run_with(text.substr(0, text.find("absolute")), method, tolerance);
            CHECK(last_sample(trace, "c") == Approx(0.9999999791665050).epsilon(tolerance));
        }
}

// Both roots are those of runs at tolerance 1e-12 by two methods.
TEST_CASE("Roots in stiff flow converge as the tolerance tightens", "[engine][stiff]") {
    for (const std::string& method : stiff_methods())
        for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
            INFO(method << ", tolerance " << tolerance);
            const Trace trace = run_with(robertsons_roots, method, tolerance);
            check_times(trace, "high", {0.264019078188}, gathered * tolerance);
            const auto low = times_of(trace, "low");
            REQUIRE(low.size() == 1);
            CHECK(low[0] == Approx(20795496.883).epsilon(gathered * tolerance));
        }
}

// L i' = u - R(i) i: a diode that conducts (R = 1) or blocks (R = 1e5). With u = 10 cos(1000 t) the current
// is i = 10 (cos wt + wL sin wt - exp(-t/L)) / (1 + (wL)^2), wL = 10, until it is back at zero.
TEST_CASE("The kink of a diode and a coil is where it is, with every tolerance", "[engine][stiff]") {
    const char* text = R"toml(
[blocks]
u = "10*cos(1000*t)"
i = { type = "integrator", in = "(u - if(i, i, 1e5*i))/0.01" }
blocks = "if(i, 0, 1)"
[simulation]
stop = 0.005
record = ["blocks"]
)toml";
    const double kink = 0.00296790529950892;
    std::vector<std::string> methods = stiff_methods();
    methods.insert(methods.end(), {"taylor", "dopri5"});
    for (const std::string& method : methods)
        for (const double tolerance : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-10}) {
            INFO(method << ", tolerance " << tolerance);
            const auto times = times_of(run_with(text, method, tolerance), "blocks");
            REQUIRE(!times.empty());
            CHECK(times[0] == Approx(kink).epsilon(gathered * tolerance));
        }
}

TEST_CASE("Explicit methods say where stability limits them, and only there", "[engine][stiff]") {
    const char* stiff = R"toml(
[blocks]
x = { type = "integrator", in = "-10000*(x - cos(t))" }
[simulation]
stop = 2
)toml";
    const char* lorenz = R"toml(
[blocks]
x = { type = "integrator", in = "10*(y - x)", initial = 1 }
y = { type = "integrator", in = "x*(28 - z) - y", initial = 1 }
z = { type = "integrator", in = "x*y - 8/3*z", initial = 1 }
[simulation]
stop = 20
)toml";
    const char* pendulum = R"toml(
[blocks]
x = { type = "integrator", in = "v", initial = 3 }
v = { type = "integrator", in = "-sin(x)" }
[simulation]
stop = 100
)toml";
    for (const char* method : {"taylor", "dopri5"}) {
        INFO(method);
        const Trace trace = run_with(stiff, method, 1e-8);
        CHECK(is_called_stiff(trace));
        CHECK(last_sample(trace, "x") ==
              close_to((1e8 * std::cos(2.0) + 1e4 * std::sin(2.0)) / (1e8 + 1), 1e-7));
        CHECK(!is_called_stiff(run_with(lorenz, method, 1e-8)));
        CHECK(!is_called_stiff(run_with(pendulum, method, 1e-8)));
    }
    for (const std::string& method : stiff_methods()) CHECK(!is_called_stiff(run_with(stiff, method, 1e-8)));
}

// As they are: with the default method, and its default tolerance.
TEST_CASE("Stiff problems need no setting", "[engine][stiff][slow]") {
    for (const Problem& problem : problems) {
        INFO(problem.name);
        const Trace trace = run(problem.text);
        CHECK(trace.warnings.empty());
        for (const auto& [signal, end] : problem.end)
            CHECK(last_sample(trace, signal) == Approx(end).epsilon(published).margin(0));
    }
}

TEST_CASE("Where CVODE is missing, auto goes on with rosenbrock4", "[engine][stiff][slow]") {
    for (const Problem& problem : problems)
        for (const double tolerance : {1e-4, 1e-6}) {
            INFO(problem.name << ", tolerance " << tolerance);
            FlatModel model = model_of(problem.text);
            model.settings.sundials = false;
            model.settings.tolerance = tolerance;
            const Trace trace = simulate(model);
            REQUIRE(trace.errors.empty());
            for (const auto& [signal, end] : problem.end)
                CHECK(last_sample(trace, signal) == Approx(end).epsilon(gathered * tolerance).margin(0));
        }
}

// 200 stages that charge from one end. The slowest rate is 4 sin^2(pi/802), the fastest nearly 4.
TEST_CASE("A long ladder of resistors and capacitors runs by itself", "[engine][stiff][slow]") {
    constexpr int stages = 200;
    std::string text = "[blocks]\nc0 = \"1\"\n";
    for (int i = 1; i < stages; ++i)
        text += fmt::format("c{0} = {{ type = \"integrator\", in = \"c{1} - 2*c{0} + c{2}\" }}\n", i, i - 1,
                            i + 1);
    text += fmt::format("c{0} = {{ type = \"integrator\", in = \"c{1} - c{0}\" }}\n", stages, stages - 1);
    text += fmt::format("[simulation]\nstop = 100000\nrecord = [\"c100\", \"c{}\"]\n", stages);
    const Trace plain = run_with(text, "taylor", 1e-8),
                chosen = run(text, {}, {{"simulation.tolerance", "1e-8"}});
    CHECK(chosen.statistics.steps * 20 < plain.statistics.steps);
    for (const char* signal : {"c100", "c200"})
        CHECK(last_sample(chosen, signal) == close_to(last_sample(plain, signal), 1e-7));
}

// Loops, delays, clocks, branches, modes: all that a look at the slopes could disturb.
TEST_CASE("Where nothing is stiff, auto gives the bits of taylor", "[engine][stiff]") {
    const char* const blocks = R"toml(
[blocks]
x = { type = "integrator", in = "v", initial = 2 }
v = { type = "integrator", in = "-sin(x) - 0.1*y + past/5 + 0.1*k" }
y = "0.3*sin(y) + x"
past = { type = "delay", in = "x", by = "1/3" }
k = { type = "hold", in = "y", period = "1/7" }
b = "if(x, v, -v)"
hit = { type = "crossing", in = "x - 1/2" }
n = { type = "integrator", in = "hit" }
[simulation]
stop = 50
)toml";
    const char* const graph = R"toml(
[elements]
source = { type = "MSe", effort = "10*sin(100*t)" }
valve  = { type = "Sw", automaton = "gate" }
loop   = { type = "1" }
coil   = { type = "I", value = 0.1 }
load   = { type = "R", value = 5 }
[bonds]
b1 = "source -> loop"
b2 = "loop -> valve"
b3 = "loop -> coil"
b4 = "loop -> load"
[automata.gate]
initial = "shut"
states = { shut = "off", open = "on" }
transitions = [
  { from = "shut", to = "open", when = "source.effort > 0" },
  { from = "open", to = "shut", when = "coil.flow <= 0 and source.effort < 0" },
]
[simulation]
stop = 2
)toml";
    for (const char* const text : {blocks, graph}) {
        const Trace plain = run(text, {}, {{"simulation.method", "taylor"}}), chosen = run(text);
        CHECK(chosen.statistics.steps == plain.statistics.steps);
        CHECK(chosen.samples == plain.samples);
        CHECK(chosen.impulses == plain.impulses);
        REQUIRE(chosen.events.size() == plain.events.size());
        for (std::size_t i = 0; i < plain.events.size(); ++i) CHECK(chosen.events[i].t == plain.events[i].t);
    }
}

// Stiff while the brake is on, and not before and after.
TEST_CASE("The method auto changes both ways", "[engine][stiff][slow]") {
    const char* text = R"toml(
[blocks]
brake = { type = "pulse", at = 20, width = 20, size = 1e5 }
x = { type = "integrator", in = "v" }
v = { type = "integrator", in = "-x - brake*v", initial = 1 }
[simulation]
stop = 60
tolerance = 1e-8
record = ["x", "v"]
)toml";
    const Trace plain = run_with(text, "taylor", 1e-8), chosen = run_with(text, "auto", 1e-8);
    CHECK(chosen.statistics.steps * 20 < plain.statistics.steps);
    for (const char* signal : {"x", "v"})
        CHECK(last_sample(chosen, signal) == close_to(last_sample(plain, signal), 1e-7));
}

}  // namespace deltaflow::engine_test
