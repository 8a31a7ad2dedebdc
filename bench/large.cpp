// Large models as they are written, by `auto`: a wave of reaction and diffusion, a power grid with diodes, a
// beam that hits a stop.
#include "bench/bench.hpp"
#include "bench/stiff_by_hand.hpp"
#include "engine/limits.hpp"

#include <fmt/format.h>

#include <cmath>

namespace deltaflow::bench {

namespace {

constexpr double tolerance = 1e-6, diffusion = 100, wave_stop = 20;

// Fisher's equation on a line: u' = d (left - 2 u + right) + u (1 - u); ten cells are full at first.
FlatModel wave(std::size_t cells) {
    return until(load_model_text("wave.toml", fmt::format(R"toml(
[parameters]
n = {0}
[diagrams.cell]
inputs = ["left", "right"]
outputs = ["u"]
parameters = {{ first = 0 }}
[diagrams.cell.blocks]
u = {{ type = "integrator", in = "{1}*(left - 2*u + right) + u*(1 - u)", initial = "first" }}
[blocks]
cell = {{ type = "cell", count = "n", first = "if(9.5 - i, 1, 0)", left = "cell[max(i - 1, 0)].u", right = "cell[min(i + 1, n - 1)].u" }}
[simulation]
tolerance = {2}
absolute = {2}
record = ["cell[300].u"]
)toml",
                                                          cells, diffusion, tolerance)),
                 wave_stop);
}

Figures waves() {
    constexpr std::size_t cells = 10000, place = 300;
    const FlatModel model = wave(cells);
    Trace trace;
    StiffEnd hand;
    const double local = 0.1 * limits::local_share * tolerance;
    const auto [engine, by_hand] = race(
        2, [&] { trace = simulate(model); },
        [&] { hand = wave_by_cvode(cells, diffusion, place, wave_stop, local); });
    if (std::isnan(hand.last)) return {};
    expect_equal("the front of the wave", trace.samples[0].back(), hand.last, 1e-4);
    return {{"large: reaction and diffusion, 10,000 cells, auto / hand-written CVODE", engine / by_hand,
             "ratio", 3,
             fmt::format("{:.3g} s in {} steps against {:.3g} s in {}", engine, trace.statistics.steps,
                         by_hand, hand.steps)}};
}

// A square of nodes with a resistor to each neighbour and a capacitor to ground, a source at one corner, and
// at each tenth node a diode with a capacitor and a load behind it.
std::string grid(int side) {
    std::string text =
        "[circuit]\nu = { type = \"voltage\", between = \"s ground\", value = \"10*sin(100*pi*t)\" }\n"
        "rs = { type = \"resistor\", between = \"s n0\", value = 0.1 }\n";
    const auto pole = [&](const char* name, int i, const char* type, const std::string& between,
                          double value) {
        text += fmt::format("{}{} = {{ type = \"{}\", between = \"{}\", value = {} }}\n", name, i, type,
                            between, value);
    };
    for (int i = 0; i < side * side; ++i) {
        pole("c", i, "capacitor", fmt::format("n{} ground", i), 1e-6);
        if (i % side + 1 < side) pole("x", i, "resistor", fmt::format("n{} n{}", i, i + 1), 1);
        if (i + side < side * side) pole("y", i, "resistor", fmt::format("n{} n{}", i, i + side), 1);
        if (i % 10 != 5) continue;
        text += fmt::format("d{0} = {{ type = \"diode\", between = \"n{0} p{0}\" }}\n", i);
        pole("k", i, "capacitor", fmt::format("p{} ground", i), 1e-4);
        pole("r", i, "resistor", fmt::format("p{} ground", i), 200);
    }
    return text + fmt::format("[simulation]\ntolerance = {}\nrecord = [\"p5.voltage\"]\n", tolerance);
}

// Masses in a row with springs and dampers between them, pushed at the end, which a stop limits.
std::string beam(int masses) {
    std::string text = "[mechanics]\n";
    for (int i = 0; i < masses; ++i) {
        const std::string between = i == 0 ? "x0 ground" : fmt::format("x{} x{}", i, i - 1);
        text += fmt::format(
            "m{0} = {{ type = \"mass\", at = \"x{0}\", value = {1} }}\n"
            "s{0} = {{ type = \"spring\", between = \"{2}\", value = {3} }}\n"
            "d{0} = {{ type = \"damper\", between = \"{2}\", value = {4} }}\n",
            i, 1.0 / masses, between, masses, 1e-3 * masses);
    }
    return text + fmt::format(
                      "f = {{ type = \"force\", at = \"x{0}\", value = \"0.2*sin(1.5*t)\" }}\n"
                      "end = {{ type = \"stop\", between = \"x{0} ground\", low = -0.1, high = 0.1, "
                      "restitution = 0.5 }}\n"
                      "[simulation]\ntolerance = {1}\nrecord = [\"x{0}.position\"]\n",
                      masses - 1, tolerance);
}

struct Cost {
    double seconds;
    Trace trace;
    // Of one step or event, a node.
    double a_piece(int nodes) const {
        return seconds / nodes / static_cast<double>(trace.statistics.steps + trace.events.size());
    }
};

Cost cost(const std::string& text, double stop) {
    Cost c{};
    c.seconds = seconds([&] { c.trace = simulate(until(load_model_text("large.toml", text), stop)); });
    if (c.trace.end_reason != EndReason::stop || c.trace.events.empty())
        throw WrongResult("a large model ended early");
    return c;
}

// From text to the end of the run.
Figure grown(const std::string& what, int few, int many, const Cost& small, const Cost& big) {
    return {fmt::format("large: {}, {} / {}, a node and step", what, many, few),
            big.a_piece(many) / small.a_piece(few), "ratio", 2,
            fmt::format("{:.3g} s with {} steps and {} events against {:.3g} s with {} and {}", big.seconds,
                        big.trace.statistics.steps, big.trace.events.size(), small.seconds,
                        small.trace.statistics.steps, small.trace.events.size())};
}

Figure grids() {
    const int few = large ? 22 : 10, many = large ? 45 : 20;
    const double stop = 0.01;
    return grown("grid with diodes", few * few, many * many, cost(grid(few), stop), cost(grid(many), stop));
}

Figure beams() {
    constexpr int few = 250, many = 1000;
    const double stop = large ? 10 : 2;
    return grown("beam that hits a stop", few, many, cost(beam(few), stop), cost(beam(many), stop));
}

}  // namespace

Figures large_models() {
    Figures figures = waves();
    figures.push_back(grids());
    figures.push_back(beams());
    return figures;
}

}  // namespace deltaflow::bench
