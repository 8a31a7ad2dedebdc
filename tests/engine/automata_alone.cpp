// Automata in models without bond graph elements: blocks read their states.
#include "engine/exact.hpp"
#include "engine/simulate.hpp"
#include "tests/engine/run.hpp"

namespace deltaflow::engine_test {

namespace {

// An automaton of two states.
std::string automaton(const std::string& name, const std::string& from, const std::string& to,
                      const std::string& there, const std::string& back) {
    return "\n[automata." + name + "]\ninitial = \"" + from + "\"\nstates = { " + from + " = \"off\", " + to +
           " = \"on\" }\ntransitions = [\n  { from = \"" + from + "\", to = \"" + to + "\", when = \"" +
           there + "\" },\n  { from = \"" + to + "\", to = \"" + from + "\", when = \"" + back + "\" },\n]\n";
}

std::string stopping_at(double stop, const std::string& record) {
    return "[simulation]\nstop = " + std::to_string(stop) + "\nrecord = [" + record + "]\n";
}

// x falls from 1/2 to 0, rises to 1, falls ...
const std::string thermostat = R"toml(
[blocks]
x = { type = "integrator", in = "2*heat.on - 1", initial = 0.5 }
)toml" + automaton("heat", "off", "on", "x <= 0", "x >= 1") +
                               stopping_at(3.75, "\"x\", \"heat.on\"");

std::vector<double> values(const ExactTrace& trace, std::size_t signal) {
    std::vector<double> list;
    for (const ExactPiece& piece : trace.signals[signal].pieces)
        list.push_back(piece.p.empty() ? 0 : to_double(piece.p[0]));
    return list;
}

const std::vector<std::string> all_methods{"taylor", "dopri5", "rk4", "rosenbrock4"};

}  // namespace

TEST_CASE("an automaton needs no element: blocks alone read its states") {
    for (const std::string& method : all_methods) {
        INFO(method);
        const Trace trace = run(thermostat, {0.25, 1, 2, 3.75}, {{"simulation.method", method}});
        CHECK(sample(trace, "x", 0.25) == close_to(0.25, 1e-9));
        CHECK(sample(trace, "x", 1) == close_to(0.5, 1e-9));
        CHECK(sample(trace, "x", 2) == close_to(0.5, 1e-9));
        CHECK(sample(trace, "x", 3.75) == close_to(0.75, 1e-9));
        CHECK(sample(trace, "heat.on", 0.25) == 0);
        CHECK(sample(trace, "heat.on", 1) == 1);
        check_times(trace, "heat.on", {0.5, 1.5, 2.5, 3.5}, 1e-9);
    }
}

TEST_CASE("the events of an automaton alone have modes and name it as their cause") {
    const Trace trace = run(thermostat);
    REQUIRE(trace.automata.size() == 1);
    CHECK(trace.automata[0].states == std::vector<std::string>{"off", "on"});
    REQUIRE(trace.events.size() == 4);
    CHECK(trace.causes_of(trace.events[0]) == std::vector<std::string>{"heat"});
    CHECK(trace.modes_of(trace.events[0])[0] == 1);
    CHECK(trace.modes_of(trace.events[1])[0] == 0);
    CHECK(trace.elements.empty());
}

TEST_CASE("an automaton that no block reads switches all the same, and its states are recorded") {
    const Trace trace =
        run("[automata.a]\ninitial = \"low\"\nstates = { low = \"off\", high = \"on\" }\n"
            "transitions = [{ from = \"low\", to = \"high\", when = \"t >= 1\" }]\n[simulation]\nstop = 2\n");
    CHECK(trace.signals == std::vector<std::string>{"a.low", "a.high"});
    check_once(trace, "a.low", 1, 1, 0);
    check_once(trace, "a.high", 1, 0, 1);
}

TEST_CASE("exact runs and numeric impulses know automata without elements") {
    const FractionBook book;
    const ExactTrace exact = run_exactly(model_of(thermostat), book);
    REQUIRE(exact.errors.empty());
    CHECK(values(exact, 0) == std::vector<double>{0.5, -0.5, 2.5, -2.5, 4.5});
    CHECK(values(exact, 1) == std::vector<double>{0, 1, 0, 1, 0});
    const Trace numeric =
        run(thermostat, {1, 3.75}, {{"simulation.impulses", "numeric"}, {"simulation.step", "1/1000"}});
    CHECK(sample(numeric, "x", 1) == close_to(0.5, 1e-9));
    CHECK(sample(numeric, "x", 3.75) == close_to(0.75, 1e-9));
}

TEST_CASE("check lists the modes of automata alone, and their loops") {
    const CheckReport report = check(model_of(R"toml(
[blocks]
y = "1 - a.on*y"
)toml" + automaton("a", "off", "on", "t >= 1", "t >= 2")));
    CHECK(report.mode_count == 2);
    REQUIRE(report.modes.size() == 2);
    CHECK(report.modes[0].mode == "a = off");
    CHECK(report.modes[0].loops.empty());
    CHECK(report.modes[1].loops.size() == 1);
    CHECK(report.signals[0].second == "jump");
}

TEST_CASE("guards of an automaton alone see time, impulses, other automata and values before") {
    const Trace trace = run(R"toml(
[blocks]
k = { type = "impulse", train = [{ at = 1, size = 1 }, { at = 2, size = 3 }] }
x = { type = "integrator", in = "strong.yes + 10*after.yes + 100*before.yes" }
)toml" + automaton("strong", "no", "yes", "impulse(k) > 2", "t > 9") +
                            automaton("after", "no", "yes", "strong.yes > 0", "t > 9") +
                            automaton("before", "no", "yes", "pre(strong.yes) > 0", "t > 9") +
                            stopping_at(3, "\"x\", \"strong.yes\", \"after.yes\", \"before.yes\""));
    for (const char* state : {"strong.yes", "after.yes", "before.yes"})
        CHECK(happenings(trace, state).back().t == 2);
    // One on solved values follows within the instant, one on values before an infinitesimal later.
    CHECK(happenings(trace, "after.yes").back().epsilon == 0);
    CHECK(happenings(trace, "before.yes").back().epsilon == 1);
    CHECK(last_sample(trace, "x") == close_to(111));
}

TEST_CASE("a state may multiply an impulse, also where it changes at the same instant") {
    const Trace trace = run(R"toml(
[blocks]
k = { type = "impulse", at = 1, size = 5 }
q = { type = "integrator", in = "k * a.on" }
p = { type = "integrator", in = "2 * a.off * k" }
)toml" + automaton("a", "off", "on", "t >= 1", "t > 9") +
                            stopping_at(2, "\"q\", \"p\""));
    check_once(trace, "q", 1, 0, 5);
    CHECK(last_sample(trace, "p") == 0);
}

// d/dt of a signal that an automaton switches on holds the jump.
TEST_CASE("the derivative of what an automaton switches has an impulse") {
    const std::string text = R"toml(
[blocks]
v = "a.on * (1 + t)"
d = "der(v)"
q = { type = "integrator", in = "d" }
)toml" + automaton("a", "off", "on", "t >= 1", "t >= 2 and t < 0") +
                             stopping_at(3, "\"v\", \"d\", \"q\"");
    const Trace trace = run(text);
    check_once(trace, "d", 1, 0, 1, {2});
    CHECK(last_sample(trace, "q") == close_to(4));
    const FractionBook book;
    const ExactTrace exact = run_exactly(model_of(text), book);
    CHECK(values(exact, 2) == std::vector<double>{0, 1});
}

TEST_CASE("pre of a state is its left limit and may meet an impulse") {
    const std::string text = R"toml(
[blocks]
k = { type = "impulse", at = 1, size = 5 }
v = "a.off * (3 + t)"
p = { type = "integrator", in = "pre(a.off) * k" }
q = { type = "integrator", in = "pre(a.on) * k" }
r = { type = "integrator", in = "(pre(v) + 2*pre(a.off)) * k" }
)toml" + automaton("a", "off", "on", "t >= 1", "t > 9") +
                             stopping_at(2, "\"p\", \"q\", \"r\"");
    const Trace trace = run(text);
    check_once(trace, "p", 1, 0, 5);
    CHECK(last_sample(trace, "q") == 0);
    check_once(trace, "r", 1, 0, 30);
    const FractionBook book;
    const ExactTrace exact = run_exactly(model_of(text), book);
    REQUIRE(exact.errors.empty());
    CHECK(values(exact, 0) == std::vector<double>{0, 5});
    CHECK(values(exact, 1) == std::vector<double>{0});
    CHECK(values(exact, 2) == std::vector<double>{0, 30});
}

// f = 2 t until the junction is switched off at t = 1.
TEST_CASE("pre of a flow that is switched off is its left limit and may meet an impulse") {
    const std::string text = R"toml(
[elements]
source = { type = "Se", effort = 2 }
mass   = { type = "I", value = 1 }
line   = { type = "1", automaton = "line" }
[bonds]
b1 = "source -> line"
b2 = "line -> mass"
[automata.line]
initial = "go"
states = { go = "on", halt = "off" }
transitions = [{ from = "go", to = "halt", when = "t >= 1" }]
[blocks]
k = { type = "impulse", at = 1, size = 3 }
q = { type = "integrator", in = "pre(line.flow) * k" }
s = "line.flow + 10*line.halt"
[simulation]
stop = 2
record = ["q", "s"]
)toml";
    const Trace trace = run(text, {0.5, 2});
    check_once(trace, "q", 1, 0, 6);
    CHECK(sample(trace, "s", 0.5) == close_to(1));
    CHECK(sample(trace, "s", 2) == close_to(10));
    const FractionBook book;
    CHECK(values(run_exactly(model_of(text), book), 0) == std::vector<double>{0, 6});
}

TEST_CASE("a derivative of pre is refused beside automata, too") {
    CHECK_THAT(refusal("[blocks]\nx = { type = \"integrator\", in = \"a.on\" }\ny = \"der(pre(x))\"\n" +
                       automaton("a", "off", "on", "t >= 1", "t > 9")),
               Catch::Contains("a derivative of pre is not defined"));
}

TEST_CASE("an impulse of any order in a model with automata has its columns in a trace") {
    const Trace trace = run(R"toml(
[blocks]
k = { type = "impulse", at = 1, order = 2 }
x = { type = "integrator", in = "a.on" }
y = "a.on * k"
)toml" + automaton("a", "off", "on", "t >= 0.5", "t > 9") +
                            stopping_at(2, "\"k\", \"x\", \"y\""));
    CHECK(trace.impulse_orders == std::vector<int>{3, 0, 3});
}

TEST_CASE("clocks sample the state that an automaton takes at their tick") {
    const std::string text = R"toml(
[blocks]
h = { type = "hold", in = "a.on", period = "1/2" }
u = { type = "unit_delay", in = "a.on", period = "1/2" }
)toml" + automaton("a", "off", "on", "t >= 1", "t > 9") +
                             stopping_at(2, "\"h\", \"u\"");
    for (const std::string impulses : {"symbolic", "numeric"}) {
        INFO(impulses);
        const Trace trace = run(text, {0.75, 1.25, 1.75}, {{"simulation.impulses", impulses}});
        CHECK(samples_of(trace, "h") == std::vector<double>{0, 1, 1});
        CHECK(samples_of(trace, "u") == std::vector<double>{0, 0, 1});
    }
}

TEST_CASE("numeric runs know guards on decisions, and on impulses of crossings") {
    const std::string text = R"toml(
[blocks]
c = { type = "crossing", in = "t - 1" }
x = { type = "integrator", in = "high.yes + 10*right.yes + 100*struck.yes" }
)toml" + automaton("high", "no", "yes", "max(t - 1, 0) > 0", "t > 9") +
                             automaton("right", "no", "yes", "if(t - 1, 1, 0) > 0.5", "t > 9") +
                             automaton("struck", "no", "yes", "impulse(c) > 0.5", "t > 9") +
                             stopping_at(2, "\"x\"");
    for (const std::string impulses : {"symbolic", "numeric"}) {
        INFO(impulses);
        CHECK(last_sample(run(text, {}, {{"simulation.impulses", impulses}}), "x") == close_to(111, 1e-2));
    }
}

// x is up for 3/5 and down for 1/6 of the time; both the guard and the crossing look at 1/7.
TEST_CASE("a crossing where the mode turns its signal round counts once") {
    const std::string text = R"toml(
[blocks]
x = { type = "integrator", in = "5/7*a.up - 18/7*a.down", initial = "-2/7" }
c = { type = "crossing", in = "x - 1/7" }
n = { type = "integrator", in = "c" }
)toml" + automaton("a", "up", "down", "x >= 4/7", "x <= 1/7") +
                             stopping_at(5, "\"n\", \"x\"");
    for (const std::string impulses : {"symbolic", "numeric"}) {
        INFO(impulses);
        const Trace trace = run(text, {}, {{"simulation.impulses", impulses}});
        CHECK(last_sample(trace, "n") == close_to(6, 1e-9));
        CHECK(last_sample(trace, "x") == close_to(23.0 / 42, 1e-9));
    }
    const FractionBook book;
    const ExactTrace exact = run_exactly(model_of(text), book);
    REQUIRE(exact.errors.empty());
    CHECK(values(exact, 0).back() == 6);
}

TEST_CASE("events that accumulate without automata stop the run, automata or not") {
    const Trace trace = try_run(R"toml(
[blocks]
v = { type = "integrator", in = "-2 - 1.5*pre(v)*hit" }
y = { type = "integrator", in = "v", initial = 1 }
hit = { type = "crossing", in = "y", direction = "falling" }
)toml" + automaton("a", "off", "on", "t >= 4", "t > 9") +
                                "[simulation]\nstop = 5\nzeno = \"continue\"\n");
    CHECK(trace.end_reason == EndReason::zeno);
    CHECK(trace.end_t == close_to(3, 1e-6));
}

TEST_CASE("automata stand in diagrams and arrays, without elements") {
    const Trace trace = run(R"toml(
[diagrams.cell]
inputs  = ["u"]
outputs = ["y"]
[diagrams.cell.blocks]
y = { type = "integrator", in = "s.up" }
[diagrams.cell.automata.s]
initial = "down"
states = { down = "off", up = "on" }
transitions = [{ from = "down", to = "up", when = "u >= 1" }]
[blocks]
c = { type = "cell", count = 3, u = "if(i - 0.5, c[max(i - 1, 0)].y, t)" }
[simulation]
stop = 4
)toml",
                            {2, 4});
    CHECK(samples_of(trace, "c[0].y") == std::vector<double>{1, 3});
    CHECK(samples_of(trace, "c[1].y") == std::vector<double>{0, 2});
    CHECK(samples_of(trace, "c[2].y") == std::vector<double>{0, 1});
}

}  // namespace deltaflow::engine_test
