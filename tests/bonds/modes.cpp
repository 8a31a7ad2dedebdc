// Changes of mode in graphs of many parts: what a change reaches, and that nothing depends on the way there.
#include "engine/modes/modes.hpp"
#include "engine/simulate.hpp"
#include "tests/paths.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>

using namespace deltaflow;

namespace {

// Balls in a row that touch, each with its mass, collide two at a time, leftmost pair first. `more`: what
// else a ball has.
std::string cradle(int n, const std::string& mass, const std::string& velocity,
                   const std::string& more = "") {
    std::string record;
    for (int i = 0; i < n; ++i) record += fmt::format("\"ball[{}].body.flow\", ", i);
    return fmt::format(R"toml(
[diagrams.ball]
parameters = {{ m = 1.0, v = 0.0 }}
[diagrams.ball.elements]
body  = {{ type = "I", value = "m", momentum = "m * v" }}
speed = {{ type = "1" }}
{4}
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
ball = {{ type = "ball", count = {0}, m = "{2}", v = "{3}" }}
pair = {{ type = "contact", count = {1} }}
[bonds]
left  = {{ bond = "ball[i].speed -> pair[i].gap", count = {1} }}
right = {{ bond = "pair[i].gap -> ball[i + 1].speed", count = {1} }}
[simulation]
stop = 0.5
simultaneous = "sequential"
record = [{5}]
)toml",
                       n, n - 1, mass, velocity,
                       more.empty() ? "[diagrams.ball.bonds]\ncarry = \"speed -> body\"" : more, record);
}

double last_value(const Trace& trace, const std::string& signal) {
    const auto at = std::find(trace.signals.begin(), trace.signals.end(), signal) - trace.signals.begin();
    REQUIRE(at < static_cast<std::ptrdiff_t>(trace.signals.size()));
    return trace.samples[static_cast<std::size_t>(at)].back();
}

Trace run(const std::string& text) {
    Trace trace = simulate(load_model_text("cradle.toml", text));
    for (const auto& error : trace.errors) FAIL(error.text);
    return trace;
}

double velocity_after(const Trace& trace, int ball) {
    return last_value(trace, fmt::format("ball[{}].body.flow", ball));
}

// The same by hand: as long as a pair approaches, the leftmost one collides.
int collide(std::vector<double>& v, const std::vector<double>& m) {
    for (int collisions = 0;; ++collisions) {
        std::size_t i = 0;
        while (i + 1 < v.size() && v[i] - v[i + 1] <= 1e-13) ++i;
        if (i + 1 == v.size()) return collisions;
        const double common = (m[i] * v[i] + m[i + 1] * v[i + 1]) / (m[i] + m[i + 1]);
        v[i] = 2 * common - v[i];
        v[i + 1] = 2 * common - v[i + 1];
    }
}

}  // namespace

TEST_CASE("In a cradle of any length the last balls leave as the first ones came", "[bonds]") {
    for (const int n : {2, 3, 4, 7, 12, 33}) {
        CAPTURE(n);
        const Trace one = run(cradle(n, "1", "3 * heaviside(-i)"));
        for (int i = 0; i < n; ++i) CHECK(velocity_after(one, i) == Approx(i + 1 < n ? 0 : 3).margin(1e-12));
        REQUIRE(one.events.size() == 2 * static_cast<std::size_t>(n - 1));
        CHECK(one.events.back().epsilon == 2 * static_cast<std::uint32_t>(n - 1) - 1);
        CHECK(one.energy.stored_at_end == Approx(4.5));
        CHECK(one.warnings.empty());
    }
    const Trace two = run(cradle(15, "1", "heaviside(1 - i)"));
    for (int i = 0; i < 15; ++i) CHECK(velocity_after(two, i) == Approx(i < 13 ? 0 : 1).margin(1e-12));
}

TEST_CASE("Balls of different masses end as collisions one after the other end by hand", "[bonds]") {
    for (const int n : {3, 8, 14, 25}) {
        CAPTURE(n);
        std::vector<double> m, v;
        for (int i = 0; i < n; ++i) {
            m.push_back(1 + 0.5 * std::sin(7.0 * i));
            v.push_back(std::cos(5.0 * i));
        }
        const int collisions = collide(v, m);
        const Trace trace = run(cradle(n, "1 + 0.5 * sin(7 * i)", "cos(5 * i)"));
        for (int i = 0; i < n; ++i) CHECK(velocity_after(trace, i) == Approx(v[i]).margin(1e-10));
        CHECK(trace.events.size() == 2 * static_cast<std::size_t>(collisions));
        CHECK(trace.warnings.empty());
    }
}

TEST_CASE("Balls on springs that are at rest side by side stay so when others collide", "[bonds]") {
    // Each ball hangs on its own spring: differences that are zero on many rungs have to be told apart.
    const std::string springs =
        "hang = { type = \"C\", value = 0.5 }\n[diagrams.ball.bonds]\ncarry = \"speed -> body\"\n"
        "pull = \"speed -> hang\"";
    const int n = 12;
    const Trace trace = run(cradle(n, "1", "heaviside(-i)", springs));
    const double omega = std::sqrt(2.0);
    for (int i = 0; i + 1 < n; ++i) CHECK(velocity_after(trace, i) == Approx(0).margin(1e-12));
    CHECK(velocity_after(trace, n - 1) == Approx(std::cos(0.5 * omega)).epsilon(1e-12));
}

TEST_CASE("What a collision reaches does not grow with the cradle", "[bonds]") {
    std::vector<std::size_t> reached;
    for (const int n : {20, 40, 80}) {
        const FlatModel model = load_model_text("cradle.toml", cradle(n, "1", "heaviside(-i)"));
        ModeSystems modes(model, model.settings);
        const bonds::Mode apart = bonds::initial_mode(modes.graph());
        const std::vector<std::int16_t> degree = modes.of(apart).degree;
        bonds::Mode together = apart;
        together[9] = 1;
        const Change* there = modes.change(apart, together, {}, degree);
        REQUIRE(there);
        const Change* back = modes.change(together, apart, {}, degree);
        REQUIRE(back);
        CHECK(there->automata == std::vector<std::uint32_t>{8, 9, 10});
        CHECK(back->reached == there->reached);
        CHECK(modes.change(apart, together, {}, degree) == there);
        reached.push_back(there->reached);
        CHECK(modes.count() == 1);
    }
    CHECK(reached[1] == reached[0]);
    CHECK(reached[2] == reached[0]);
    CHECK(reached[0] < 100);
}

TEST_CASE("The blocks of a mode do not depend on the modes before it", "[bonds]") {
    std::mt19937 random(3);
    for (const std::string name :
         {"newtons_cradle", "cradle_with_rider", "falling_rod", "impact_module", "clutch", "vacuum_chamber",
          "switch_diode_circuit", "stiction_breakaway", "buck_converter", "two_capacitors"}) {
        CAPTURE(name);
        const FlatModel model = load_model(test::project_folder() + "/diagrams/" + name + ".toml");
        const auto& automata = model.graph.automata;
        ModeSystems walking(model, model.settings);
        bonds::Mode mode = bonds::initial_mode(model.graph);
        for (int step = 0; step < 12 && !mode.empty(); ++step) {
            const auto a = random() % mode.size();
            mode[a] = static_cast<std::uint32_t>(random() % automata[a].states.size());
            ModeSystems fresh(model, model.settings);
            std::string refused;
            try {
                fresh.of(mode);
            } catch (const ModelError& e) {
                refused = e.what();
            }
            if (!refused.empty()) {
                CHECK_THROWS_WITH(walking.of(mode), refused);
                continue;
            }
            const System &s = walking.of(mode), &anew = fresh.of(mode);
            REQUIRE(s.d.inputs == anew.d.inputs);
            REQUIRE(s.d.parameters == anew.d.parameters);
            CHECK(s.dependent == anew.dependent);
            for (NodeId n = 0; n < s.d.nodes.size(); ++n) REQUIRE(s.d.nodes[n].op == anew.d.nodes[n].op);
        }
    }
}
