// Ideal elements and automata at instants: what belongs to one event, and what a contradiction tells.
#include "tests/engine/run.hpp"

using namespace deltaflow;
using namespace deltaflow::engine_test;

TEST_CASE("diodes there and back at a node with nothing else leave it where it is", "[networks]") {
    for (const char* second : {"n a", "a n"}) {
        const std::string text = std::string(R"toml(
[circuit]
l  = { type = "inductor", between = "a ground", value = 1, initial = 1 }
r  = { type = "resistor", between = "a ground", value = 1 }
d1 = { type = "diode", between = "a n" }
d2 = { type = "diode", between = ")toml") +
                                 second + R"toml(" }
[simulation]
stop = 1
)toml";
        const Trace trace = run(text, {1});
        CHECK(sample(trace, "a.voltage", 1) == close_to(-std::exp(-1.0)));
        CHECK(sample(trace, "n.voltage", 1) == close_to(-std::exp(-1.0)));
        CHECK(sample(trace, "d1.current", 1) == close_to(0));
    }
}

TEST_CASE("the next thyristor turns the one before off: its current is endless where both are on",
          "[networks]") {
    const std::string text = R"toml(
[blocks]
ga = { type = "pulse", at = 0.003, width = 0.0005, period = 0.02 }
gb = { type = "pulse", at = 0.013, width = 0.0005, period = 0.02 }
[circuit]
u  = { type = "voltage", between = "a b", value = "100*sin(100*pi*t)" }
t1 = { type = "switch", between = "a p", automaton = "s1" }
t2 = { type = "switch", between = "b p", automaton = "s2" }
t3 = { type = "switch", between = "ground a", automaton = "s3" }
t4 = { type = "switch", between = "ground b", automaton = "s4" }
l  = { type = "inductor", between = "p q", value = 0.05 }
r  = { type = "resistor", between = "q ground", value = 5 }
[automata.s1]
initial = "off"
states = { off = "off", on = "on" }
transitions = [ { from = "off", to = "on", when = "ga >= 0.5 and t1.voltage > 0" }, { from = "on", to = "off", when = "t1.current < 0" } ]
[automata.s2]
initial = "off"
states = { off = "off", on = "on" }
transitions = [ { from = "off", to = "on", when = "gb >= 0.5 and t2.voltage > 0" }, { from = "on", to = "off", when = "t2.current < 0" } ]
[automata.s3]
initial = "off"
states = { off = "off", on = "on" }
transitions = [ { from = "off", to = "on", when = "gb >= 0.5 and t3.voltage > 0" }, { from = "on", to = "off", when = "t3.current < 0" } ]
[automata.s4]
initial = "off"
states = { off = "off", on = "on" }
transitions = [ { from = "off", to = "on", when = "ga >= 0.5 and t4.voltage > 0" }, { from = "on", to = "off", when = "t4.current < 0" } ]
[simulation]
stop = 0.06
record = ["l.current"]
)toml";
    const std::vector<double> times{0.01, 0.02, 0.03, 0.05, 0.06};
    const Trace trace = run(text, times);
    // From each firing on the coil sees the sine from there: i' = (u - R i) / L.
    const double w = 100 * std::acos(-1.0), R = 5, L = 0.05, Z = R * R + w * w * L * L;
    const auto forced = [&](double s) { return 100 * (R * std::sin(w * s) - w * L * std::cos(w * s)) / Z; };
    double i = 0, from = 0.003;
    std::size_t k = 0;
    const auto at = [&](double t) {
        const double phase = from - 0.003;  // half periods turn the sine round
        return forced(t - phase) + (i - forced(from - phase)) * std::exp(-(t - from) * R / L);
    };
    for (; k < times.size(); ++k) {
        while (times[k] > from + 0.01) {
            i = at(from + 0.01);
            from += 0.01;
        }
        CAPTURE(times[k]);
        CHECK(sample(trace, "l.current", times[k]) == close_to(at(times[k]), 1e-9));
    }
}

TEST_CASE("a diode that passes charge on and then blocks does both in one event", "[networks]") {
    const Trace trace = run(R"toml(
[circuit]
u = { type = "voltage", between = "a ground", value = "1 - t" }
d = { type = "diode", between = "a c" }
s = { type = "capacitor", between = "c ground", value = 2 }
[simulation]
stop = 1
)toml",
                            {1});
    REQUIRE(trace.events.size() == 1);
    CHECK(trace.events[0].t == 0);
    CHECK(sample(trace, "c.voltage", 1) == close_to(1));
}

TEST_CASE("hops that accumulate close what takes part in them, and not what did so before", "[ideal]") {
    // The load is thrown up after a few hits that come ever sooner; the lower body then hops to rest alone.
    const Trace trace = run(R"toml(
[mechanics]
m1 = { type = "mass", at = "low", value = 1.75, velocity = 20 }
k1 = { type = "contact", between = "low ground", restitution = 0.8 }
s1 = { type = "spring", between = "low ground", value = 5500 }
p1 = { type = "force", at = "low", value = "-600*sin(240*t + 0.1)" }
m2 = { type = "mass", at = "high", value = 3, position = 2, velocity = -17.5 }
k2 = { type = "contact", between = "high low" }
s2 = { type = "spring", between = "high ground", value = 10000 }
p2 = { type = "force", at = "high", value = "-1800*sin(140.66372316392716*t + 0.1)" }
[simulation]
stop = 0.1
record = ["high.position", "high.velocity"]
)toml",
                            {0.028, 0.029});
    CHECK(sample(trace, "high.position", 0.029) - sample(trace, "high.position", 0.028) ==
          close_to(1e-3 * (sample(trace, "high.velocity", 0.028) + sample(trace, "high.velocity", 0.029)) / 2,
                   1e-5));
}

TEST_CASE("an impact that stops a body that rubs pushes nobody else", "[ideal]") {
    // m2 = 2 m1 and restitution 1/2: the first body has no velocity left. The wall is far away.
    const Trace trace = run(R"toml(
[mechanics]
m1 = { type = "mass", at = "x1", value = 1, velocity = 1.3 }
m2 = { type = "mass", at = "x2", value = 2, position = 1 }
k = { type = "contact", between = "x2 x1", restitution = 0.5 }
wall = { type = "contact", between = "ground x2", size = -5, restitution = 0.8 }
f1 = { type = "friction", between = "x1 ground", level = 0.2 }
f2 = { type = "friction", between = "x2 ground", level = 0.7 }
[simulation]
stop = 3
record = ["x1.position", "x1.velocity", "x2.velocity", "x2.position"]
)toml");
    const double met = std::sqrt(1.69 - 0.4), rest = met * met / 4 / 2 / 0.35;
    CHECK(happenings(trace, "x2.velocity").front().right == close_to(met / 2));
    CHECK(last_sample(trace, "x1.position") == close_to(1));
    CHECK(last_sample(trace, "x1.velocity") == 0);
    CHECK(last_sample(trace, "x2.position") == close_to(1 + rest));
    CHECK(trace.warnings.empty());
}

TEST_CASE("losses below rounding are none", "[ledger]") {
    const Trace trace = run(R"toml(
[elements]
drive = { type = "MSf", flow = "2*sin(t)" }
w1 = { type = "1" }
w2 = { type = "1" }
d  = { type = "D" }
load = { type = "I", value = 1 }
drag = { type = "R", value = 0.2 }
[bonds]
a = "drive -> w1"
b = "w1 -> d"
c = "d -> w2"
e = "w2 -> load"
f = "w2 -> drag"
[simulation]
stop = 10
)toml");
    CHECK(trace.warnings.empty());
}

TEST_CASE("dry friction and the drop of a diode stand in the ledger", "[ledger]") {
    const Trace block = run(R"toml(
[mechanics]
m = { type = "mass", at = "x", value = 2, velocity = 3 }
f = { type = "friction", between = "x ground", level = 4 }
[simulation]
stop = 5
)toml");
    const auto share = [](const Trace& trace, std::string_view name) -> double {
        for (const auto& [x, work] : trace.energy.dissipated)
            if (trace.elements[x] == name) return work;
        return NAN;
    };
    CHECK(share(block, "f") == close_to(9));
    const Trace lamp = run(R"toml(
[circuit]
u = { type = "voltage", between = "a ground", value = 5 }
d = { type = "diode", between = "a b", drop = 1 }
r = { type = "resistor", between = "b ground", value = 2 }
[simulation]
stop = 3
)toml");
    CHECK(share(lamp, "d") == close_to(6));
    CHECK(share(lamp, "r") == close_to(24));
}

TEST_CASE("on samples, too, an impact is one event", "[ideal]") {
    const Trace trace = run(R"toml(
[mechanics]
m = { type = "mass", at = "y", value = 1, position = 5 }
g = { type = "force", at = "y", value = -10 }
k = { type = "contact", between = "y ground", restitution = 0.5 }
[simulation]
stop = 1.5
impulses = "numeric"
step = 1e-3
record = ["y.velocity", "k.force"]
)toml");
    REQUIRE(trace.events.size() == 1);
    CHECK(trace.events[0].t == Approx(1).margin(2e-3));
}

TEST_CASE("sources that contradict each other are told with their values", "[networks]") {
    try {
        run(R"toml(
[circuit]
u1 = { type = "voltage", between = "a ground", value = 5 }
u2 = { type = "voltage", between = "a ground", value = 7 }
r  = { type = "resistor", between = "a ground", value = 1 }
)toml");
        FAIL("they were taken");
    } catch (const ModelError& error) {
        CHECK_THAT(error.what(), Catch::Contains("u1 imposes the effort 5"));
        CHECK_THAT(error.what(), Catch::Contains("u2 imposes the effort 7"));
    }
}

TEST_CASE("which coils follow from others is a matter of rank, without ideal elements, too", "[networks]") {
    // All current that leaves through l1 comes back through l3.
    const Trace trace = run(R"toml(
[circuit]
l1 = { type = "inductor", between = "n1 ground", value = 1.6, initial = 0.2 }
c1 = { type = "capacitor", between = "n2 n1", value = 1.2, initial = 0.7 }
l2 = { type = "inductor", between = "n3 n1", value = 0.67, initial = 0.6 }
l3 = { type = "inductor", between = "n3 ground", value = 1.75, initial = -0.2 }
c2 = { type = "capacitor", between = "n3 n2", value = 1.86, initial = -0.85 }
[simulation]
stop = 1
record = ["l1.current", "l3.current", "n1.voltage", "n3.voltage", "total.energy"]
)toml");
    CHECK(last_sample(trace, "l3.current") == close_to(-last_sample(trace, "l1.current")));
    CHECK(last_sample(trace, "total.energy") ==
          close_to(0.5 * (1.6 * 0.04 + 1.2 * 0.49 + 0.67 * 0.36 + 1.75 * 0.04 + 1.86 * 0.7225)));
    CHECK(last_sample(trace, "n3.voltage") / 1.75 == close_to(-last_sample(trace, "n1.voltage") / 1.6));
}
