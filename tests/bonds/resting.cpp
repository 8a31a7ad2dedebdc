// Contacts that hold, short circuits, and energies of nonlinear storages.
#include "engine/solve/steppers/stepper.hpp"
#include "tests/engine/run.hpp"

#include <fmt/format.h>

using namespace deltaflow;
using namespace deltaflow::engine_test;

namespace {

// A ball of mass 1 above a floor; restitution e, weight 10.
std::string ball(double height, double e, const std::string& zeno = "continue") {
    return fmt::format(R"toml(
[elements]
m = {{ type = "I", value = 1, displacement = {} }}
g = {{ type = "Se", effort = -10 }}
v = {{ type = "1" }}
floor = {{ type = "0", automaton = "c" }}
b = {{ type = "MSf", flow = "{} * pre(v.flow)" }}
[bonds]
a1 = "v -> m"
a2 = "g -> v"
a3 = "v -> floor"
a4 = "b -> floor"
[automata.c]
initial = "air"
states = {{ air = "off", ground = "on" }}
transitions = [
  {{ from = "air", to = "ground", when = "m.displacement <= 0 and pre(v.flow) < 0" }},
  {{ from = "ground", to = "air", when = "pre(v.flow) > 0 or a3.effort > 0" }},
]
[simulation]
stop = 3
zeno = "{}"
record = ["m.displacement", "v.flow", "a3.effort"]
)toml",
                       height, e, zeno);
}

}  // namespace

TEST_CASE("A ball that lies on the floor stays there, whatever its restitution", "[bonds]") {
    for (const double e : {0.0, 0.5, 1.0}) {
        INFO("restitution " << e);
        const Trace trace = run(ball(0, e));
        REQUIRE(trace.events.size() == 1);
        CHECK(last_sample(trace, "m.displacement") == 0);
        CHECK(last_sample(trace, "v.flow") == 0);
        CHECK(last_sample(trace, "a3.effort") == close_to(-10));
    }
}

TEST_CASE("Hops that pile up end in rest by every method", "[bonds]") {
    // Falling takes sqrt(2 h / g), and the hops e, e^2, ... of twice that.
    const double end = std::sqrt(0.2) * 3;
    for (const char* method : {"taylor", "dopri5", "rk4", "rosenbrock4", "euler", "cvode"}) {
        if (std::string_view(method) == "cvode" && !has_cvode()) continue;
        INFO(method);
        const bool euler = std::string_view(method) == "euler";
        const Changes set{{"simulation.method", method}, {"simulation.step", "1/1000"}};
        const Trace trace = run(ball(1, 0.5), {}, set);
        CHECK(last_sample(trace, "m.displacement") == close_to(0, 1e-9));
        CHECK(last_sample(trace, "a3.effort") == close_to(-10, 1e-9));
        CHECK(trace.events.back().t == close_to(end, euler ? 0.05 : 1e-8));
    }
}

TEST_CASE("A resistor of no resistance is a short circuit", "[bonds]") {
    const Trace trace = run(R"toml(
[elements]
C = { type = "C", value = 2, displacement = 6 }
n = { type = "0" }
R = { type = "R", value = 0 }
[bonds]
a = "n -> C"
b = "n -> R"
[simulation]
stop = 1
record = ["C.displacement", "R.flow"]
)toml");
    check_once(trace, "C.displacement", 0, 6, 0);
    check_once(trace, "R.flow", 0, 0, 0, {6});
}

TEST_CASE("The ledger knows the energy of nonlinear storages, recorded or not", "[bonds]") {
    // f = p / sqrt(1 + p^2) stores sqrt(1 + p^2) - 1; a constant force of 2 gives p = 2 t.
    const auto pushed = [](const std::string& record) {
        return run(fmt::format(R"toml(
[elements]
m = {{ type = "I", law = "p / sqrt(1 + p^2)" }}
F = {{ type = "Se", effort = 2 }}
v = {{ type = "1" }}
[bonds]
a = "F -> v"
b = "v -> m"
[simulation]
stop = 10
record = ["{}"]
)toml",
                               record));
    };
    const double energy = std::sqrt(401.0) - 1;
    CHECK(last_sample(pushed("m.energy"), "m.energy") == close_to(energy, 1e-10));
    const EnergyLedger ledger = pushed("v.flow").energy;
    REQUIRE(ledger.supplied.size() == 1);
    CHECK(ledger.supplied[0].second == close_to(energy, 1e-10));
    CHECK(ledger.stored_at_end == close_to(energy, 1e-10));
}

TEST_CASE("A cycle of modes is told with its guards and what they read", "[bonds]") {
    const Trace trace = try_run(R"toml(
[elements]
m = { type = "I", value = 1, momentum = 1 }
j = { type = "1", automaton = "a" }
F = { type = "Se", effort = 1 }
[bonds]
b1 = "j -> m"
b2 = "F -> j"
[automata.a]
initial = "moving"
states = { moving = "on", still = "off" }
transitions = [
  { from = "moving", to = "still", when = "m.flow >= 3" },
  { from = "still", to = "moving", when = "m.flow < 2" },
]
)toml");
    REQUIRE(trace.errors.size() == 1);
    CHECK(trace.errors[0].kind == ErrorKind::no_progress);
    CHECK(trace.errors[0].t == close_to(2));
    for (const char* part : {"[a = still] -> [a = moving] -> [a = still]",
                             "a: still -> moving when m.flow < 2 (left minus right: -2)",
                             "a: moving -> still when m.flow >= 3 (left minus right: 0)"})
        CHECK_THAT(trace.errors[0].text, Catch::Matchers::Contains(part));
}

TEST_CASE("A mode without causality ends the run where it is entered; what came before is kept", "[bonds]") {
    const Trace trace = try_run(R"toml(
[elements]
m = { type = "I", value = 1 }
F = { type = "Se", effort = 1 }
V = { type = "Sf", flow = 2 }
v = { type = "1" }
clamp = { type = "0", off = "effort", automaton = "a" }
[bonds]
b1 = "v -> m"
b2 = "F -> v"
b3 = "v -> clamp"
b4 = "V -> clamp"
b5 = "clamp -> G"
[elements.G]
type = "Se"
effort = 3
[automata.a]
initial = "free"
states = { free = "on", held = "off" }
transitions = [{ from = "free", to = "held", when = "t >= 1" }]
[simulation]
stop = 2
record = ["v.flow"]
)toml");
    REQUIRE(trace.errors.size() == 1);
    CHECK(trace.errors[0].kind == ErrorKind::model);
    CHECK(trace.errors[0].t == 1);
    CHECK_THAT(trace.errors[0].text,
               Catch::Matchers::Contains("at t = 1") && Catch::Matchers::Contains("mode: a = held"));
    CHECK(trace.t.size() > 50);
}

TEST_CASE("A mode without a solution ends the run in good order, with the energy that was there before it",
          "[bonds]") {
    const Trace trace = try_run(R"toml(
[elements]
V = { type = "Se", effort = 1 }
a = { type = "R", value = 1 }
b = { type = "R", value = -1 }
c = { type = "C", value = 2, displacement = 4 }
i = { type = "1" }
n = { type = "0" }
s = { type = "Sw", automaton = "key" }
[bonds]
b1 = "V -> i"
b2 = "i -> a"
b3 = "i -> b"
b4 = "i -> s"
b5 = "i -> n"
b6 = "n -> c"
[automata.key]
initial = "open"
states = { open = "off", closed = "on" }
transitions = [{ from = "open", to = "closed", when = "t >= 1" }]
)toml");
    REQUIRE(trace.errors.size() == 1);
    CHECK(trace.errors[0].kind == ErrorKind::not_finite);
    CHECK(trace.errors[0].t == 1);
    CHECK(trace.energy.stored_at_end == close_to(4));
}
