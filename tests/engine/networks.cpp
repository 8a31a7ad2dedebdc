// Circuits and mechanics against closed forms, and random linear networks against nodal analysis.
#include "tests/engine/run.hpp"

#include <fmt/format.h>
#include <Eigen/Dense>

#include <random>

using namespace deltaflow;
using namespace deltaflow::engine_test;

namespace {

const std::vector<double> some{0, 0.25, 0.5, 1, 2};

template <class F>
void check_all(const Trace& trace, std::string_view signal, const F& closed_form) {
    const auto& samples = samples_of(trace, signal);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        INFO(signal << " at " << trace.t[i]);
        CHECK(samples[i] == close_to(closed_form(trace.t[i]), 1e-11));
    }
}

}  // namespace

TEST_CASE("A capacitor is charged through a resistor", "[networks]") {
    const Trace trace = run(R"(
[circuit]
u = { type = "voltage", between = "a ground", value = 10 }
r = { type = "resistor", between = "a p", value = 2 }
c = { type = "capacitor", between = "p ground", value = 0.5, initial = 1 }
[simulation]
stop = 2
record = ["p.voltage", "c.current", "u.current", "u.flow", "u.voltage", "r.voltage"]
)",
                            some);
    const auto current = [](double t) { return 4.5 * std::exp(-t); };
    check_all(trace, "p.voltage", [](double t) { return 10 - 9 * std::exp(-t); });
    check_all(trace, "r.voltage", [](double t) { return 9 * std::exp(-t); });
    check_all(trace, "c.current", current);
    check_all(trace, "u.flow", current);
    check_all(trace, "u.current", [&](double t) { return -current(t); });
    check_all(trace, "u.voltage", [](double) { return 10.0; });
    CHECK(trace.events.empty());
}

TEST_CASE("The order of the nodes is the direction", "[networks]") {
    const Trace trace = run(R"(
[circuit]
u = { type = "voltage", between = "ground a", value = 10 }
i = { type = "current", between = "a b", value = 2 }
r = { type = "resistor", between = "ground b", value = 3 }
c = { type = "capacitor", between = "ground b", value = 1, initial = 3 }
[simulation]
stop = 2
record = ["a.voltage", "b.voltage", "u.voltage", "u.current", "i.voltage", "i.current", "i.flow", "c.voltage", "r.current"]
)",
                            some);
    const auto b = [](double t) { return 6 - 9 * std::exp(-t / 3); };
    check_all(trace, "b.voltage", b);
    check_all(trace, "c.voltage", [&](double t) { return -b(t); });
    check_all(trace, "r.current", [&](double t) { return -b(t) / 3; });
    check_all(trace, "a.voltage", [](double) { return -10.0; });
    check_all(trace, "u.voltage", [](double) { return 10.0; });
    check_all(trace, "u.current", [](double) { return 2.0; });
    check_all(trace, "i.current", [](double) { return 2.0; });
    check_all(trace, "i.flow", [](double) { return -2.0; });
    check_all(trace, "i.voltage", [&](double t) { return -10 - b(t); });
}

TEST_CASE("Coil, capacitor and resistor in series ring", "[networks]") {
    const Trace trace = run(R"(
[circuit]
l = { type = "inductor", between = "a b", value = 0.5, initial = 1 }
r = { type = "resistor", between = "b ground", value = 1 }
c = { type = "capacitor", between = "a ground", value = 0.4 }
[simulation]
stop = 2
)",
                            some);
    // i'' + 2 i' + 5 i = 0, i(0) = 1, i'(0) = -(v_r + 0) / L = -2
    check_all(trace, "l.current",
              [](double t) { return std::exp(-t) * (std::cos(2 * t) - 0.5 * std::sin(2 * t)); });
}

TEST_CASE("Without ground voltages are relative to their mean", "[networks]") {
    const Trace trace = run(R"(
[circuit]
u = { type = "voltage", between = "a b", value = 6 }
r = { type = "resistor", between = "a c", value = 1 }
s = { type = "resistor", between = "c b", value = 2 }
)",
                            {0.0});
    CHECK(sample(trace, "a.voltage", 0) == close_to(8.0 / 3));
    CHECK(sample(trace, "b.voltage", 0) == close_to(-10.0 / 3));
    CHECK(sample(trace, "c.voltage", 0) == close_to(2.0 / 3));
}

TEST_CASE("A transformer joins two networks that nothing else joins", "[networks]") {
    const Trace trace = run(R"(
[circuit]
u  = { type = "voltage", between = "a ground", value = 10 }
r1 = { type = "resistor", between = "a b", value = 1 }
tr = { type = "transformer", between = "b ground", secondary = "s m", ratio = 2 }
r  = { type = "resistor", between = "s m", value = 1 }
i  = { type = "current", between = "s m", value = 1 }
[simulation]
record = ["tr.voltage", "tr.current", "r.voltage", "s.voltage", "m.voltage"]
)",
                            {0.0});
    CHECK(sample(trace, "tr.voltage", 0) == close_to(7.6));
    CHECK(sample(trace, "tr.current", 0) == close_to(2.4));
    CHECK(sample(trace, "r.voltage", 0) == close_to(3.8));
    CHECK(sample(trace, "s.voltage", 0) == close_to(1.9));
    CHECK(sample(trace, "m.voltage", 0) == close_to(-1.9));
}

TEST_CASE("A start that contradicts the network is an event at the start", "[networks]") {
    const Trace trace = run(R"(
[circuit]
c1 = { type = "capacitor", between = "p ground", value = 1, initial = 3 }
c2 = { type = "capacitor", between = "p ground", value = 2 }
[mechanics]
m1 = { type = "mass", at = "x", value = 2, velocity = 1 }
m2 = { type = "mass", at = "x", value = 1, velocity = 4 }
)",
                            {0.0, 1.0});
    REQUIRE(trace.events.size() == 1);
    CHECK(trace.events[0].t == 0);
    CHECK(sample(trace, "p.voltage", 1) == close_to(1));
    CHECK(sample(trace, "x.velocity", 1) == close_to(2));
    CHECK(sample(trace, "x.position", 1) == close_to(2));
}

TEST_CASE("Two masses and a spring swing about their rest length", "[networks]") {
    const Trace trace = run(R"(
[mechanics]
m1 = { type = "mass", at = "x1", value = 2, position = 0 }
m2 = { type = "mass", at = "x2", value = 2, position = 1.5 }
s  = { type = "spring", between = "x1 x2", value = 4, length = 1 }
[simulation]
stop = 2
record = ["x1.position", "m2.position", "m2.velocity", "s.force"]
)",
                            some);
    // The elongation 0.5 cos(2 t) is shared; the first point is pulled upwards at first.
    check_all(trace, "x1.position", [](double t) { return 0.25 - 0.25 * std::cos(2 * t); });
    check_all(trace, "m2.position", [](double t) { return 1.25 + 0.25 * std::cos(2 * t); });
    check_all(trace, "m2.velocity", [](double t) { return -0.5 * std::sin(2 * t); });
    check_all(trace, "s.force", [](double t) { return -2 * std::cos(2 * t); });
}

TEST_CASE("A damper takes a mass along with a belt", "[networks]") {
    const Trace trace = run(R"(
[mechanics]
m = { type = "mass", at = "x", value = 2, velocity = 1 }
w = { type = "velocity", at = "belt", value = "3", position = 1 }
d = { type = "damper", between = "x belt", value = 4 }
[simulation]
stop = 2
record = ["x.velocity", "belt.position", "w.force", "d.force"]
)",
                            some);
    check_all(trace, "x.velocity", [](double t) { return 3 - 2 * std::exp(-2 * t); });
    check_all(trace, "belt.position", [](double t) { return 1 + 3 * t; });
    check_all(trace, "d.force", [](double t) { return -8 * std::exp(-2 * t); });
    check_all(trace, "w.force", [](double t) { return 8 * std::exp(-2 * t); });
}

TEST_CASE("A switch is closed where its signal is 0.5 or more", "[networks]") {
    const Trace trace = run(R"(
[blocks]
v = "p.voltage"
[circuit]
u = { type = "voltage", between = "a ground", value = 8 }
k = { type = "switch", between = "a b", closed = "t" }
r = { type = "resistor", between = "b p", value = 1 }
c = { type = "capacitor", between = "p ground", value = 1 }
[simulation]
stop = 2
record = ["v", "k.voltage", "k.current", "k.on"]
)",
                            some);
    check_all(trace, "v", [](double t) { return t < 0.5 ? 0 : 8 * (1 - std::exp(0.5 - t)); });
    check_all(trace, "k.voltage", [](double t) { return t < 0.5 ? 8 : 0; });
    check_all(trace, "k.current", [](double t) { return t < 0.5 ? 0 : 8 * std::exp(0.5 - t); });
    check_all(trace, "k.on", [](double t) { return t < 0.5 ? 0 : 1; });
}

namespace {

// A random network of sources, resistors, coils and capacitors: a tree of resistors and coils in series with
// resistors keeps it regular.
struct Branch {
    char kind;  // v, i, r, c, l
    int from, to;
    double value, initial;
};

struct RandomNetwork {
    int nodes;
    std::vector<Branch> branches;
};

RandomNetwork draw(std::mt19937& random) {
    const auto whole = [&](int a, int b) { return std::uniform_int_distribution<int>(a, b)(random); };
    const auto real = [&](double a, double b) {
        return std::uniform_real_distribution<double>(a, b)(random);
    };
    RandomNetwork network{whole(2, 12), {}};
    for (int n = 1; n <= network.nodes; ++n)
        network.branches.push_back({'r', n, whole(0, n - 1), real(0.5, 2), 0});
    const int more = whole(1, 2 * network.nodes);
    for (int i = 0; i < more; ++i) {
        const int a = whole(0, network.nodes), b = (a + whole(1, network.nodes)) % (network.nodes + 1);
        network.branches.push_back({"rli"[whole(0, 2)], a, b, real(0.5, 2), real(-1, 1)});
    }
    for (int n = 1; n <= network.nodes; ++n)
        if (whole(0, 2) == 0)
            network.branches.push_back({whole(0, 3) ? 'c' : 'v', n, 0, real(0.5, 2), real(-1, 1)});
    return network;
}

std::string text_of(const RandomNetwork& network) {
    const auto type = [](char kind) {
        return kind == 'v'   ? "voltage"
               : kind == 'i' ? "current"
               : kind == 'r' ? "resistor"
               : kind == 'c' ? "capacitor"
                             : "inductor";
    };
    const auto node = [](int n) { return n == 0 ? std::string("ground") : fmt::format("n{}", n); };
    std::string text = "[circuit]\n";
    for (std::size_t i = 0; i < network.branches.size(); ++i) {
        const Branch& b = network.branches[i];
        const std::string initial =
            b.kind == 'c' || b.kind == 'l' ? fmt::format(", initial = {}", b.initial) : "";
        text += fmt::format("b{} = {{ type = \"{}\", between = \"{} {}\", value = {}{} }}\n", i, type(b.kind),
                            node(b.from), node(b.to), b.value, initial);
    }
    return text;
}

// Node voltages for given states: E x = s by modified nodal analysis; the unknowns are voltages of nodes and
// currents of sources and capacitors. Gives the rates of the states, too.
struct Nodal {
    const RandomNetwork& network;

    Eigen::VectorXd solve(const std::vector<double>& states) const {
        const auto& branches = network.branches;
        const int n = network.nodes, all = n + static_cast<int>(branches.size());
        Eigen::MatrixXd m = Eigen::MatrixXd::Zero(all, all);
        Eigen::VectorXd right = Eigen::VectorXd::Zero(all);
        for (int i = 0; i < static_cast<int>(branches.size()); ++i) {
            const Branch& b = branches[static_cast<std::size_t>(i)];
            const int row = n + i;
            if (b.from > 0) m(b.from - 1, row) += 1;
            if (b.to > 0) m(b.to - 1, row) -= 1;
            const double state = states[static_cast<std::size_t>(i)];
            const bool sets_current = b.kind == 'i' || b.kind == 'l';
            if (!sets_current && b.from > 0) m(row, b.from - 1) += 1;
            if (!sets_current && b.to > 0) m(row, b.to - 1) -= 1;
            if (sets_current) m(row, row) = 1;
            if (b.kind == 'r') m(row, row) = -b.value;
            right(row) = b.kind == 'i' || b.kind == 'v' ? b.value : b.kind == 'r' ? 0 : state;
        }
        return m.fullPivLu().solve(right);
    }

    std::vector<double> rates(const std::vector<double>& states) const {
        const Eigen::VectorXd x = solve(states);
        std::vector<double> rates(states.size(), 0.0);
        const auto voltage = [&](int n) { return n == 0 ? 0.0 : x(n - 1); };
        for (std::size_t i = 0; i < states.size(); ++i) {
            const Branch& b = network.branches[i];
            if (b.kind == 'c') rates[i] = x(network.nodes + static_cast<int>(i)) / b.value;
            if (b.kind == 'l') rates[i] = (voltage(b.from) - voltage(b.to)) / b.value;
        }
        return rates;
    }
};

// Classical Runge and Kutta, in steps that are short beside every time constant.
std::vector<double> flow(const Nodal& nodal, std::vector<double> x, double stop, int steps) {
    const double h = stop / steps;
    const auto moved = [&](const std::vector<double>& by, double s) {
        std::vector<double> y = x;
        for (std::size_t i = 0; i < y.size(); ++i) y[i] += s * by[i];
        return y;
    };
    for (int k = 0; k < steps; ++k) {
        const auto a = nodal.rates(x), b = nodal.rates(moved(a, h / 2)), c = nodal.rates(moved(b, h / 2)),
                   d = nodal.rates(moved(c, h));
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
    }
    return x;
}

}  // namespace

TEST_CASE("Random linear networks agree with nodal analysis", "[networks][slow]") {
    for (unsigned seed = 0; seed < 60; ++seed) {
        std::mt19937 random(seed);
        const RandomNetwork network = draw(random);
        const std::string text = text_of(network) + "[simulation]\nstop = 0.5\n";
        INFO("seed " << seed << "\n" << text);
        const Trace trace = run(text, {0, 0.5});
        std::vector<double> states;
        for (const Branch& b : network.branches) states.push_back(b.initial);
        const Nodal nodal{network};
        for (const double t : {0.0, 0.5}) {
            if (t > 0) states = flow(nodal, states, t, 400);
            const Eigen::VectorXd x = nodal.solve(states);
            for (int n = 1; n <= network.nodes; ++n)
                CHECK(sample(trace, fmt::format("n{}.voltage", n), t) == close_to(x(n - 1), 1e-7));
            for (std::size_t i = 0; i < network.branches.size(); ++i)
                CHECK(sample(trace, fmt::format("b{}.current", i), t) ==
                      close_to(x(network.nodes + static_cast<int>(i)), 1e-7));
        }
    }
}

TEST_CASE("What no diagram joins to ground is held at its mean", "[networks]") {
    const Trace alone = run(R"toml(
[diagrams.cell.circuit]
u = { type = "voltage",  between = "a b", value = 2 }
r = { type = "resistor", between = "a b", value = 4 }
[blocks]
x = { type = "cell" }
[simulation]
stop = 1
record = ["x.a.voltage", "x.b.voltage", "x.r.current"]
)toml");
    CHECK(last_sample(alone, "x.a.voltage") == close_to(1));
    CHECK(last_sample(alone, "x.b.voltage") == close_to(-1));
    CHECK(last_sample(alone, "x.r.current") == close_to(0.5));
    // Two batteries in a ring of diagrams and a resistor, 4 V over 10 ohm; a, b, c and both middles.
    const Trace ring = run(R"toml(
[diagrams.battery.circuit]
u = { type = "voltage",  between = "plus mid", value = 2 }
r = { type = "resistor", between = "mid minus", value = 4 }
[circuit]
x = { type = "battery", nodes = { plus = "a", minus = "b" } }
y = { type = "battery", nodes = { plus = "b", minus = "c" } }
l = { type = "resistor", between = "a c", value = 2 }
[simulation]
stop = 1
record = ["a.voltage", "b.voltage", "c.voltage", "x.mid.voltage", "y.mid.voltage", "l.current"]
)toml");
    double sum = 0;
    for (const char* node : {"a", "b", "c", "x.mid", "y.mid"})
        sum += last_sample(ring, fmt::format("{}.voltage", node));
    CHECK(last_sample(ring, "l.current") == close_to(0.4));
    CHECK(last_sample(ring, "a.voltage") - last_sample(ring, "b.voltage") == close_to(0.4));
    CHECK(std::abs(sum) < 1e-12);
    // The isolated side of a supply, behind a transformer.
    const Trace supply = run(R"toml(
[diagrams.supply.circuit]
tr = { type = "transformer", between = "in ground", secondary = "s u", ratio = 5 }
d1 = { type = "diode", between = "s out" }
d2 = { type = "diode", between = "u out" }
d3 = { type = "diode", between = "back s" }
d4 = { type = "diode", between = "back u" }
r  = { type = "resistor", between = "out back", value = 100 }
[circuit]
v = { type = "voltage", between = "p ground", value = "100*sin(t)" }
x = { type = "supply", nodes = { in = "p" } }
[simulation]
stop = 4
record = ["x.out.voltage", "x.back.voltage", "x.r.current"]
)toml",
                             {1, 4});
    for (const double t : {1.0, 4.0}) {
        CHECK(sample(supply, "x.r.current", t) == close_to(0.2 * std::abs(std::sin(t)), 1e-11));
        CHECK(sample(supply, "x.out.voltage", t) == close_to(10 * std::abs(std::sin(t)), 1e-11));
        CHECK(sample(supply, "x.back.voltage", t) == close_to(-10 * std::abs(std::sin(t)), 1e-11));
    }
}

TEST_CASE("A node of a diagram may be called like another one", "[networks]") {
    const Trace trace = run(R"toml(
[diagrams.cell.circuit]
r1 = { type = "resistor", between = "ain aout", value = 1 }
r2 = { type = "resistor", between = "bin bout", value = 1 }
r3 = { type = "resistor", between = "aout bin", value = 1 }
[circuit]
u = { type = "voltage", between = "a ground", value = 3 }
x = { type = "cell", nodes = { ain = "a", bout = "ground" } }
[simulation]
stop = 1
record = ["u.current"]
)toml");
    CHECK(last_sample(trace, "u.current") == close_to(-1));
}
