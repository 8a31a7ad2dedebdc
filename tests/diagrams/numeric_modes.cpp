// Bond graphs on samples: what is exact there, and what falls with the step.
#include "engine/compare.hpp"
#include "tests/diagrams/bond_graphs.hpp"
#include "tests/engine/run.hpp"

using namespace deltaflow;
using namespace deltaflow::test;

namespace {

Trace run_sampled(const std::string& name, const std::string& step, Changes set = {}) {
    set.insert(set.end(),
               {{"simulation.impulses", "numeric"}, {"simulation.step", step}, {"simulation.every", step}});
    return run_diagram(name, set);
}

double last_of(const Trace& trace, const std::string& signal) {
    return trace.samples[signal_index(trace, signal)].back();
}

// Errors at two steps, the second a tenth of the first.
std::pair<double, double> errors_of(const std::string& name, const std::string& signal,
                                    const std::string& step, const std::string& tenth) {
    const FlatModel all = load_model(diagram_path(name));
    const FlatModel one = load_model(
        diagram_path(name), {.set = {}, .record = std::vector<std::string>{signal}, .max_blocks = {}});
    const std::vector<Rational> steps{*parse_rational(step), *parse_rational(tenth)};
    const Comparison c = compare(all, one, steps);
    REQUIRE(c.rows.size() == 2);
    CHECK(c.rows[0].trouble.empty());
    CHECK(c.rows[1].trouble.empty());
    return {c.rows[0].max_error, c.rows[1].max_error};
}

}  // namespace

TEST_CASE("a collision on samples conserves momentum and leaves after one step", "[diagrams]") {
    const Trace trace = run_sampled("two_body_collision", "1/100");
    CHECK(sample_at(trace, "v1.flow", 2) == close_to(3));
    CHECK(sample_at(trace, "v1.flow", 2.01) == close_to(2));
    CHECK(sample_at(trace, "v2.flow", 2.01) == close_to(3));
    CHECK(sample_at(trace, "contact.effort", 2.01) == close_to(200));  // 2 over a step of 1/100
    CHECK(sample_at(trace, "contact.effort", 2.02) == close_to(0));
    CHECK(last_of(trace, "body1.momentum") + last_of(trace, "body2.momentum") == close_to(7));
    REQUIRE(trace.events.size() == 2);
    check_row(trace, trace.events[0], {2, 0, 0, true, {{"touch", "together"}}});
    check_row(trace, trace.events[1], {2.01, 0, 0, true, {{"touch", "apart"}}});
}

TEST_CASE("charge is shared on samples within one step", "[diagrams]") {
    const Trace trace = run_sampled("two_capacitors", "1/100");
    CHECK(sample_at(trace, "switch.flow", 1.01) == close_to(800));
    CHECK(last_of(trace, "left.effort") == close_to(2));
    CHECK(last_of(trace, "right.effort") == close_to(2));
    CHECK(last_of(trace, "total.energy") == close_to(10));
}

TEST_CASE("initial values that contradict each other are shared in the first step", "[diagrams]") {
    const char* text = R"toml(
[elements]
left  = { type = "C", value = 1, displacement = 10 }
right = { type = "C", value = 4 }
node  = { type = "0" }
[bonds]
b1 = "node -> left"
b2 = "node -> right"
[simulation]
stop = 1
impulses = "numeric"
step = "1/10"
every = "1/10"
record = ["left.effort", "right.displacement"]
)toml";
    const Trace trace = engine_test::run(text);
    CHECK(last_of(trace, "left.effort") == close_to(2));
    CHECK(last_of(trace, "right.displacement") == close_to(8));
}

TEST_CASE("a blow is weighed by its impulse on samples, too", "[diagrams]") {
    const Trace slides = run_sampled("stiction_breakaway", "1/100");
    CHECK(last_of(slides, "v1.flow") == close_to(1));
    CHECK(last_of(slides, "v2.flow") == close_to(0));
    REQUIRE(slides.events.size() == 2);
    check_row(slides, slides.events[0], {1, 0, 0, false, {{"stiction", "stuck"}}});
    check_row(slides, slides.events[1], {1, 0, 1, true, {{"stiction", "sliding"}}});
    const Trace sticks = run_sampled("stiction_breakaway", "1/100", {{"F_br", "0.6"}});
    CHECK(last_of(sticks, "v1.flow") == close_to(0.5));
    CHECK(last_of(sticks, "v2.flow") == close_to(0.5));
    // A steady push that is below the threshold is no impulse, however it is sampled.
    const Trace pushed = run_sampled("stiction_breakaway", "1/100", {{"P", "0"}, {"F0", "0.6"}});
    CHECK(last_of(pushed, "v1.flow") == Approx(0.603));
    CHECK(last_of(pushed, "v2.flow") == Approx(0.603));
}

TEST_CASE("a rider is shaken off or carried along on samples as in Tables 1 and 2 of 000", "[diagrams]") {
    const Trace off = run_sampled("cradle_with_rider", "1/100");
    CHECK(last_of(off, "body1.momentum") == close_to(0.1));
    CHECK(last_of(off, "body2.momentum") == close_to(0));
    CHECK(last_of(off, "body3.momentum") == close_to(0.9));
    const Trace on = run_sampled("cradle_with_rider", "1/100", {{"F_th", "0.95"}});
    CHECK(last_of(on, "body1.momentum") == close_to(-0.2));
    CHECK(last_of(on, "body2.momentum") == close_to(0.6));
    CHECK(last_of(on, "body3.momentum") == close_to(0.6));
}

TEST_CASE("collisions that follow each other at one time take a step each on samples", "[diagrams]") {
    const Trace trace = run_sampled("newtons_cradle", "1/1000", {});
    CHECK(trace.events.size() == 8);
    for (std::size_t i = 0; i < trace.events.size(); ++i)
        CHECK(trace.events[i].t == close_to(0.5 + 0.001 * static_cast<double>(i)));
    CHECK(last_of(trace, "speed") == close_to(0));
}

TEST_CASE("errors of bond graphs on samples fall with the step", "[diagrams][slow]") {
    struct Case {
        const char *model, *signal, *step, *tenth;
    };
    const auto c = GENERATE(
        Case{"switch_diode_circuit", "coil.flow", "1/1000", "1/10000"},
        Case{"clutch", "w1.flow", "1/100", "1/1000"}, Case{"clutch", "total.energy", "1/100", "1/1000"},
        Case{"falling_rod", "omega", "1/1000", "1/10000"}, Case{"falling_rod", "vx", "1/1000", "1/10000"},
        Case{"impact_module", "shaft.displacement", "1/1000", "1/10000"},
        Case{"buck_converter", "current.flow", "1/200000", "1/2000000"});
    CAPTURE(c.model, c.signal);
    const auto [coarse, fine] = errors_of(c.model, c.signal, c.step, c.tenth);
    CHECK(coarse > 0);
    CHECK(fine < 0.2 * coarse);
}

TEST_CASE("modes that drive each other end a run on samples", "[diagrams]") {
    const char* text = R"toml(
[elements]
push   = { type = "Se", effort = 1 }
mass   = { type = "I", value = 1 }
v      = { type = "1" }
grip   = { type = "Sw", automaton = "a" }
[bonds]
b1 = "push -> v"
b2 = "v -> mass"
b3 = "v -> grip"
[automata.a]
initial = "on"
states = { on = "on", off = "off" }
transitions = [
  { from = "on", to = "off", when = "t >= 0.5" },
  { from = "off", to = "on", when = "t >= 0.5" },
]
[simulation]
stop = 1
impulses = "numeric"
step = "1/100"
)toml";
    const Trace trace = engine_test::try_run(text);
    REQUIRE(trace.errors.size() == 1);
    CHECK(trace.errors[0].kind == ErrorKind::no_progress);
    CHECK(trace.errors[0].t == Approx(0.5));
    CHECK(trace.errors[0].text.find("modes: [a = on] -> [a = off] -> [a = on]") != std::string::npos);
    CHECK(!trace.t.empty());
}

TEST_CASE("modes that change in every sample end a run, unless they are to go on", "[diagrams]") {
    const char* text = R"toml(
[elements]
push   = { type = "MSe", effort = "a.right - a.left" }
mass   = { type = "I", value = 1 }
grip   = { type = "Sw", automaton = "a" }
v      = { type = "1" }
[bonds]
b1 = "push -> v"
b2 = "v -> mass"
b3 = "v -> grip"
[automata.a]
initial = "left"
states = { left = "on", right = "on" }
transitions = [
  { from = "left", to = "right", when = "pre(v.flow) <= 0" },
  { from = "right", to = "left", when = "pre(v.flow) > 0" },
]
[simulation]
stop = 100
impulses = "numeric"
step = "1/100"
)toml";
    const Trace ended = engine_test::try_run(text);
    REQUIRE(ended.errors.size() == 1);
    CHECK(ended.errors[0].kind == ErrorKind::no_progress);
    const Trace goes_on = engine_test::try_run(text, {}, {{"simulation.zeno", "continue"}});
    CHECK(goes_on.errors.empty());
}

TEST_CASE("the left sum is refused where modes change", "[diagrams]") {
    try {
        run_sampled("two_body_collision", "1/100", {{"simulation.riemann", "left"}});
        FAIL("it ran");
    } catch (const ModelError& e) {
        CHECK(e.kind == ErrorKind::model);
        CHECK(std::string(e.what()).find("automaton touch has no meaning with the left sum") !=
              std::string::npos);
    }
}

// A junction that is off from the start takes all momentum there; symbolic and numeric runs agree that
// nothing comes back when it is switched on.
TEST_CASE("what is lost at the start stays lost", "[diagrams]") {
    const char* text = R"toml(
[elements]
a   = { type = "I", value = 1, momentum = 6 }
b   = { type = "I", value = 4, momentum = -2 }
wa  = { type = "1" }
wb  = { type = "1" }
dog = { type = "1", off = "flow", automaton = "lever" }
z   = { type = "0" }
[bonds]
b1 = "wa -> a"
b2 = "wa -> z"
b3 = "z -> dog"
b4 = "dog -> wb"
b5 = "wb -> b"
[automata.lever]
initial = "out"
states = { out = "off", in = "on" }
transitions = [ { from = "out", to = "in", when = "t >= 1" } ]
[simulation]
stop = 2
step = "1/10"
record = ["wa.flow", "a.momentum"]
)toml";
    const std::string impulses = GENERATE("symbolic", "numeric");
    CAPTURE(impulses);
    const Trace trace = engine_test::run(text, {}, {{"simulation.impulses", impulses}});
    CHECK(last_of(trace, "wa.flow") == close_to(0));
    CHECK(last_of(trace, "a.momentum") == close_to(0));
}
