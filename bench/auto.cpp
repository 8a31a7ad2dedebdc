// What it costs that the method for stiff flow is at hand, where nothing is stiff: auto against taylor.
#include "bench/bench.hpp"

#include <fmt/format.h>

#include <cmath>

namespace deltaflow::bench {

namespace {

struct Case {
    const char* name;
    double stop;
    std::string text;
};

const char* const pendulum = R"toml(
[blocks]
v = { type = "integrator", in = "-sin(x) - 0.0001*v" }
x = { type = "integrator", in = "v", initial = 2 }
)toml";

const char* const lorenz = R"toml(
[blocks]
x = { type = "integrator", in = "10*(y - x)", initial = 1 }
y = { type = "integrator", in = "x*(28 - z) - y", initial = 1 }
z = { type = "integrator", in = "x*y - 8*z/3", initial = 1 }
)toml";

const char* const kepler = R"toml(
[blocks]
r = "(x^2 + y^2)^1.5"
u = { type = "integrator", in = "-x/r" }
v = { type = "integrator", in = "-y/r", initial = 1.5 }
x = { type = "integrator", in = "u", initial = 0.5 }
y = { type = "integrator", in = "v" }
)toml";

// The restricted three-body problem: once round in the time of its period.
const char* const arenstorf = R"toml(
[parameters]
mu = 0.012277471
[blocks]
a = "((x + mu)^2 + y^2)^1.5"
b = "((x - 1 + mu)^2 + y^2)^1.5"
x = { type = "integrator", in = "u", initial = 0.994 }
y = { type = "integrator", in = "v" }
u = { type = "integrator", in = "x + 2*v - (1 - mu)*(x + mu)/a - mu*(x - 1 + mu)/b" }
v = { type = "integrator", in = "y - 2*u - (1 - mu)*y/a - mu*y/b", initial = -2.00158510637908252240537862224 }
)toml";

std::string chain_text(int count) {
    std::string text = "[blocks]\nx0 = \"0\"\n";
    for (int i = 1; i <= count; ++i)
        text += fmt::format(
            "v{0} = {{ type = \"integrator\", in = \"x{1} - 2*x{0} + x{2} - sin(x{0}) - 0.1*v{0}*sqrt(1 + "
            "v{0}^2)\" }}\n"
            "x{0} = {{ type = \"integrator\", in = \"v{0}\", initial = {3} }}\n",
            i, i - 1, i + 1, 0.1 * (i % 7));
    return text + fmt::format("x{} = \"sin(t)\"\n", count + 1);
}

const char* const ball = R"toml(
[blocks]
a   = "-9.81 + F"
F   = "-2 * pre(v) * hit"
hit = { type = "crossing", in = "y", direction = "falling" }
v   = { type = "integrator", in = "a" }
y   = { type = "integrator", in = "v", initial = 10 }
)toml";

const char* const ball_with_drag = R"toml(
[blocks]
a   = "-9.81 - 0.001*v*abs(v) + F"
F   = "-2 * pre(v) * hit"
hit = { type = "crossing", in = "y", direction = "falling" }
v   = { type = "integrator", in = "a" }
y   = { type = "integrator", in = "v", initial = 10 }
)toml";

const char* const balls = R"toml(
[diagrams.ball]
outputs = ["y"]
[diagrams.ball.blocks]
a   = "-9.81 + F"
F   = "-1.9 * pre(v) * hit"
hit = { type = "crossing", in = "y", direction = "falling" }
v   = { type = "integrator", in = "a" }
y   = { type = "integrator", in = "v", initial = 10 }
[blocks]
many = { type = "ball", count = 1000 }
sum = "many[0].y + 0*many[999].y"
)toml";

// A source, a diode that follows its current, a coil, a capacitor and a load.
const char* const rectifier = R"toml(
[elements]
source = { type = "MSe", effort = "10*sin(100*pi*t)" }
diode  = { type = "Sw", automaton = "valve" }
loop   = { type = "1" }
coil   = { type = "I", value = 0.1 }
node   = { type = "0" }
store  = { type = "C", value = 1e-3 }
load   = { type = "R", value = 50 }
[bonds]
b1 = "source -> loop"
b2 = "loop -> diode"
b3 = "loop -> coil"
b4 = "loop -> node"
b5 = "node -> store"
b6 = "node -> load"
[automata.valve]
initial = "blocks"
states  = { blocks = "off", conducts = "on" }
transitions = [
  { from = "blocks",   to = "conducts", when = "source.effort > store.effort" },
  { from = "conducts", to = "blocks",   when = "coil.flow <= 0 and source.effort < store.effort" },
]
)toml";

// Where nothing is stiff nobody changes the method: then both runs are the same to the last bit.
void expect_same_bits(const std::string& name, const Trace& a, const Trace& b) {
    if (a.t != b.t || a.samples != b.samples || a.events.size() != b.events.size() ||
        a.statistics.steps != b.statistics.steps || a.impulses != b.impulses || !a.errors.empty())
        throw WrongResult(fmt::format("{}: auto and taylor differ", name));
    for (std::size_t i = 0; i < a.events.size(); ++i)
        if (a.events[i].t != b.events[i].t) throw WrongResult(fmt::format("{}: events differ", name));
}

double median(std::vector<double> v) {
    std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
    return v[v.size() / 2];
}

// Side by side, and the median of the ratios: a slow spell of the machine meets both.
Figure compare(const Case& c) {
    FlatModel plain = until(load_model_text("auto.toml", c.text), c.stop);
    plain.settings.method = Method::taylor;
    FlatModel chosen = plain;
    chosen.settings.method = Method::automatic;
    Trace a, b;
    std::vector<double> ratios, times;
    for (int round = 0; round < 31; ++round) {
        double with, without;
        if (round % 2 == 0) {
            without = seconds([&] { a = simulate(plain); });
            with = seconds([&] { b = simulate(chosen); });
        } else {
            with = seconds([&] { b = simulate(chosen); });
            without = seconds([&] { a = simulate(plain); });
        }
        ratios.push_back(with / without);
        times.push_back(without);
    }
    expect_same_bits(c.name, a, b);
    return {fmt::format("auto: {}", c.name), median(ratios), "ratio", 1.05,
            fmt::format("{} steps, {} events, {:.3g} ms by taylor", a.statistics.steps, a.events.size(),
                        1e3 * median(times))};
}

}  // namespace

Figures automatic() {
    const std::vector<Case> cases{
        {"pendulum", 2000, pendulum},
        {"Lorenz", 60, lorenz},
        {"Kepler", 500, kepler},
        {"Arenstorf", 17.0652165601579625588917206249, arenstorf},
        {"driven chain with drag", 100, chain_text(20)},
        {"flight", 5000, ball},
        {"flight with drag", 500, ball_with_drag},
        {"1000 balls", 10, balls},
        {"bond graph", 2, rectifier},
    };
    Figures figures;
    for (const Case& c : cases) figures.push_back(compare(c));
    return figures;
}

}  // namespace deltaflow::bench
