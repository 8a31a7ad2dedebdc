// Contacts that begin and end by forces: backlash, clutches, stick and slip, by every method and on samples.
#include "engine/solve/steppers/stepper.hpp"
#include "tests/engine/run.hpp"

using namespace deltaflow;
using namespace deltaflow::engine_test;

namespace {

// A torque 2 cos(t) turns one wheel; the other one follows, with a play of 0.3 either way.
const std::string backlash = R"toml(
[elements]
J1 = { type = "I", value = 1 }
J2 = { type = "I", value = 2 }
M  = { type = "MSe", effort = "2*cos(t)" }
B  = { type = "R", value = 0.5 }
w1 = { type = "1" }
w2 = { type = "1" }
mesh = { type = "0", automaton = "play" }
[bonds]
a = "w1 -> J1"
b = "w2 -> J2"
c = "M -> w1"
d = "w2 -> B"
e = "w1 -> mesh"
f = "mesh -> w2"
[automata.play]
initial = "free"
states  = { free = "off", up = "on", down = "on" }
transitions = [
  { from = "free", to = "up",   when = "J1.displacement - J2.displacement >= 0.3 and pre(w1.flow - w2.flow) > 0" },
  { from = "free", to = "down", when = "J1.displacement - J2.displacement <= -0.3 and pre(w1.flow - w2.flow) < 0" },
  { from = "up",   to = "free", when = "e.effort < 0" },
  { from = "down", to = "free", when = "e.effort > 0" },
]
[simulation]
stop = 4
record = ["J1.displacement", "J2.displacement", "w1.flow", "e.effort"]
)toml";

// A block of mass 1 on a belt of speed 1/2, held by a spring of 4: it sticks up to a force of 3 and slides
// at 2.
const std::string on_a_belt = R"toml(
[elements]
M = { type = "I", value = 1, momentum = 0.5 }
K = { type = "C", value = 0.25 }
v = { type = "1" }
belt = { type = "Sf", flow = 0.5 }
rel  = { type = "0" }
slip = { type = "1" }
rub  = { type = "MSe", effort = "2*(f.fast - f.slow)" }
grip = { type = "Sw", automaton = "f" }
[bonds]
a = "v -> M"
b = "v -> K"
c = "belt -> rel"
d = "rel -> v"
e = "rel -> slip"
g = "slip -> rub"
h = "slip -> grip"
[automata.f]
initial = "stick"
states  = { stick = "off", fast = "on", slow = "on" }
transitions = [
  { from = "stick", to = "fast",  when = "grip.effort > 3" },
  { from = "stick", to = "slow",  when = "grip.effort < -3" },
  { from = "fast",  to = "stick", when = "slip.flow <= 0" },
  { from = "slow",  to = "stick", when = "slip.flow >= 0" },
]
[simulation]
stop = 6
record = ["K.displacement", "v.flow"]
)toml";

// Two wheels slip on each other with a torque of 2 until they turn alike; then a torque of 1.2 holds them.
const std::string clutch = R"toml(
[elements]
J2 = { type = "I", value = 2 }
J3 = { type = "I", value = 3, momentum = -6 }
push = { type = "Se", effort = 2 }
w2 = { type = "1" }
w3 = { type = "1" }
s  = { type = "0" }
k  = { type = "1" }
rub  = { type = "MSe", effort = "2*c.fwd" }
grip = { type = "Sw", automaton = "c" }
[bonds]
a2 = "w2 -> J2"
a3 = "w3 -> J3"
b1 = "push -> w2"
b3 = "w2 -> s"
b4 = "s -> w3"
c1 = "s -> k"
d1 = "k -> rub"
e1 = "k -> grip"
[automata.c]
initial = "fwd"
states  = { fwd = "on", lock = "off" }
transitions = [
  { from = "fwd",  to = "lock", when = "k.flow <= 0" },
  { from = "lock", to = "fwd",  when = "grip.effort > 2" },
]
[simulation]
stop = 30
record = ["w3.flow", "grip.effort"]
)toml";

template <class F>
void for_each_method(const F& f) {
    for (const char* method : {"taylor", "dopri5", "rk4", "rosenbrock4", "cvode", "euler"}) {
        if (std::string_view(method) == "cvode" && !has_cvode()) continue;
        INFO(method);
        f(std::string(method));
    }
}

}  // namespace

TEST_CASE("Teeth with play part where their force comes to zero, by every method", "[bonds][slow]") {
    // Times of another integration, of the equations of each phase, to 1e-12.
    const double times[] = {0.5548110329800715, 1.6421750196543095, 2.8940435633490953};
    for_each_method([&](const std::string& method) {
        const Trace trace =
            run(backlash, {2}, {{"simulation.method", method}, {"simulation.step", "1/1000"}});
        const double tolerance = method == "euler" ? 1e-2 : 1e-9;
        REQUIRE(trace.events.size() == 3);
        for (std::size_t i = 0; i < 3; ++i) CHECK(trace.events[i].t == close_to(times[i], tolerance));
    });
}

TEST_CASE("A clutch locks where its wheels turn alike, by every method", "[bonds][slow]") {
    for_each_method([&](const std::string& method) {
        for (const char* step : {"3/100", "1/100"}) {
            const Trace trace = run(clutch, {}, {{"simulation.method", method}, {"simulation.step", step}});
            REQUIRE(trace.events.size() == 1);
            CHECK(trace.events[0].t == close_to(3, 1e-9));
            CHECK(last_sample(trace, "grip.effort") == close_to(1.2, 1e-9));
        }
    });
}

TEST_CASE("A block on a belt sticks and slips on samples of any length", "[bonds][numeric]") {
    // It slides for 3 pi / 4 from 1.5 on and sticks again for 1.
    const double pi = 3.14159265358979323846, times[] = {1.5, 1.5 + 0.75 * pi, 2.5 + 0.75 * pi};
    for (const char* step : {"1/1000", "1/10000", "1/30000"}) {
        INFO(step);
        const Trace trace =
            run(on_a_belt, {}, {{"simulation.impulses", "numeric"}, {"simulation.step", step}});
        REQUIRE(trace.events.size() == 3);
        for (std::size_t i = 0; i < 3; ++i) CHECK(trace.events[i].t == close_to(times[i], 5e-3));
    }
}

TEST_CASE("Before the start a dependent storage has the energy of its initial value", "[bonds]") {
    const Trace trace = run(R"toml(
[elements]
c1 = { type = "C", value = 1, displacement = 3 }
c2 = { type = "C", law = "q + q^3", displacement = 0.2 }
n  = { type = "0" }
[bonds]
a = "n -> c1"
b = "n -> c2"
[simulation]
stop = 1
record = ["c1.displacement", "c2.displacement", "c2.energy", "total.energy"]
)toml");
    // q1 = q2 + q2^3 and q1 + q2 = 3.2
    const double q = last_sample(trace, "c2.displacement");
    CHECK(2 * q + q * q * q == close_to(3.2));
    const double before = 0.02 + 0.0004, after = q * q / 2 + q * q * q * q / 4, q1 = 3.2 - q;
    check_once(trace, "c2.energy", 0, before, after);
    check_once(trace, "total.energy", 0, 4.5 + before, q1 * q1 / 2 + after);
    CHECK(trace.energy.stored_at_start == close_to(4.5 + before));
}
