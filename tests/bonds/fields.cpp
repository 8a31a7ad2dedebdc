// Fields: coupled coils, masses and capacitors.
#include "bonds/field.hpp"
#include "engine/exact.hpp"
#include "tests/engine/run.hpp"

#include <cmath>

using namespace deltaflow;
using namespace deltaflow::engine_test;

namespace {

bonds::Matrix matrix(const std::vector<std::vector<double>>& rows) {
    bonds::Matrix m;
    for (const auto& row : rows) {
        m.emplace_back();
        for (const double x : row) m.back().push_back(number_from_double(x));
    }
    return m;
}

const std::string three_coils = R"toml(
[circuit]
u  = { type = "voltage", between = "a ground", value = "sin(3*t)" }
r1 = { type = "resistor", between = "a b", value = 1 }
l1 = { type = "inductor", between = "b ground", value = 1, initial = 0.5 }
l2 = { type = "inductor", between = "c ground", value = 2, initial = -0.25 }
l3 = { type = "inductor", between = "e ground", value = 3 }
r2 = { type = "resistor", between = "c ground", value = 2 }
r3 = { type = "resistor", between = "e ground", value = 3 }
)toml";

const std::string coupling = R"toml(
k1 = { type = "coupling", coils = "l1 l2", mutual = 0.9 }
k2 = { type = "coupling", coils = "l2 l3", mutual = -0.7 }
k3 = { type = "coupling", coils = "l3 l1", mutual = 0.4 }
[simulation]
stop = 2
record = ["l1.current", "l2.current", "l3.current", "l1.momentum", "total.energy"]
)toml";

}  // namespace

TEST_CASE("a matrix is T' D T", "[fields]") {
    const bonds::Factors f = bonds::factors_of(matrix({{4, 2, 1}, {2, 3, 0}, {1, 0, 2}}));
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k) {
            double sum = 0;
            for (std::size_t j = 0; j < 3; ++j)
                sum += f.ratios[j][i].value * f.pivots[j].value * f.ratios[j][k].value;
            CHECK(sum == close_to(std::vector<std::vector<double>>{{4, 2, 1}, {2, 3, 0}, {1, 0, 2}}[i][k]));
        }
    CHECK(is_zero(bonds::factors_of(matrix({{4, 2}, {2, 1}})).pivots[1]));
    CHECK_THROWS_WITH(bonds::factors_of(matrix({{1, 2}, {3, 9}})), Catch::Contains("symmetric"));
    CHECK_THROWS_WITH(bonds::factors_of(matrix({{1, 2}, {2, 3}})), Catch::Contains("less than nothing"));
    CHECK_THROWS_WITH(bonds::factors_of(matrix({{-1, 0}, {0, 3}})), Catch::Contains("less than nothing"));
    CHECK_THROWS_WITH(bonds::factors_of(matrix({{0, 1}, {1, 3}})), Catch::Contains("less than nothing"));
}

TEST_CASE("three coupled coils obey v = L di/dt", "[fields]") {
    // u - i1 = flux1', -2 i2 = flux2', -3 i3 = flux3', as blocks; currents by the inverse matrix.
    const Trace blocks = run(R"toml(
[blocks]
i1 = "(f1 - 0.9*i2 - 0.4*i3)"
i2 = "(f2 - 0.9*i1 + 0.7*i3)/2"
i3 = "(f3 - 0.4*i1 + 0.7*i2)/3"
f1 = { type = "integrator", in = "sin(3*t) - i1", initial = "0.5 - 0.9*0.25" }
f2 = { type = "integrator", in = "-2*i2", initial = "0.9*0.5 - 2*0.25" }
f3 = { type = "integrator", in = "-3*i3", initial = "0.4*0.5 + 0.7*0.25" }
energy = "0.5*(f1*i1 + f2*i2 + f3*i3)"
[simulation]
stop = 2
)toml");
    for (const char* method : {"taylor", "dopri5", "rosenbrock4"}) {
        INFO(method);
        const Trace trace = run(three_coils + coupling, {}, {{"simulation.method", method}});
        CHECK(last_sample(trace, "l1.current") == close_to(last_sample(blocks, "i1"), 1e-10));
        CHECK(last_sample(trace, "l2.current") == close_to(last_sample(blocks, "i2"), 1e-10));
        CHECK(last_sample(trace, "l3.current") == close_to(last_sample(blocks, "i3"), 1e-10));
        CHECK(last_sample(trace, "l1.momentum") == close_to(last_sample(blocks, "f1"), 1e-10));
        CHECK(last_sample(trace, "total.energy") == close_to(last_sample(blocks, "energy"), 1e-10));
    }
}

TEST_CASE("coils without stray flux are an ideal transformer beside one coil", "[fields]") {
    const std::string rest = R"toml(
u  = { type = "voltage", between = "a ground", value = "if(t - 0.5, -1, 2)" }
r1 = { type = "resistor", between = "a b", value = 1 }
d  = { type = "diode", between = "c e" }
r2 = { type = "resistor", between = "e ground", value = 3 }
[simulation]
stop = 1.5
record = ["r1.current", "r2.current", "b.voltage"]
)toml";
    const Trace coils =
        run("[circuit]\nl1 = { type = \"inductor\", between = \"b ground\", value = 2 }\n"
            "l2 = { type = \"inductor\", between = \"c ground\", value = 0.5 }\n"
            "k = { type = \"coupling\", coils = \"l1 l2\", value = 1 }" +
            rest);
    const Trace ideal =
        run("[circuit]\nl1 = { type = \"inductor\", between = \"b ground\", value = 2 }\n"
            "tr = { type = \"transformer\", between = \"b ground\", secondary = \"c ground\", "
            "ratio = 2 }" +
            rest);
    REQUIRE(coils.t.size() == ideal.t.size());
    for (const char* signal : {"r1.current", "r2.current", "b.voltage"})
        for (std::size_t i = 0; i < coils.t.size(); ++i)
            CHECK(samples_of(coils, signal)[i] == close_to(samples_of(ideal, signal)[i], 1e-10));
}

TEST_CASE("a flow that is given makes a part of a field dependent", "[fields]") {
    // p = L f with f0 = sin(t): f1 + 3 f1' + cos(t) = 0, and the effort of the source is 2 cos(t) + f1'.
    const Trace trace = run(R"toml(
[elements]
drive = { type = "MSf", flow = "sin(t)" }
a = { type = "1" }
b = { type = "1" }
L = { type = "I", value = [[2, 1], [1, 3]] }
r = { type = "R", value = 1 }
[bonds]
b1 = "drive -> a"
b2 = "a -> L[0]"
b3 = "b -> L[1]"
b4 = "b -> r"
[simulation]
stop = 2
record = ["L[0].flow", "L[1].flow", "L[0].effort", "L[1].momentum", "L.*"]
)toml");
    // f1 = A cos + B sin + c exp(-t/3): -(3 A) sin + 3 B cos + A cos + B sin = -cos
    const double B = -3.0 / 10, A = -1.0 / 10, c = 0.1, t = 2;
    const double f1 = A * std::cos(t) + B * std::sin(t) + c * std::exp(-t / 3);
    const double rate = -A * std::sin(t) + B * std::cos(t) - c / 3 * std::exp(-t / 3);
    CHECK(last_sample(trace, "L[1].flow") == close_to(f1, 1e-11));
    CHECK(last_sample(trace, "L[0].effort") == close_to(2 * std::cos(t) + rate, 1e-11));
    CHECK(last_sample(trace, "L[1].momentum") == close_to(std::sin(t) + 3 * f1, 1e-11));
    CHECK(last_sample(trace, "L[1].energy") == close_to(0.5 * f1 * (std::sin(t) + 3 * f1), 1e-11));
}

TEST_CASE("coupled capacitors are the three that they are made of", "[fields]") {
    const std::string rest = R"toml(
s  = { type = "MSf", flow = "1 + sin(t)" }
r1 = { type = "R", value = 2 }
r2 = { type = "R", value = 3 }
a = { type = "0" }
b = { type = "0" }
)toml";
    const std::string bonds = R"toml(
[bonds]
b1 = "s -> a"
b2 = "a -> r1"
b3 = "b -> r2"
)toml";
    const std::string record = "[simulation]\nstop = 3\nrecord = [\"a.effort\", \"b.effort\"]\n";
    const Trace field =
        run("[elements]\nC = { type = \"C\", value = [[3, -2], [-2, 2.5]], displacement = [1, 0] }" + rest +
            bonds + "b4 = \"a -> C[0]\"\nb5 = \"b -> C[1]\"\n" + record);
    // q = C e: e = (1, 0) C^-1 = (2.5, 2) / 3.5; c1 = 1 and c2 = 0.5 to ground, 2 between
    const Trace three = run(
        "[elements]\nc1 = { type = \"C\", value = 1, displacement = \"2.5/3.5\" }\n"
        "c2 = { type = \"C\", value = 0.5, displacement = \"1/3.5\" }\n"
        "c12 = { type = \"C\", value = 2, displacement = \"1/3.5\" }\nj = { type = \"1\" }" +
        rest + bonds +
        "b4 = \"a -> c1\"\nb5 = \"b -> c2\"\nb6 = \"a -> j\"\nb7 = \"j -> b\"\nb8 = \"j -> c12\"\n" + record);
    for (const char* signal : {"a.effort", "b.effort"})
        for (std::size_t i = 0; i < field.t.size(); ++i)
            CHECK(samples_of(field, signal)[i] == close_to(samples_of(three, signal)[i], 1e-10));
}

TEST_CASE("a switch that opens one of two coupled coils", "[fields]") {
    const std::string text = R"toml(
[circuit]
u  = { type = "current", between = "ground b", value = 3 }
l1 = { type = "inductor", between = "b ground", value = 2, initial = 3 }
l2 = { type = "inductor", between = "ground e", value = 8, initial = 0 }
k  = { type = "coupling", coils = "l1 l2", mutual = 3 }
d  = { type = "diode", between = "e ground" }
s  = { type = "switch", between = "b ground", closed = "shut" }
[blocks]
shut = { type = "step", at = 1, size = 1 }
[simulation]
stop = 2
record = ["l1.current", "l2.current", "s.current"]
)toml";
    // Shorted, both coils keep their flux: 6 and 9.
    const Trace trace = run(text);
    CHECK(last_sample(trace, "l1.current") == close_to(3));
    CHECK(last_sample(trace, "l2.current") == close_to(0));
    const Trace struck = run(R"toml(
[circuit]
u  = { type = "current", between = "ground b", value = "if(t - 1, 0, 3)" }
l1 = { type = "inductor", between = "b ground", value = 2, initial = 3 }
l2 = { type = "inductor", between = "ground e", value = 8, initial = 0 }
k  = { type = "coupling", coils = "l1 l2", mutual = 3 }
d  = { type = "diode", between = "e ground" }
[simulation]
stop = 2
record = ["l1.current", "l2.current", "b.voltage"]
)toml");
    const auto jump = happenings(struck, "l2.current");
    REQUIRE(jump.size() == 1);
    CHECK(jump[0].right == close_to(9.0 / 8));
    const auto voltage = happenings(struck, "b.voltage");
    REQUIRE(voltage.size() == 1);
    REQUIRE(voltage[0].impulses.size() == 1);
    CHECK(voltage[0].impulses[0] == close_to(-(2 - 9.0 / 8) * 3));
}
