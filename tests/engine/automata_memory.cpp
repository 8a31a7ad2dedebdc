// Automata with timers, values, and transitions that happen once at a time.
#include "engine/exact.hpp"
#include "tests/engine/run.hpp"

namespace deltaflow::engine_test {

namespace {

const std::vector<std::string> all_methods{"taylor", "dopri5", "rk4", "rosenbrock4"};

// On for a tenth, off for a fifth, again and again; n counts.
const std::string blinker = R"toml(
[automata.lamp]
initial = "off"
states = { off = "off", on = "on" }
transitions = [
  { from = "off", to = "on",  after = 0.2, set = { n = "n + 1", last = "t" } },
  { from = "on",  to = "off", after = "1/10" },
]
[automata.lamp.values]
n = 0
last = -1
[blocks]
x = { type = "integrator", in = "lamp.on" }
[simulation]
stop = 3000
every = 100
record = ["x", "lamp.on", "lamp.n", "lamp.last"]
)toml";

}  // namespace

TEST_CASE("timers do not drift") {
    const Trace trace = run(blinker);
    const auto times = times_of(trace, "lamp.n");
    REQUIRE(times.size() == 10000);
    for (std::size_t i = 0; i < times.size(); i += 37)
        CHECK(times[i] == to_double(Rational(3 * Integer(i) + 2, 10)));
    CHECK(last_sample(trace, "lamp.n") == 10000);
    CHECK(last_sample(trace, "x") == close_to(1000, 1e-11));
    CHECK(last_sample(trace, "lamp.last") == 2999.9);
}

TEST_CASE("timers and values in closed form, and on samples") {
    const FractionBook book;
    const ExactTrace exact = run_exactly(model_of(blinker, {{"simulation.stop", "1"}}), book);
    for (const RunError& error : exact.errors) FAIL_CHECK(error.text);
    REQUIRE(exact.signals[2].pieces.size() == 4);
    CHECK(exact.signals[2].pieces[2].from == Quadratic(Rational(1, 2)));
    CHECK(exact.signals[3].pieces.back().p == closed_form::Polynomial{Quadratic(Rational(4, 5))});
    const Trace sampled =
        run(blinker, {0.25, 0.95},
            {{"simulation.stop", "1"}, {"simulation.impulses", "numeric"}, {"simulation.step", "1/1024"}});
    CHECK(sample(sampled, "lamp.on", 0.25) == 1);
    CHECK(sample(sampled, "lamp.n", 0.95) == 3);
    CHECK(sample(sampled, "x", 0.95) == close_to(0.3, 5e-3));
}

TEST_CASE("a timer with a guard waits for both, and a state that is left forgets its timer") {
    const std::string text = R"toml(
[blocks]
u = { type = "pulse", at = 0.2, width = 0.3, period = 1 }
[automata.a]
initial = "idle"
states = { idle = "off", busy = "on", done = "off" }
transitions = [
  { from = "idle", to = "busy", when = "u > 0" },
  { from = "busy", to = "idle", when = "u < 1" },
  { from = "busy", to = "done", after = 0.4 },
  { from = "idle", to = "done", after = 1.1, when = "t > 2.5" },
]
[simulation]
stop = 4
record = ["a.busy", "a.done"]
)toml";
    for (const std::string& method : all_methods) {
        INFO(method);
        const Trace trace = run(text, {}, {{"simulation.method", method}});
        check_times(trace, "a.busy", {0.2, 0.5, 1.2, 1.5, 2.2, 2.5, 3.2, 3.5});
        check_times(trace, "a.done", {});
    }
    const Trace wide = run(text, {}, {{"simulation.stop", "1"}});
    check_times(wide, "a.busy", {0.2, 0.5});
}

TEST_CASE("once: no further transition at the same time, and then only after the guard was false") {
    const std::string text = R"toml(
[blocks]
button = { type = "pulse", at = 1, width = 0.5, period = 2 }
hit = { type = "impulse", at = 1, period = 1 }
[automata.toggle]
initial = "off"
states = { off = "off", on = "on" }
transitions = [
  { from = "off", to = "on",  when = "button > 0", once = true },
  { from = "on",  to = "off", when = "button > 0", once = true },
]
[automata.count]
initial = "even"
states = { even = "off", odd = "on" }
transitions = [
  { from = "even", to = "odd",  when = "impulse(hit) > 0", once = true, set = { n = "n + 1" } },
  { from = "odd",  to = "even", when = "impulse(hit) > 0", once = true, set = { n = "n + 1" } },
]
[automata.count.values]
n = 0
[simulation]
stop = 8.5
record = ["toggle.on", "count.odd", "count.n"]
)toml";
    for (const std::string& method : all_methods) {
        INFO(method);
        const Trace trace = run(text, {}, {{"simulation.method", method}});
        check_times(trace, "toggle.on", {1, 3, 5, 7});
        check_times(trace, "count.odd", {1, 2, 3, 4, 5, 6, 7, 8});
        CHECK(last_sample(trace, "count.n") == 8);
    }
    const FractionBook book;
    const ExactTrace exact = run_exactly(model_of(text), book);
    for (const RunError& error : exact.errors) FAIL_CHECK(error.text);
    CHECK(exact.signals[0].pieces.size() == 5);
}

TEST_CASE("values are set all at once, from what was before") {
    const Trace trace = run(R"toml(
[automata.a]
initial = "s"
states = { s = "off" }
transitions = [ { from = "s", to = "s", after = 1, set = { p = "q", q = "p + q" } } ]
[automata.a.values]
p = 0
q = 1
[blocks]
y = "a.q"
[simulation]
stop = 10.5
record = ["y", "a.p"]
)toml",
                            {4.5, 10});
    CHECK(sample(trace, "y", 4.5) == 5);
    CHECK(sample(trace, "y", 10) == 89);
    CHECK(sample(trace, "a.p", 10) == 55);
}

TEST_CASE("instances have values and timers of their own") {
    const Trace trace = run(R"toml(
[diagrams.clock]
outputs = ["n"]
parameters = { every = 1 }
[diagrams.clock.automata.a]
initial = "s"
states = { s = "off" }
transitions = [ { from = "s", to = "s", after = "every", set = { n = "n + 1" } } ]
[diagrams.clock.automata.a.values]
n = 0
[diagrams.clock.blocks]
n = "a.n"
[blocks]
c = { type = "clock", count = 3, every = "1 + i" }
d = { type = "clock", count = 2 }
[simulation]
stop = 6.5
record = ["c[0].n", "c[1].n", "c[2].n", "d[1].n"]
)toml");
    CHECK(last_sample(trace, "c[0].n") == 6);
    CHECK(last_sample(trace, "c[1].n") == 3);
    CHECK(last_sample(trace, "c[2].n") == 2);
    CHECK(last_sample(trace, "d[1].n") == 6);
}

TEST_CASE("the initial state may follow from parameters") {
    const std::string text = R"toml(
[parameters]
x0 = 2
[automata.a]
initial = "if(x0 > 0, up, down)"
states = { down = "off", up = "on" }
[blocks]
y = "a.up"
[simulation]
stop = 1
)toml";
    CHECK(last_sample(run(text), "y") == 1);
    CHECK(last_sample(run(text, {}, {{"x0", "-2"}}), "y") == 0);
}

}  // namespace deltaflow::engine_test
