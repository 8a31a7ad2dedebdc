// Ratios of transformers that pass zero: the independent storages change, and the state is carried over.
#include "tests/diagrams/piecewise.hpp"
#include "tests/engine/run.hpp"

using namespace deltaflow;
using namespace deltaflow::engine_test;
using deltaflow::test::flow_on;
using deltaflow::test::Vector;

namespace {

// x vx + y vy = 0: no angle is there to lead.
const std::string rod = R"toml(
[elements]
vx = { type = "1" }
vy = { type = "1" }
mx = { type = "I", value = 1 }
my = { type = "I", value = 1 }
weight = { type = "Se", effort = -9.81 }
tx = { type = "MTF", ratio = "x" }
ty = { type = "MTF", ratio = "y" }
z = { type = "0" }
pin = { type = "Sf", flow = 0 }
[bonds]
b1 = "vx -> mx"
b2 = "vy -> my"
b3 = "weight -> vy"
b4 = "vx -> tx"
b5 = "vy -> ty"
b6 = "tx -> z"
b7 = "ty -> z"
b8 = "pin -> z"
[blocks]
x = { type = "integrator", in = "vx.flow", initial = 1 }
y = { type = "integrator", in = "vy.flow", initial = 0 }
[simulation]
stop = 5
record = ["x", "y", "vx.flow", "vy.flow"]
)toml";

// Both velocities of polar coordinates are without a mass of their own.
const std::string particle = R"toml(
[elements]
vx = { type = "1" }
vy = { type = "1" }
mx = { type = "I", value = 1 }
my = { type = "I", value = 1, momentum = 1 }
rd = { type = "1" }
td = { type = "1" }
pull = { type = "MSe", effort = "-4*(r - 1)" }
a1 = { type = "MTF", ratio = "cos(th)" }
a2 = { type = "MTF", ratio = "sin(th)" }
a3 = { type = "MTF", ratio = "-r*sin(th)" }
a4 = { type = "MTF", ratio = "r*cos(th)" }
zx = { type = "0" }
zy = { type = "0" }
[bonds]
b1 = "vx -> mx"
b2 = "vy -> my"
b3 = "pull -> rd"
b4 = "rd -> a1"
b5 = "rd -> a2"
b6 = "td -> a3"
b7 = "td -> a4"
b8 = "a1 -> zx"
b9 = "a3 -> zx"
b10 = "a2 -> zy"
b11 = "a4 -> zy"
b12 = "zx -> vx"
b13 = "zy -> vy"
[blocks]
r = { type = "integrator", in = "rd.flow", initial = 1.5 }
th = { type = "integrator", in = "td.flow", initial = 0 }
x = "r*cos(th)"
y = "r*sin(th)"
[simulation]
stop = 10
record = ["x", "y"]
)toml";

const std::vector<double> seconds{1, 2, 3, 4, 5};

}  // namespace

TEST_CASE("a rod of two masses in Cartesian coordinates swings through both of its axes", "[charts][slow]") {
    for (const char* method : {"auto", "dopri5"}) {
        CAPTURE(method);
        const Trace trace = run(rod, seconds, {{"simulation.method", method}});
        CHECK(trace.events.empty());
        const auto swing = [](double, const Vector<2>& s) { return Vector<2>{s[1], -9.81 * std::sin(s[0])}; };
        Vector<2> s{std::acos(0.0), 0};
        for (const double t : seconds) {
            s = flow_on(swing, t - 1, t, s, 20000);
            CHECK(sample(trace, "x", t) == close_to(std::sin(s[0]), 1e-9));
            CHECK(sample(trace, "y", t) == close_to(-std::cos(s[0]), 1e-9));
            CHECK(sample(trace, "vx.flow", t) == close_to(s[1] * std::cos(s[0]), 1e-8));
        }
    }
}

TEST_CASE("a particle in polar coordinates goes round, through every zero of sine and cosine", "[charts]") {
    const Trace trace = run(particle, seconds);
    CHECK(trace.events.empty());
    const auto move = [](double, const Vector<4>& s) {
        const double r = std::hypot(s[0], s[1]), f = -4 * (r - 1) / r;
        return Vector<4>{s[2], s[3], f * s[0], f * s[1]};
    };
    Vector<4> s{1.5, 0, 0, 1};
    for (const double t : seconds) {
        s = flow_on(move, t - 1, t, s, 20000);
        CHECK(sample(trace, "x", t) == close_to(s[0], 1e-9));
        CHECK(sample(trace, "y", t) == close_to(s[1], 1e-9));
    }
}

namespace {

// A block of half width b and half height h on two corners, with friction at both: four constraints for three
// directions, through ratios that turn with it.
const std::string block = R"toml(
[parameters]
b = 0.2
h = 0.5
v0 = 0
push = 0
th0 = 0
[elements]
vx = { type = "1" }
vy = { type = "1" }
w  = { type = "1" }
mx = { type = "I", value = 1, momentum = "v0" }
my = { type = "I", value = 1 }
J  = { type = "I", value = "(b^2 + h^2)/3" }
weight = { type = "Se", effort = -9.81 }
force  = { type = "Se", effort = "push" }
l1 = { type = "MTF", ratio = "-d1" }
l2 = { type = "MTF", ratio = "c1" }
r1 = { type = "MTF", ratio = "-d2" }
r2 = { type = "MTF", ratio = "c2" }
zl1 = { type = "0" }
zl2 = { type = "0" }
zr1 = { type = "0" }
zr2 = { type = "0" }
nl = { type = "TF", ratio = -1 }
nr = { type = "TF", ratio = -1 }
kl = { type = "contact", gap = "-2*b*sin(th0)" }
kr = { type = "contact", gap = 0 }
fl = { type = "friction", mu = 0.5, normal = "kl" }
fr = { type = "friction", mu = 0.5, normal = "kr" }
[bonds]
b1 = "vx -> mx"
b2 = "vy -> my"
b3 = "w -> J"
b4 = "weight -> vy"
b5 = "force -> vx"
p1 = "w -> l1"
p2 = "l1 -> zl1"
p3 = "vx -> zl1"
p4 = "zl1 -> fl"
p5 = "w -> l2"
p6 = "l2 -> zl2"
p7 = "vy -> zl2"
p8 = "zl2 -> nl"
p9 = "nl -> kl"
q1 = "w -> r1"
q2 = "r1 -> zr1"
q3 = "vx -> zr1"
q4 = "zr1 -> fr"
q5 = "w -> r2"
q6 = "r2 -> zr2"
q7 = "vy -> zr2"
q8 = "zr2 -> nr"
q9 = "nr -> kr"
[blocks]
th = { type = "integrator", in = "w.flow", initial = "th0" }
c1 = "-b*cos(th) + h*sin(th)"
d1 = "-b*sin(th) - h*cos(th)"
c2 = "b*cos(th) + h*sin(th)"
d2 = "b*sin(th) - h*cos(th)"
[simulation]
stop = 1
record = ["th", "vx.flow", "vy.flow", "w.flow", "kl.effort", "kr.effort", "fl.effort", "fr.effort"]
)toml";

}  // namespace

TEST_CASE("a block that stands on two corners shares what it is pushed with", "[charts]") {
    const Trace trace = run(block, {1}, {{"push", "1"}});
    CHECK(sample(trace, "th", 1) == close_to(0));
    CHECK(sample(trace, "vx.flow", 1) == close_to(0));
    CHECK(sample(trace, "fl.effort", 1) + sample(trace, "fr.effort", 1) == close_to(1));
    CHECK(std::abs(sample(trace, "fl.effort", 1)) <= 0.5 * sample(trace, "kl.effort", 1) + 1e-9);
    CHECK(sample(trace, "kl.effort", 1) + sample(trace, "kr.effort", 1) == close_to(9.81));
    // About its middle: (kr - kl) b = push h.
    CHECK(sample(trace, "kr.effort", 1) - sample(trace, "kl.effort", 1) == close_to(2.5, 1e-6));
}

TEST_CASE("a block let go on one corner falls and comes to rest on both", "[charts]") {
    const Trace trace = run(block, {0.05, 1}, {{"b", "0.5"}, {"h", "0.2"}, {"th0", "-0.2"}});
    CHECK(sample(trace, "th", 0.05) > -0.2);
    CHECK(sample(trace, "th", 1) == close_to(0, 1e-9));
    CHECK(sample(trace, "vx.flow", 1) == close_to(0, 1e-9));
    CHECK(sample(trace, "w.flow", 1) == close_to(0, 1e-9));
    CHECK(sample(trace, "kl.effort", 1) == close_to(9.81 / 2, 1e-6));
    CHECK(sample(trace, "kr.effort", 1) == close_to(9.81 / 2, 1e-6));
}
