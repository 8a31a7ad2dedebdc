// Events are those of the model: what is recorded decides which signals they list, and nothing else.
#include "engine/exact.hpp"
#include "engine/explain.hpp"
#include "tests/engine/run.hpp"

namespace deltaflow::engine_test {

namespace {

Trace recording(const std::string& text, const std::vector<std::string>& names, const Changes& set = {}) {
    const FlatModel model =
        load_model_text("model.toml", text, {.set = set, .record = names, .max_blocks = {}});
    Trace trace = simulate(model);
    for (const RunError& error : trace.errors) FAIL_CHECK(error.text);
    return trace;
}

// What is recorded must not change when anything happens.
void check_same_events(const std::string& text, const std::vector<std::vector<std::string>>& recorded,
                       std::size_t count, const Changes& set = {}) {
    for (const auto& names : recorded) {
        INFO(names.front());
        const Trace all = recording(text, recorded.front(), set), some = recording(text, names, set);
        CHECK(all.events.size() == count);
        CHECK(some.statistics.events == count);
        REQUIRE(some.events.size() == count);
        for (std::size_t i = 0; i < count; ++i) {
            CHECK(some.events[i].t == all.events[i].t);
            CHECK(some.events[i].epsilon == all.events[i].epsilon);
            CHECK(some.events[i].index == all.events[i].index);
            CHECK(some.causes_of(some.events[i]) == all.causes_of(all.events[i]));
            for (const Jump& jump : some.jumps_of(some.events[i])) CHECK(jump.signal < names.size());
        }
    }
}

const char* const ball = R"toml(
[blocks]
a   = "-9.81 + F"
F   = "-1.8 * pre(v) * hit"
hit = { type = "crossing", in = "y", direction = "falling" }
v   = { type = "integrator", in = "a" }
y   = { type = "integrator", in = "v", initial = 10 }
[simulation]
stop = 4
)toml";

const char* const inside = R"toml(
[diagrams.lamp]
inputs = ["u"]
outputs = ["light"]
[diagrams.lamp.blocks]
tick  = { type = "step", at = "1/3" }
click = { type = "impulse", at = "2/3" }
alarm = "if(u - 1/2, 1, 0)"
light = { type = "integrator", in = "u" }
[blocks]
x = "t"
one = { type = "lamp", u = "x" }
many = { type = "lamp", count = 3, u = "x + 1/10" }
[simulation]
stop = 1
)toml";

const char* const graph = R"toml(
[elements]
source = { type = "MSe", effort = "u" }
loop   = { type = "1" }
store  = { type = "C", value = 1 }
load   = { type = "R", value = 2 }
[bonds]
b1 = "source -> loop"
b2 = "loop -> store"
b3 = "loop -> load"
[blocks]
u = { type = "step", at = 1, size = 3 }
[simulation]
stop = 2
)toml";

}  // namespace

TEST_CASE("A bounce is an event, whatever is recorded", "[engine][events]") {
    check_same_events(ball, {{"y", "v", "F", "hit", "a"}, {"y"}, {"F"}, {"a"}}, 2);
    const Trace trace = recording(ball, {"y"});
    CHECK(trace.jumps_of(trace.events[0]).empty());
}

TEST_CASE("Numeric runs list the same events, whatever is recorded", "[engine][events]") {
    const Changes numeric{{"simulation.impulses", "numeric"}, {"simulation.step", "1/1000"}};
    check_same_events(ball, {{"y", "v", "F", "hit", "a"}, {"y"}, {"F"}}, 2, numeric);
}

// At 1/3 a source, at 0.4 and 1/2 conditions, at 2/3 an impulse: none of them is read.
TEST_CASE("Blocks inside of instances are signals of the model", "[engine][events]") {
    check_same_events(inside,
                      {{"x", "one.tick", "many[1].click", "one.alarm", "many[0].alarm"},
                       {"x"},
                       {"one.light"},
                       {"one.tick"},
                       {"many[2].alarm"}},
                      4);
}

TEST_CASE("Signals of bonds and elements are signals of the model", "[engine][events]") {
    check_same_events(graph, {{"u", "b1.effort", "load.flow"}, {"store.displacement"}, {"b3.flow"}}, 1);
}

// Nothing else of the circuit jumps.
TEST_CASE("A change of mode is an event, and so is a jump in between that nobody records",
          "[engine][events]") {
    const char* const text = R"toml(
[elements]
source = { type = "MSe", effort = "u" }
valve  = { type = "Sw", automaton = "gate" }
loop   = { type = "1" }
load   = { type = "R", value = 2 }
[bonds]
b1 = "source -> loop"
b2 = "loop -> valve"
b3 = "loop -> load"
[blocks]
u = "if(t - 1/2, 3, 2)"
x = { type = "integrator", in = "load.flow" }
[automata.gate]
initial = "shut"
states = { shut = "off", open = "on" }
transitions = [{ from = "shut", to = "open", when = "t >= 1" }]
[simulation]
stop = 2
)toml";
    check_same_events(text, {{"u", "x", "load.flow", "valve.effort"}, {"x"}, {"load.flow"}}, 2);
}

TEST_CASE("Explanations count events as runs do", "[engine][events]") {
    const FlatModel model =
        load_model_text("model.toml", ball, {.set = {}, .record = {{"y"}}, .max_blocks = {}});
    InstantChoice choice;
    choice.event = 2;
    const Explanation e = explain(model, choice, {});
    CHECK(e.found);
    CHECK(e.event_count == 2);
    CHECK(e.t == simulate(model).events[1].t);
}

TEST_CASE("Exact runs pass the same instants, whatever is recorded", "[engine][events]") {
    for (const char* name : {"y", "F", "hit"}) {
        const FractionBook book;
        const FlatModel model =
            load_model_text("model.toml", ball, {.set = {}, .record = {{name}}, .max_blocks = {}});
        CHECK(run_exactly(model, book, {}).instants == 2);
    }
}

}  // namespace deltaflow::engine_test
