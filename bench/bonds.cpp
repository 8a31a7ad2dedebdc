// Bond graphs: a change of mode against a plain instant, a long ladder, and a long cradle.
#include "bench/bench.hpp"
#include "bench/ladder_by_hand.hpp"
#include "engine/front/read/toml.hpp"
#include "engine/modes/modes.hpp"

#include <fmt/format.h>

#include <cmath>

namespace deltaflow::bench {

namespace {

// A coil, a capacitor and a load behind a switch, driven by a square wave. `switching`: the wave moves the
// switch; else it only steps the source.
FlatModel square_wave(bool switching, int periods) {
    const std::string text = fmt::format(R"toml(
[parameters]
half = "1/128"
[blocks]
wave = {{ type = "pulse", at = 0, width = "half", size = 1, period = "2*half" }}
[elements]
source = {{ type = "MSe", effort = "{}" }}
loop   = {{ type = "1" }}
coil   = {{ type = "I", value = 1 }}
out    = {{ type = "0" }}
store  = {{ type = "C", value = 1 }}
load   = {{ type = "R", value = 10 }}
spare  = {{ type = "C", value = 1 }}
tap    = {{ type = "1", automaton = "lever" }}
[bonds]
b1 = "source -> loop"
b2 = "loop -> coil"
b3 = "loop -> out"
b4 = "out -> store"
b5 = "out -> load"
b6 = "out -> tap"
b7 = "tap -> spare"
[automata.lever]
initial = "open"
states  = {{ open = "off", closed = "on" }}
transitions = [
  {{ from = "open", to = "closed", when = "{}" }},
  {{ from = "closed", to = "open", when = "{}" }},
]
[simulation]
stop = {}
record = ["store.effort"]
)toml",
                                         switching ? "1" : "wave", switching ? "wave > 0.5" : "t < -1",
                                         switching ? "wave < 0.5" : "t < -1", periods / 64.0);
    return until(load_model_text("wave.toml", text), periods / 64.0);
}

double seconds_an_instant(const FlatModel& model, int instants) {
    return seconds([&] { simulate(model); }) / instants;
}

Figure mode_switch() {
    constexpr int periods = 2000;
    const FlatModel switching = square_wave(true, periods), plain = square_wave(false, periods);
    double with = 1e300, without = 1e300;
    for (int round = 0; round < 5; ++round) {
        with = std::min(with, seconds_an_instant(switching, 2 * periods));
        without = std::min(without, seconds_an_instant(plain, 2 * periods));
    }
    return {"bonds: mode switch / plain instant", with / without, "ratio", 2,
            fmt::format("{:.3g} us against {:.3g} us", 1e6 * with, 1e6 * without)};
}

// A ladder of n stages, every element and bond written out.
std::string ladder_text(int n) {
    std::string elements = "source = { type = \"Se\", effort = 1 }\n", bonds;
    for (int i = 0; i < n; ++i) {
        elements += fmt::format(
            "j{0} = {{ type = \"1\" }}\nr{0} = {{ type = \"R\", value = 1.5 }}\n"
            "n{0} = {{ type = \"0\" }}\nc{0} = {{ type = \"C\", value = 0.5 }}\n",
            i);
        bonds += fmt::format(
            "a{0} = \"{1} -> j{0}\"\nb{0} = \"j{0} -> r{0}\"\nd{0} = \"j{0} -> n{0}\"\n"
            "e{0} = \"n{0} -> c{0}\"\n",
            i, i == 0 ? "source" : fmt::format("n{}", i - 1));
    }
    return "[elements]\n" + elements + "[bonds]\n" + bonds +
           fmt::format(
               "[simulation]\nmethod = \"rk4\"\nstep = \"1/128\"\nrecord = [\"n0.effort\", \"n{}.effort\"]\n",
               n - 1);
}

Figures ladder() {
    constexpr int stages = 10000, steps = 64 * 8, rounds = 5;
    const std::string text = ladder_text(stages);
    double parse = 1e300, compile = 1e300, step = 1e300, hand = 1e300;
    for (int round = 0; round < rounds; ++round) {
        parse = std::min(parse, seconds([&] {
                             const auto parsed = toml::parse(text);
                             if (parsed.empty()) throw std::runtime_error("the ladder is empty");
                         }));
        compile = std::min(compile, seconds([&] {
                               const FlatModel model = load_model_text("ladder.toml", text);
                               ModeSystems modes(model, model.settings);
                               modes.of(bonds::initial_mode(model.graph));
                           }));
        const FlatModel model = load_model_text("ladder.toml", text);
        const Stepping taken = time_steps(model, 1.0 / 128, steps);
        step = std::min(step, taken.seconds_a_step);
        Ladder by_hand{1.0, 1.5, 0.5, std::vector<double>(stages, 0.0)};
        hand = std::min(hand, seconds([&] { advance_by_hand(by_hand, 1.0 / 128, steps); }) / steps);
        expect_equal("first voltage", taken.trace.samples[0].back(), by_hand.q[0] / 0.5, 1e-9);
    }
    return {{"bonds: ladder, load to compile / parse", compile / parse, "ratio", 4,
             fmt::format("{} stages, {:.3g} s against {:.3g} s", stages, compile, parse)},
            {"bonds: ladder, step / hand-written", step / hand, "ratio", 3,
             fmt::format("{:.3g} us against {:.3g} us", 1e6 * step, 1e6 * hand)}};
}

// Balls in a row that touch; the first one moves, and all collisions happen at one time.
FlatModel cradle_of(int n) {
    const std::string text = fmt::format(R"toml(
[diagrams.ball]
parameters = {{ v = 0.0 }}
[diagrams.ball.elements]
body  = {{ type = "I", value = 1, momentum = "v" }}
speed = {{ type = "1" }}
[diagrams.ball.bonds]
carry = "speed -> body"
[diagrams.contact.elements]
gap    = {{ type = "0" }}
touch  = {{ type = "0", automaton = "hit" }}
bounce = {{ type = "MSf", flow = "pre(approach.flow)" }}
[diagrams.contact.bonds]
approach = "gap -> touch"
push     = "bounce -> touch"
[diagrams.contact.automata.hit]
initial = "apart"
states  = {{ apart = "off", together = "on" }}
transitions = [
  {{ from = "apart", to = "together", when = "pre(approach.flow) > 0" }},
  {{ from = "together", to = "apart", when = "pre(approach.flow) <= 0" }},
]
[blocks]
ball = {{ type = "ball", count = {0}, v = "heaviside(-i)" }}
pair = {{ type = "contact", count = {1} }}
[bonds]
left  = {{ bond = "ball[i].speed -> pair[i].gap", count = {1} }}
right = {{ bond = "pair[i].gap -> ball[i + 1].speed", count = {1} }}
[simulation]
stop = 1
simultaneous = "sequential"
record = ["ball[{1}].body.flow"]
)toml",
                                         n, n - 1);
    return load_model_text("cradle.toml", text);
}

double seconds_of_cradle(int n) {
    const FlatModel model = cradle_of(n);
    double best = 1e300;
    for (int round = 0; round < 5; ++round)
        best = std::min(best, seconds([&] {
                            const Trace trace = simulate(model);
                            expect_equal("last ball", trace.samples[0].back(), 1, 1e-12);
                        }));
    return best;
}

// Entering modes that were never entered before, each one switch away: a mode and back again.
double seconds_a_mode(int n) {
    const FlatModel model = cradle_of(n);
    double best = 1e300;
    for (int round = 0; round < 3; ++round) {
        ModeSystems modes(model, model.settings);
        const bonds::Mode apart = bonds::initial_mode(modes.graph());
        const auto degree = modes.of(apart).degree;
        best = std::min(best, seconds([&] {
                                  for (std::size_t pair = 0; pair < apart.size(); ++pair) {
                                      bonds::Mode together = apart;
                                      together[pair] = 1;
                                      if (!modes.change(apart, together, {}, degree) ||
                                          !modes.change(together, apart, {}, degree))
                                          throw std::runtime_error("a collision reaches the whole cradle");
                                  }
                              }) / static_cast<double>(2 * apart.size()));
    }
    return best;
}

Figures cradle() {
    const double t50 = seconds_of_cradle(50), t100 = seconds_of_cradle(100), t200 = seconds_of_cradle(200),
                 t400 = seconds_of_cradle(400);
    const double few = seconds_a_mode(50), many = seconds_a_mode(400);
    return {{"bonds: cradle, 100 balls / 50 balls", t100 / t50, "ratio", 2.5,
             fmt::format("{:.3g} s against {:.3g} s", t100, t50)},
            {"bonds: cradle, 200 balls / 100 balls", t200 / t100, "ratio", 2.5,
             fmt::format("{:.3g} s against {:.3g} s; 400 balls: {:.3g} s", t200, t100, t400)},
            {"bonds: entering a mode, 400 balls / 50 balls", many / few, "ratio", 2,
             fmt::format("{:.3g} us against {:.3g} us", 1e6 * many, 1e6 * few)}};
}

// So many modes, each left for good after half a second: RC elements that are joined to a source one by one.
void switch_one_by_one(double count) {
    std::string elements = "[elements]\nsource = { type = \"Se\", effort = 1 }\nbus = { type = \"0\" }\n",
                bonds = "[bonds]\nb = \"source -> bus\"\n", automata;
    for (int i = 0; i < count; ++i) {
        elements += fmt::format(
            "j{0} = {{ type = \"1\", automaton = \"a{0}\" }}\n"
            "r{0} = {{ type = \"R\", value = 1 }}\nc{0} = {{ type = \"C\", value = 1 }}\n",
            i);
        bonds += fmt::format("x{0} = \"bus -> j{0}\"\ny{0} = \"j{0} -> r{0}\"\nz{0} = \"j{0} -> c{0}\"\n", i);
        automata += fmt::format(
            "[automata.a{0}]\ninitial = \"open\"\n"
            "states = {{ open = \"off\", closed = \"on\", done = \"off\" }}\n"
            "transitions = [{{ from = \"open\", to = \"closed\", when = \"t > {0}\" }},\n"
            "  {{ from = \"closed\", to = \"done\", when = \"t > {0}.5\" }}]\n",
            i);
    }
    const Trace trace = simulate(load_model_text(
        "switches.toml", elements + bonds + automata +
                             fmt::format("[simulation]\nstop = {}\nrecord = [\"c0.effort\"]\n", count)));
    expect_equal("the first capacitor", trace.samples[0].back(), 1 - std::exp(-0.5), 1e-9);
}

Figure memory_of_modes() {
    return {"bonds: memory of 1000 automata that switch one after the other",
            peak_megabytes(switch_one_by_one, 1000), "MB", 200, "2000 switches of one bond graph"};
}

}  // namespace

Figures bond_graphs() {
    Figures figures{memory_of_modes(), mode_switch()};  // the first before others have taken memory
    for (Figure& f : ladder()) figures.push_back(std::move(f));
    for (Figure& f : cradle()) figures.push_back(std::move(f));
    return figures;
}

}  // namespace deltaflow::bench
