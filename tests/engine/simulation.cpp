// A run in one's hands: it is the run that nobody holds, until something comes from outside.
#include "engine/simulate.hpp"
#include "tests/campaign/generate.hpp"
#include "tests/engine/simulation_held.hpp"
#include "tests/paths.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <filesystem>
#include <numbers>
#include <thread>

namespace deltaflow::engine_test {

namespace {

const Method methods[] = {Method::automatic, Method::taylor,      Method::dopri5, Method::rk4,
                          Method::euler,     Method::rosenbrock4, Method::cvode};

void check_held(const std::string& what, const Model& model, const Options& options) {
    const Trace plain = simulate(model, options);
    if (!plain.errors.empty() && plain.end_t <= options.start) return;  // it cannot even begin
    for (const held::Way way : {held::Way::held, held::Way::looked_at, held::Way::restored}) {
        INFO(what << ", " << name_of(options.method) << ", way " << static_cast<int>(way));
        CHECK(held::difference(plain, held::run(model, options, 7, way)) == "");
    }
}

const char* const everything = R"toml(
[blocks]
kick = { type = "impulse", at = "1/3", period = "7/10", order = 1 }
y = "0.3*y + x + exp(-t)*z"
z = { type = "integrator", in = "-x + kick" }
w = { type = "integrator", in = "kick*cos(t) - w" }
x = { type = "integrator", in = "v" }
v = { type = "integrator", in = "-sin(x) + hit - past/5", initial = 2 }
hit = { type = "crossing", in = "x - 1/2" }
past = { type = "delay", in = "x", by = "1/3" }
k = { type = "hold", in = "y", period = "1/7" }
b = "if(x, v, -v)"
loop = "exp(-loop) + x/9"
[simulation]
stop = 5
)toml";

const char* const stiff = R"toml(
[blocks]
x = { type = "integrator", in = "y", initial = 2 }
y = { type = "integrator", in = "1000*((1 - x^2)*y - x)" }
past = { type = "delay", in = "x", by = 0.01 }
[simulation]
stop = 1
tolerance = 1e-7
)toml";

const char* const cart = R"toml(
[blocks]
push = { type = "input", initial = 1 }
v = { type = "integrator", in = "push" }
x = { type = "integrator", in = "v" }
[simulation]
stop = 4
)toml";

}  // namespace

TEST_CASE("a short run that is held is the run that nobody holds", "[simulation]") {
    const Model model = Model::parse(everything, "model.toml", {{"simulation.stop", "0.8"}});
    for (const Method method : {Method::automatic, Method::dopri5, Method::cvode}) {
        Options options = model.options();
        options.method = method;
        options.tolerance = 1e-6;
        check_held("everything", model, options);
    }
}

TEST_CASE("a run that is held is the run that nobody holds", "[simulation][slow]") {
    for (const Method method : methods)
        for (const char* text : {everything, stiff}) {
            const Model model = Model::parse(text);
            Options options = model.options();
            options.method = method;
            if (text == stiff && (method == Method::rk4 || method == Method::euler)) options.step = 1e-4;
            check_held(text == stiff ? "stiff" : "everything", model, options);
        }
    Options numeric = Model::parse(everything).options();
    numeric.impulses = ImpulseKind::numeric;
    check_held("numeric", Model::parse(everything), numeric);
}

TEST_CASE("models that ship go on from saved states, bit for bit", "[simulation][slow]") {
    for (const auto& entry : std::filesystem::directory_iterator(test::project_folder() + "/diagrams")) {
        if (entry.path().extension() != ".toml") continue;
        const Model model = Model::load(entry.path().string());
        check_held(entry.path().stem().string(), model, model.options());
    }
}

// Models that nobody had in mind; those that take long are left out.
TEST_CASE("random models go on from saved states, bit for bit", "[simulation][slow]") {
    int held = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        std::optional<Model> model;
        try {
            model = Model::parse(campaign::generate(seed).text());
        } catch (const Error&) {
            continue;
        }
        for (const Method method : methods) {
            Options options = model->options();
            options.method = method;
            options.max_events = 500;
            RunControl control;
            control.most_steps = 3000;
            FlatModel flat = model->flat();
            flat.settings.method = method;
            try {
                if (simulate(flat, control).end_reason == EndReason::interrupted) continue;
                check_held("seed " + std::to_string(seed), *model, options);
                ++held;
            } catch (const ModelError&) {  // it cannot begin
            } catch (const Error&) {
            }
        }
    }
    CHECK(held > 200);
}

TEST_CASE("inputs are set and struck from outside", "[simulation]") {
    Simulation s(Model::parse(cart));
    CHECK(s.inputs() == std::vector<std::string>{"push"});
    s.advance_to(1);
    CHECK(s.value("v") == 1);
    CHECK(s.value("x") == 0.5);
    s.set("push", -1);
    s.strike("push", {2, 0.25});
    // v' = push: v jumps by 2 and carries 1/4 delta, which x integrates.
    CHECK(s.germ("v") == Limits{1, 3, {0.25}});
    CHECK(s.germ("x") == Limits{0.5, 0.75, {}});
    CHECK(s.germ("push") == Limits{1, -1, {2, 0.25}});
    s.advance_to(2);
    CHECK(s.value("v") == Approx(2).epsilon(1e-15));
    CHECK(s.value("x") == Approx(0.75 + 3 - 0.5).epsilon(1e-15));
    CHECK(s.germ("v").impulses.empty());
}

TEST_CASE("what comes from outside comes with what is due, or behind what was looked at", "[simulation]") {
    const Model model = Model::parse(R"toml(
[blocks]
u = { type = "input" }
d = { type = "impulse", at = 1 }
x = { type = "integrator", in = "u + d" }
[simulation]
stop = 2
)toml");
    using Causes = std::vector<std::string>;
    for (const bool looks : {false, true}) {
        TraceSink sink;
        Simulation s(model);
        s.observe(sink);
        s.advance_to(1);
        if (looks) CHECK(s.value("x") == 1);
        s.strike("u", {1});
        s.advance_to(2);
        s.finish();
        const Trace trace = std::move(sink.trace());
        REQUIRE(trace.events.size() == (looks ? 2 : 1));
        CHECK(trace.events[0].t == 1);
        CHECK(trace.events[0].epsilon == 0);
        CHECK(trace.causes_of(trace.events[0]).size() == (looks ? 1 : 2));
        if (looks) {
            CHECK(trace.causes_of(trace.events[0]) == Causes{"d"});
            CHECK(trace.events[1].t == 1);
            CHECK(trace.events[1].epsilon == 1);
            CHECK(trace.causes_of(trace.events[1]) == Causes{"u"});
        }
        CHECK(trace.samples[2].back() == 2);
    }
}

TEST_CASE("an input that is set at a tick is what the tick samples", "[simulation]") {
    for (const char* const impulses : {"symbolic", "numeric"}) {
        const Model model = Model::parse(
            std::string(
                "[blocks]\nu = { type = \"input\" }\nh = { type = \"hold\", in = \"u\", period = 1 }\n"
                "y = { type = \"integrator\", in = \"h\" }\n[simulation]\nstop = 4\nstep = \"1/4\"\n"
                "impulses = \"") +
            impulses + "\"\n");
        INFO(impulses);
        Simulation s(model);
        s.set("u", 5);  // the tick at the start is over: what is at the start is looked at
        s.advance_to(1);
        s.set("u", 2);
        s.advance_to(1.5);
        CHECK(s.value("h") == 2);
        s.advance_to(2);
        CHECK(s.value("h") == 2);
        s.set("u", 3);
        CHECK(s.value("h") == 2);  // somebody has looked: the tick is over
        s.advance_to(3);
        CHECK(s.value("h") == 3);
        s.advance_to(4);
        CHECK(s.value("h") == 3);
    }
}

TEST_CASE("to save is to change nothing, and what was given comes along", "[simulation]") {
    const Model model = Model::parse(cart);
    TraceSink sink;
    Simulation s(model);
    s.observe(sink);
    s.advance_to(0.5);
    s.strike("push", {2});
    const auto state = s.save();
    s.strike("push", {1});  // at the same time: one event
    CHECK(s.germ("v") == Limits{0.5, 3.5, {}});
    s.advance_to(2);
    s.finish();
    CHECK(sink.trace().events.size() == 1);
    Simulation other(model);
    other.restore(state);
    CHECK(other.time() == 0.5);
    other.strike("push", {1});
    CHECK(other.germ("v") == Limits{0.5, 3.5, {}});
    other.advance_to(2);
    CHECK(other.value("x") == s.value("x"));
    other.restore(state);
    CHECK(other.germ("v") == Limits{0.5, 2.5, {}});
}

TEST_CASE("a struck bond graph obeys its constraints", "[simulation]") {
    // Two inertias on one junction: the impulse moves both.
    const Model model = Model::parse(R"toml(
[elements]
hammer = { type = "MSe", effort = "blow" }
rail = { type = "1" }
a = { type = "I", value = 1 }
b = { type = "I", value = 3 }
[bonds]
b1 = "hammer -> rail"
b2 = "rail -> a"
b3 = "rail -> b"
[blocks]
blow = { type = "input" }
[simulation]
stop = 2
)toml");
    Simulation s(model.recording({"rail.flow", "a.momentum", "b.momentum"}));
    s.advance_to(0.5);
    s.strike("blow", {8});
    CHECK(s.germ("rail.flow").left == 0);
    CHECK(s.germ("rail.flow").right == Approx(2).epsilon(1e-14));
    s.advance_to(1);
    CHECK(s.value("a.momentum") == Approx(2).epsilon(1e-14));
    CHECK(s.value("b.momentum") == Approx(6).epsilon(1e-14));
}

TEST_CASE("a run can be stepped, and says what comes", "[simulation]") {
    Simulation s(Model::load(test::project_folder() + "/diagrams/bouncing_ball.toml"));
    int steps = 0;
    double last = s.time();
    while (s.step()) {
        CHECK(s.time() >= last);
        last = s.time();
        ++steps;
    }
    CHECK(steps > 2);
    CHECK(s.has_ended());
    CHECK(s.end_reason() == EndReason::stop);

    Simulation calendar(Model::parse(
        "[blocks]\nd = { type = \"impulse\", at = 3 }\nx = { type = \"integrator\", in = \"d\" }\n"));
    CHECK(calendar.next_event() == 3);
}

TEST_CASE("a step that rounding leaves just before the stop ends there", "[simulation]") {
    const Model model = Model::parse("[blocks]\nx = { type = \"integrator\", in = \"1\" }\n");
    for (int k = 3; k < 60; ++k) {
        Options options = model.options();
        options.method = Method::rk4;
        options.stop = 1.7;
        options.step = 1.7 / k;
        Simulation s(model, options);
        int steps = 0;
        while (s.step() && steps < 100) ++steps;
        CHECK(s.time() == 1.7);
    }
}

TEST_CASE("a value that is set makes automata switch, as a source would", "[simulation]") {
    const Model model = Model::parse(R"toml(
[blocks]
U = { type = "input" }
x = { type = "integrator", in = "U + a.up" }
[automata.a]
initial = "of"
states = { of = "off", up = "on" }
transitions = [{ from = "of", to = "up", when = "U > 0.5" }, { from = "up", to = "of", when = "U < 0.5" }]
[simulation]
stop = 2
record = ["U", "x", "a.up"]
)toml");
    Simulation s(model);
    s.advance_to(0.5);
    s.set("U", 1.5);
    CHECK(s.germ("U") == Limits{0, 1.5, {}});
    s.advance_to(1);
    CHECK(s.value("a.up") == 1);
    CHECK(s.value("x") == Approx(1.25).epsilon(1e-14));
    s.set("U", 0);
    s.advance_to(2);
    CHECK(s.value("a.up") == 0);
    CHECK(s.value("x") == Approx(1.25).epsilon(1e-14));
}

TEST_CASE("a state that was saved inside a step is where it was", "[simulation]") {
    for (const Method method : methods) {
        const Model model = Model::parse(
            "[blocks]\nU = { type = \"input\" }\nx = { type = \"integrator\", in = \"U - x\", initial = 1 }\n"
            "[simulation]\nstop = 2\n");
        Options options = model.options();
        options.method = method;
        for (int i = 1; i < 40; ++i) {
            Simulation a(model, options), b(model, options);
            a.advance_to(i * 0.0173);
            b.restore(a.save());
            INFO(name_of(method) << " at " << a.time());
            CHECK(b.value("x") == a.value("x"));
            CHECK(b.next_event() == a.next_event());
            a.strike("U", {1});
            b.strike("U", {1});
            a.advance_to(i * 0.0173 + 0.01);
            b.advance_to(i * 0.0173 + 0.01);
            CHECK(b.value("x") == a.value("x"));
        }
    }
}

TEST_CASE("a state that was saved right behind an event goes on by cvode", "[simulation]") {
    const Model model = Model::parse(R"toml(
[blocks]
s = { type = "step", at = 1, size = 100 }
b = { type = "step", at = 3, size = 50 }
[elements]
g = { type = "MSe", effort = "s - b" }
j = { type = "1" }
m = { type = "I", value = 80 }
c = { type = "C", value = "1/8000" }
r = { type = "R", value = 400 }
[bonds]
b1 = "g -> j"
b2 = "j -> m"
b3 = "j -> c"
b4 = "j -> r"
[simulation]
stop = 5
method = "cvode"
record = ["c.effort"]
)toml");
    Simulation a(model), b(model);
    a.advance_to(3);
    b.restore(a.save());
    a.advance_to(4);
    b.advance_to(4);
    CHECK(a.value("c.effort") == b.value("c.effort"));
}

TEST_CASE("inputs on samples act from the next one on", "[simulation]") {
    const Model model = Model::parse(
        "[blocks]\nU = { type = \"input\" }\nx = { type = \"integrator\", in = \"U\" }\n"
        "[simulation]\nstop = 2\nimpulses = \"numeric\"\nstep = \"1/4\"\n");
    for (const double t : {0.0, 0.25, 0.26, 0.5}) {
        INFO(t);
        Simulation s(model);
        s.advance_to(t);
        s.strike("U", {2});
        s.advance_to(1);
        CHECK(s.value("x") == Approx(2).epsilon(1e-12));
    }
}

TEST_CASE("a run that is ended early tells what there is", "[simulation]") {
    TraceSink sink;
    Simulation s(Model::load(test::project_folder() + "/diagrams/bouncing_ball.toml"));
    s.observe(sink);
    s.advance_to(1);
    s.finish();
    const Trace trace = std::move(sink.trace());
    CHECK(trace.end_t == 1);
    CHECK(trace.end_reason == EndReason::interrupted);
    REQUIRE(!trace.t.empty());
    CHECK(trace.t.back() == Approx(1).epsilon(1e-12));
}

TEST_CASE("a sample at the time of a stroke is the right limit, at the start, too", "[simulation]") {
    const Model model = Model::parse(cart);
    Options options = model.options();
    options.at = {0, 1, 2};
    TraceSink sink;
    Simulation s(model, options);
    s.observe(sink);
    s.strike("push", {5});
    s.advance_to(1);
    s.strike("push", {5});
    s.advance_to(2);
    s.finish();
    const Trace trace = std::move(sink.trace());
    REQUIRE(trace.signals[1] == "v");
    CHECK(trace.samples[1] == std::vector<double>{5, 11, 12});
}

TEST_CASE("somebody may do many things at one time", "[simulation]") {
    Simulation s(Model::parse(cart));
    s.advance_to(1);
    for (int i = 0; i < 300; ++i) {
        s.set("push", i % 2);
        CHECK(s.value("v") == 1);
    }
}

TEST_CASE("states of others are refused, and change nothing", "[simulation]") {
    const Model model = Model::parse(cart);
    Simulation s(model);
    s.advance_to(1);
    std::vector<std::byte> state = s.save();
    const auto kind = [&](std::span<const std::byte> bytes) {
        try {
            s.restore(bytes);
            return ErrorKind::model;
        } catch (const Error& error) {
            return error.kind();
        }
    };
    CHECK(kind(Simulation(model.with({{"simulation.stop", "5"}})).save()) == ErrorKind::option);
    CHECK(kind(Simulation(Model::parse("[blocks]\nx = { type = \"integrator\", in = \"1\" }\n")).save()) ==
          ErrorKind::option);
    CHECK(kind({}) == ErrorKind::option);
    CHECK(kind(std::span(state).first(state.size() / 2)) == ErrorKind::option);
    for (std::size_t i = 0; i < state.size(); i += 37) {
        std::vector<std::byte> damaged = state;
        damaged[i] ^= std::byte{0x41};
        CHECK(kind(damaged) == ErrorKind::option);
    }
    CHECK(s.time() == 1);
    CHECK(s.value("x") == 0.5);
}

TEST_CASE("misuse is refused with an option's error", "[simulation]") {
    const Model model = Model::parse(cart);
    Simulation s(model);
    s.advance_to(1);
    CHECK_THROWS_AS(s.advance_to(0.5), Error);
    CHECK_THROWS_AS(s.advance_to(NAN), Error);
    CHECK_THROWS_AS(s.advance_to(4.5), Error);
    CHECK_THROWS_AS(s.value("pull"), Error);
    CHECK_THROWS_AS(s.set("x", 1), Error);
    CHECK_THROWS_AS(s.set("push", INFINITY), Error);
    CHECK_THROWS_AS(s.strike("push", {0, 0, 0, 1}), Error);
    Options wrong = model.options();
    wrong.stop = -1;
    CHECK_THROWS_AS(Simulation(model, wrong), Error);
    wrong = model.options();
    wrong.at = {5};
    CHECK_THROWS_AS(simulate(model, wrong), Error);
    CHECK_THROWS_AS(Model::load("there is no such file.toml"), Error);
}

TEST_CASE("an error ends a run that is held, and what was before can be looked at", "[simulation]") {
    Simulation s(Model::parse(
        "[blocks]\nx = { type = \"integrator\", in = \"x^2\", initial = 1 }\n[simulation]\nstop = 2\n"));
    s.advance_to(0.5);
    CHECK(s.value("x") == Approx(2).epsilon(1e-10));
    try {
        s.advance_to(2);
        FAIL("the pole was not seen");
    } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::not_finite);
        REQUIRE(error.time());
        CHECK(*error.time() == Approx(1).epsilon(1e-6));
    }
    CHECK(s.has_ended());
    CHECK(std::isfinite(s.value("x")));
    CHECK_THROWS_AS(s.advance_to(2), Error);
    CHECK_THROWS_AS(s.set("x", 1), Error);
}

TEST_CASE("a model is shared by threads", "[simulation]") {
    const Model model = Model::load(test::project_folder() + "/diagrams/bouncing_ball.toml");
    const Trace alone = simulate(model);
    std::vector<Trace> traces(4);
    std::vector<std::thread> threads;
    for (Trace& trace : traces) threads.emplace_back([&] { trace = simulate(model); });
    for (std::thread& thread : threads) thread.join();
    for (const Trace& trace : traces) CHECK(held::difference(alone, trace) == "");
}

}  // namespace deltaflow::engine_test
