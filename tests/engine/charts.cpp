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

TEST_CASE("a rod of two masses in Cartesian coordinates swings through both of its axes", "[charts]") {
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
