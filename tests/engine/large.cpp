// Networks of many parts: right where they are large, stiff or of many modes.
#include "engine/solve/steppers/stepper.hpp"
#include "tests/engine/run.hpp"

#include <fmt/format.h>

#include <cmath>
#include <ctime>

using namespace deltaflow;
using namespace deltaflow::engine_test;

TEST_CASE("Modes that had to be forgotten are entered again", "[engine][large][slow]") {
    constexpr int switches = 200;
    std::string elements = "source = { type = \"Se\", effort = 1 }\nbus = { type = \"0\" }\n",
                bonds = "b = \"source -> bus\"\n", automata;
    for (int i = 0; i < switches; ++i) {
        elements += fmt::format(
            "j{0} = {{ type = \"1\", automaton = \"a{0}\" }}\n"
            "r{0} = {{ type = \"R\", value = 1 }}\nc{0} = {{ type = \"C\", value = 1 }}\n",
            i);
        bonds += fmt::format("x{0} = \"bus -> j{0}\"\ny{0} = \"j{0} -> r{0}\"\nz{0} = \"j{0} -> c{0}\"\n", i);
        automata += fmt::format(
            "[automata.a{0}]\ninitial = \"open\"\nstates = {{ open = \"off\", closed = \"on\", done = "
            "\"off\" }}\n"
            "transitions = [{{ from = \"open\", to = \"closed\", when = \"t > {0}\" }},\n"
            "  {{ from = \"closed\", to = \"done\", when = \"t > {0}.5\" }}]\n",
            i);
    }
    const Trace trace = run("[elements]\n" + elements + "[bonds]\n" + bonds + automata +
                            fmt::format("[simulation]\nstop = {}\nrecord = [\"c0.effort\", \"c{}.effort\", "
                                        "\"c{}.effort\"]\n",
                                        switches, switches / 2, switches - 1));
    for (const int i : {0, switches / 2, switches - 1})
        CHECK(last_sample(trace, fmt::format("c{}.effort", i)) == close_to(1 - std::exp(-0.5), 1e-9));
}

// Against backward differences of SciPy with sparse Jacobians, diodes of 1 and 10 microohms.
TEST_CASE("A long line with diodes, by every method for stiff flow", "[engine][large][slow]") {
    constexpr int nodes = 50;
    std::string text =
        "[circuit]\nu = { type = \"voltage\", between = \"n0 ground\", value = \"325*sin(100*pi*t)\" }\n";
    for (int i = 1; i <= nodes; ++i) {
        text += fmt::format(
            "r{1} = {{ type = \"resistor\", between = \"n{0} n{1}\", value = 0.01 }}\n"
            "c{1} = {{ type = \"capacitor\", between = \"n{1} ground\", value = 1e-6 }}\n"
            "g{1} = {{ type = \"resistor\", between = \"n{1} ground\", value = 1000 }}\n",
            i - 1, i);
        if (i % 5 == 0)
            text += fmt::format(
                "d{0} = {{ type = \"diode\", between = \"n{0} m{0}\" }}\n"
                "k{0} = {{ type = \"capacitor\", between = \"m{0} ground\", value = 1e-4 }}\n"
                "l{0} = {{ type = \"resistor\", between = \"m{0} ground\", value = 500 }}\n",
                i);
    }
    text +=
        "[simulation]\nstop = 0.002\ntolerance = 1e-6\nabsolute = 1e-9\nrecord = [\"m5.voltage\", "
        "\"m50.voltage\"]\n";
    for (const char* method : {"auto", "rosenbrock4", "cvode"}) {
        if (std::string(method) == "cvode" && !has_cvode()) continue;
        INFO(method);
        const Trace trace = run(text, {0.002}, {{"simulation.method", method}});
        CHECK(last_sample(trace, "m5.voltage") == close_to(185.9997, 1e-6));
        CHECK(last_sample(trace, "m50.voltage") == close_to(163.4227, 1e-6));
    }
}

// Against steps of order 8 of SciPy with tolerance 1e-11, held at the wall until it would have to pull. Of
// the continuous bar it is 2 L / c = 0.2 s.
TEST_CASE("A bar of many masses strikes a wall and comes back", "[engine][large]") {
    constexpr int masses = 100;
    std::string text = "[mechanics]\n";
    for (int i = 0; i < masses; ++i)
        text += fmt::format(
            "m{0} = {{ type = \"mass\", at = \"x{0}\", value = 1e-2, position = 0.01, velocity = -1 }}\n", i);
    for (int i = 0; i + 1 < masses; ++i)
        text +=
            fmt::format("s{0} = {{ type = \"spring\", between = \"x{1} x{0}\", value = 1e4 }}\n", i, i + 1);
    text +=
        "wall = { type = \"contact\", between = \"x0 ground\" }\n"
        "[simulation]\nstop = 0.3\ntolerance = 1e-8\nrecord = [\"x50.position\", \"x50.velocity\", "
        "\"x99.position\"]\n";
    const Trace trace = run(text, {0.3});
    REQUIRE(trace.events.size() == 2);
    CHECK(trace.events[0].t == close_to(0.01, 1e-12));
    CHECK(trace.events[1].t == close_to(0.21016458646738, 1e-10));
    CHECK(last_sample(trace, "x50.position") == close_to(0.08919222707570, 1e-9));
    CHECK(last_sample(trace, "x50.velocity") == close_to(1.07165408576181, 1e-8));
    CHECK(last_sample(trace, "x99.position") == close_to(0.09096838988673, 1e-9));
}

// Dampers tie the efforts of neighbours to each other: what the stop imposes is found without adding up all
// of them. (In the order of the bonds that took a minute.)
TEST_CASE("A long beam with dampers finds its modes soon", "[engine][large]") {
    constexpr int masses = 1000;
    std::string text = "[mechanics]\n";
    for (int i = 0; i < masses; ++i)
        text += fmt::format(
            "m{0} = {{ type = \"mass\", at = \"x{0}\", value = 1e-3 }}\n"
            "s{0} = {{ type = \"spring\", between = \"x{0} {1}\", value = 1e3 }}\n"
            "d{0} = {{ type = \"damper\", between = \"x{0} {1}\", value = 1 }}\n",
            i, i == 0 ? "ground" : fmt::format("x{}", i - 1));
    text +=
        "f = { type = \"force\", at = \"x999\", value = \"sin(t)\" }\n"
        "end = { type = \"stop\", between = \"x999 ground\", low = -1, high = 1e-6 }\n"
        "[simulation]\nstop = 0.01\ntolerance = 1e-6\nrecord = [\"x999.position\"]\n";
    const std::clock_t begin = std::clock();
    const Trace trace = run(text);
    CHECK(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC < 20);
    REQUIRE(trace.events.size() == 1);
    CHECK(last_sample(trace, "x999.position") == close_to(1e-6, 1e-12));
}

// Masses that move alike: what the springs between them are stretched by is, at first, less than the rounding
// of velocities, and no accuracy can be asked of that.
TEST_CASE("What is lost in the rounding of others does not hold up a long chain", "[engine][large]") {
    constexpr int masses = 40;
    std::string text = "[mechanics]\n";
    for (int i = 0; i < masses; ++i)
        text += fmt::format(
            "m{0} = {{ type = \"mass\", at = \"x{0}\", value = 1e-3, velocity = 1 }}\n"
            "s{0} = {{ type = \"spring\", between = \"x{0} {1}\", value = 1e3 }}\n"
            "d{0} = {{ type = \"damper\", between = \"x{0} {1}\", value = 1 }}\n",
            i, i == 0 ? "ground" : fmt::format("x{}", i - 1));
    text += "[simulation]\nstop = 2e-4\ntolerance = 1e-6\nrecord = [\"x0.velocity\", \"x39.position\"]\n";
    const Trace trace = run(text), strict = run(text, {}, {{"simulation.absolute", "1e-12"}});
    CHECK(trace.statistics.steps < 200);
    CHECK(last_sample(trace, "x0.velocity") == close_to(last_sample(strict, "x0.velocity"), 1e-6));
    CHECK(last_sample(trace, "x39.position") == close_to(2e-4, 1e-9));
}

// A wave runs along the ladder: stages that it has not reached are the same quantity as those that it has.
TEST_CASE("`absolute` holds for an array as a whole", "[engine][large]") {
    const auto ladder = [](const char* absolute) {
        return fmt::format(R"toml(
[diagrams.stage]
inputs = ["left", "right"]
outputs = ["v"]
[diagrams.stage.blocks]
v = {{ type = "integrator", in = "1e4*(left - 2*v + right)" }}
[blocks]
stage = {{ type = "stage", count = 300, left = "if(i - 1/2, stage[max(i - 1, 0)].v, 5)", right = "stage[min(i + 1, 299)].v" }}
[simulation]
stop = 1
tolerance = 1e-6
absolute = {}
record = ["stage[100].v"]
)toml",
                           absolute);
    };
    for (const char* method : {"rosenbrock4", "cvode"}) {
        if (std::string(method) == "cvode" && !has_cvode()) continue;
        CAPTURE(method);
        const Trace strict = run(ladder("1e-20"), {}, {{"simulation.method", method}}),
                    trace = run(ladder("1e-6"), {}, {{"simulation.method", method}});
        CHECK(trace.samples[0].back() == Approx(strict.samples[0].back()).epsilon(1e-5));
        CHECK(2 * trace.statistics.steps < strict.statistics.steps);
    }
}
