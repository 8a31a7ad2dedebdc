// Ideal elements: diodes, contacts, friction and stops find their states by themselves.
#include "engine/exact.hpp"
#include "engine/simulate.hpp"
#include "tests/engine/run.hpp"

#include <cmath>

namespace deltaflow::engine_test {

namespace {

constexpr double pi = 3.141592653589793;

std::string state_of(const Trace& trace, const Event& event, const std::string& automaton) {
    for (std::size_t a = 0; a < trace.automata.size(); ++a)
        if (trace.automata[a].name == automaton) return trace.automata[a].states[trace.modes_of(event)[a]];
    return "";
}

// A mass that a force pulls, and what else hangs on its 1-junction.
std::string mass(const std::string& force, const std::string& momentum, const std::string& more,
                 const std::string& record) {
    return "[elements]\nm = { type = \"I\", value = 2, momentum = " + momentum +
           " }\nv = { type = \"1\" }\nF = { type = \"MSe\", effort = \"" + force + "\" }\n" + more +
           "\n[bonds]\nb1 = \"F -> v\"\nb2 = \"v -> m\"\nb3 = \"v -> x\"\n[simulation]\nrecord = [" + record +
           "]\n";
}

const std::string bridge = R"toml(
[circuit]
u  = { type = "voltage", between = "a b", value = "10*sin(t)" }
d1 = { type = "diode", between = "a p" }
d2 = { type = "diode", between = "b p" }
d3 = { type = "diode", between = "ground a" }
d4 = { type = "diode", between = "ground b" }
r  = { type = "resistor", between = "p ground", value = 2 }
[simulation]
stop = 10
record = ["r.current", "a.voltage", "b.voltage"]
)toml";

}  // namespace

TEST_CASE("a full bridge rectifies, by every method") {
    for (const char* method : {"auto", "taylor", "dopri5", "rk4", "rosenbrock4"}) {
        INFO(method);
        const Trace trace = run(bridge, {1, 2, 4, 5, 7}, {{"simulation.method", method}});
        for (const double t : {1.0, 2.0, 4.0, 5.0, 7.0})
            CHECK(sample(trace, "r.current", t) == close_to(5 * std::abs(std::sin(t)), 1e-9));
        REQUIRE(trace.events.size() == 3);
        for (int i = 0; i < 3; ++i) CHECK(trace.events[i].t == close_to((i + 1) * pi, 1e-9));
        CHECK(state_of(trace, trace.events[0], "d1") == "off");
        CHECK(state_of(trace, trace.events[0], "d2") == "on");
    }
}

TEST_CASE("what open switches in series leave open divides equally, and so does the current of closed ones") {
    const Trace series = run(R"toml(
[circuit]
u  = { type = "voltage", between = "a ground", value = 9 }
k1 = { type = "switch", between = "a b", closed = "0" }
k2 = { type = "switch", between = "b c", closed = "0" }
k3 = { type = "switch", between = "c d", closed = "0" }
r  = { type = "resistor", between = "d ground", value = 5 }
[simulation]
record = ["k1.voltage", "k2.voltage", "k3.voltage", "r.current"]
)toml",
                             {1});
    for (const char* k : {"k1.voltage", "k2.voltage", "k3.voltage"})
        CHECK(sample(series, k, 1) == close_to(3, 1e-12));
    CHECK(sample(series, "r.current", 1) == close_to(0, 1e-12));
    const Trace parallel = run(R"toml(
[circuit]
u  = { type = "voltage", between = "a ground", value = 9 }
k1 = { type = "switch", between = "a d", closed = "1" }
k2 = { type = "switch", between = "a d", closed = "1" }
k3 = { type = "switch", between = "a d", closed = "1" }
r  = { type = "resistor", between = "d ground", value = 1 }
[simulation]
record = ["k1.current", "k2.current", "k3.current", "r.current"]
)toml",
                               {1});
    for (const char* k : {"k1.current", "k2.current", "k3.current"})
        CHECK(sample(parallel, k, 1) == close_to(3, 1e-12));
}

TEST_CASE("a diode with a drop conducts above it") {
    const Trace trace = run(R"toml(
[elements]
u = { type = "MSe", effort = "t" }
d = { type = "D", drop = 0.7 }
r = { type = "R", value = 2 }
j = { type = "1" }
[bonds]
b1 = "u -> j"
b2 = "j -> d"
b3 = "j -> r"
[simulation]
stop = 2
record = ["d.flow", "d.effort", "d.on"]
)toml",
                            {0.5, 1.7});
    CHECK(sample(trace, "d.effort", 0.5) == close_to(0.5, 1e-12));
    CHECK(sample(trace, "d.flow", 1.7) == close_to(0.5, 1e-12));
    CHECK(sample(trace, "d.on", 0.5) == 0);
    check_once(trace, "d.on", 0.7, 0, 1);
}

TEST_CASE("a current source finds its way: a mode that contradicts itself lets go") {
    const Trace trace = run(R"toml(
[circuit]
i = { type = "current", between = "ground a", value = 2 }
k = { type = "switch", between = "a ground", closed = "if(t - 1, 0, 1)" }
d = { type = "diode", between = "a b" }
r = { type = "resistor", between = "b ground", value = 5 }
[simulation]
stop = 2
record = ["r.current", "k.current", "a.voltage"]
)toml",
                            {0.5, 1.5});
    CHECK(sample(trace, "r.current", 0.5) == close_to(0, 1e-12));
    CHECK(sample(trace, "k.current", 0.5) == close_to(2, 1e-12));
    CHECK(sample(trace, "r.current", 1.5) == close_to(2, 1e-12));
    CHECK(sample(trace, "a.voltage", 1.5) == close_to(10, 1e-12));
}

TEST_CASE("sources that differ in parallel are an error, equal ones are not") {
    const auto two = [](const char* second) {
        return "[circuit]\nu1 = { type = \"voltage\", between = \"a ground\", value = 10 }\nu2 = { type = "
               "\"voltage\", between = \"a ground\", value = " +
               std::string(second) +
               " }\nr = { type = \"resistor\", between = \"a ground\", value = 5 }\n[simulation]\nrecord = "
               "[\"u1.current\", \"r.current\"]\n";
    };
    CHECK_THROWS_AS(try_run(two("9")), ModelError);
    const Trace trace = run(two("10"), {1});
    CHECK(sample(trace, "r.current", 1) == close_to(2, 1e-12));
    CHECK(sample(trace, "u1.current", 1) == close_to(-1, 1e-12));
}

TEST_CASE("a ball on a contact bounces, each impact one event, and comes to rest where impacts accumulate") {
    const std::string ball = R"toml(
[elements]
m = { type = "I", value = 1 }
v = { type = "1" }
w = { type = "Se", effort = -10 }
k = { type = "contact", gap = 5, restitution = 0.5 }
[bonds]
b1 = "w -> v"
b2 = "v -> m"
b3 = "k -> v"
[simulation]
stop = 4
record = ["m.flow", "k.gap", "k.effort"]
)toml";
    const Trace trace = run(ball, {0.5, 1.5, 3.5, 4});
    const Event& hit = trace.events[0];
    CHECK(hit.t == close_to(1, 1e-12));
    CHECK(hit.epsilon == 0);
    CHECK(state_of(trace, hit, "k") == "off");
    CHECK(trace.events[1].t == close_to(2, 1e-12));
    CHECK(trace.events[2].t == close_to(2.5, 1e-12));
    CHECK(sample(trace, "m.flow", 1.5) == close_to(0, 1e-12));
    // 1 + 1 + 1/2 + ... = 3: from there on the ball lies still.
    CHECK(sample(trace, "m.flow", 3.5) == close_to(0, 1e-9));
    CHECK(sample(trace, "k.gap", 3.5) == close_to(0, 1e-9));
    CHECK(sample(trace, "k.effort", 4) == close_to(10, 1e-9));
    CHECK(trace.end_reason == EndReason::stop);
    CHECK_FALSE(try_run(ball, {1}, {{"simulation.zeno", "error"}}).errors.empty());
}

TEST_CASE("a body at rest on a contact stays there, with restitution too, and is lifted") {
    const Trace trace = run(R"toml(
[elements]
m = { type = "I", value = 1 }
v = { type = "1" }
w = { type = "MSe", effort = "if(t - 1, 2, -10)" }
k = { type = "contact", gap = 0, restitution = 0.5 }
[bonds]
b1 = "w -> v"
b2 = "v -> m"
b3 = "k -> v"
[simulation]
stop = 2
record = ["m.flow", "k.gap", "k.effort"]
)toml",
                            {0, 0.5, 2});
    CHECK(sample(trace, "k.effort", 0) == close_to(10, 1e-12));
    CHECK(sample(trace, "k.effort", 0.5) == close_to(10, 1e-12));
    CHECK(sample(trace, "k.gap", 2) == close_to(1, 1e-12));
    CHECK(trace.events.size() == 1);
}

TEST_CASE("three equal balls: all contacts at once, or one after the other") {
    const std::string balls = R"toml(
[elements]
m1 = { type = "I", value = 1, momentum = 1 }
m2 = { type = "I", value = 1 }
m3 = { type = "I", value = 1 }
v1 = { type = "1" }
v2 = { type = "1" }
v3 = { type = "1" }
k1 = { type = "contact", gap = 1, restitution = 1 }
k2 = { type = "contact", gap = 0, restitution = 1 }
[bonds]
b1 = "v1 -> m1"
b2 = "v2 -> m2"
b3 = "v3 -> m3"
b4 = "v1 -> k1"
b5 = "k1 -> v2"
b6 = "v2 -> k2"
b7 = "k2 -> v3"
[simulation]
stop = 2
record = ["m1.flow", "m2.flow", "m3.flow"]
)toml";
    const Trace all = run(balls, {2});
    CHECK(sample(all, "m1.flow", 2) == close_to(-1.0 / 3, 1e-12));
    CHECK(sample(all, "m2.flow", 2) == close_to(2.0 / 3, 1e-12));
    CHECK(sample(all, "m3.flow", 2) == close_to(2.0 / 3, 1e-12));
    const Trace turns = run(balls, {2}, {{"simulation.simultaneous", "sequential"}});
    CHECK(sample(turns, "m1.flow", 2) == close_to(0, 1e-12));
    CHECK(sample(turns, "m2.flow", 2) == close_to(0, 1e-12));
    CHECK(sample(turns, "m3.flow", 2) == close_to(1, 1e-12));
}

TEST_CASE("friction holds, breaks away, slides to rest, and goes through zero where it cannot hold") {
    const std::string friction = "x = { type = \"friction\", level = 4, static = 6 }";
    const Trace pulled = run(mass("3*t", "0", friction, "\"m.flow\", \"x.effort\", \"x.on\""), {1, 3, 4});
    CHECK(sample(pulled, "x.effort", 1) == close_to(3, 1e-12));
    check_once(pulled, "x.on", 2, 1, 0);
    CHECK(sample(pulled, "m.flow", 4) == close_to(5, 1e-12));  // (1.5 (16 - 4) - 4 * 2) / 2
    for (const char* momentum : {"8", "-8"}) {
        const Trace rests = run(mass("0", momentum, friction, "\"m.flow\", \"x.effort\""), {1, 3});
        CHECK(std::abs(sample(rests, "m.flow", 1)) == close_to(2, 1e-12));
        CHECK(sample(rests, "m.flow", 3) == close_to(0, 1e-12));
        REQUIRE(rests.events.size() == 1);
        CHECK(rests.events[0].t == close_to(2, 1e-12));
        CHECK(state_of(rests, rests.events[0], "x") == "stick");
    }
    const Trace through = run(mass("-10", "28", friction, "\"m.flow\", \"x.effort\""), {1, 3});
    REQUIRE(through.events.size() == 1);
    CHECK(through.events[0].t == close_to(2, 1e-12));
    CHECK(state_of(through, through.events[0], "x") == "backward");
    CHECK(sample(through, "m.flow", 3) == close_to(-3, 1e-12));
}

TEST_CASE("friction of a normal force takes its impulses") {
    const Trace trace = run(R"toml(
[elements]
mx = { type = "I", value = 1, momentum = 5 }
my = { type = "I", value = 1 }
vx = { type = "1" }
vy = { type = "1" }
w  = { type = "Se", effort = -10 }
k  = { type = "contact", gap = 5 }
f  = { type = "friction", mu = 0.2, normal = "k" }
[bonds]
b1 = "vx -> mx"
b2 = "vy -> my"
b3 = "w -> vy"
b4 = "k -> vy"
b5 = "vx -> f"
[simulation]
stop = 4
record = ["mx.flow", "f.effort", "k.effort"]
)toml",
                            {0.5, 1.5, 2.4, 3});
    CHECK(sample(trace, "mx.flow", 0.5) == close_to(5, 1e-12));
    CHECK(sample(trace, "mx.flow", 1.5) == close_to(2, 1e-12));  // 5 - 0.2 * 10, then -2 a second
    CHECK(sample(trace, "mx.flow", 3) == close_to(0, 1e-12));
    CHECK(trace.events.back().t == close_to(2.5, 1e-12));
}

TEST_CASE("a stop limits both ways") {
    const Trace trace =
        run(mass("2*sin(t)", "0", "x = { type = \"stop\", low = -1, high = 1, restitution = 0 }",
                 "\"x.displacement\", \"x.effort\", \"x.on\", \"x.gap\""),
            {0.5, 3, 6}, {{"simulation.stop", "8"}});
    CHECK(sample(trace, "x.displacement", 0.5) == close_to(0.5 - std::sin(0.5), 1e-12));
    CHECK(sample(trace, "x.displacement", 3) == close_to(1, 1e-12));
    CHECK(sample(trace, "x.effort", 3) == close_to(2 * std::sin(3), 1e-12));
    CHECK(sample(trace, "x.gap", 3) == close_to(0, 1e-12));
    // It leaves at pi and goes by 1 - (t - pi) + sin(t - pi) ... to the other end.
    CHECK(sample(trace, "x.displacement", 6) == close_to(-1, 1e-12));
}

TEST_CASE("ideal elements in fractions are what they are in numbers") {
    const std::string model = mass("3*t - 4", "2", "x = { type = \"friction\", level = 1 }", "\"m.flow\"");
    const Trace trace = run(model, {5}, {{"simulation.stop", "5"}});
    const FractionBook book;
    const ExactTrace exact = run_exactly(model_of(model, {{"simulation.stop", "5"}}), book);
    CHECK(exact.errors.empty());
    const ExactPiece& last = exact.signals[0].pieces.back();
    double value = 0, power = 1;
    for (const auto& c : last.p) {
        value += to_double(c) * power;
        power *= 5;
    }
    CHECK(value == close_to(sample(trace, "m.flow", 5)));
}

}  // namespace deltaflow::engine_test
