// Runs in exact numbers, against closed forms that are known.
#include "engine/exact.hpp"
#include "report/text/exit_code.hpp"

#include "signal/print.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>

using namespace deltaflow;

namespace {

ExactTrace try_exactly(const std::string& text) {
    const FractionBook book;
    return run_exactly(load_model_text("model.toml", text), book);
}

ExactTrace exactly(const std::string& text) {
    ExactTrace trace = try_exactly(text);
    for (const RunError& error : trace.errors) FAIL_CHECK(error.text);
    return trace;
}

std::string error_of(const std::string& text, int code) {
    const ExactTrace trace = try_exactly(text);
    REQUIRE(trace.errors.size() == 1);
    CHECK(exit_code(trace.errors[0].kind) == code);
    return trace.errors[0].text;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const ExactSignal& signal(const ExactTrace& trace, const std::string& name) {
    const auto found = std::find_if(trace.signals.begin(), trace.signals.end(),
                                    [&](const ExactSignal& s) { return s.name == name; });
    REQUIRE(found != trace.signals.end());
    return *found;
}

// "0: 1, 2; 3/2: 4": the start of each piece, and its coefficients
std::string pieces(const ExactTrace& trace, const std::string& name) {
    std::string text;
    for (const ExactPiece& piece : signal(trace, name).pieces) {
        text += (text.empty() ? "" : "; ") + to_string(piece.from) + ":";
        for (std::size_t k = 0; k < piece.p.size(); ++k) text += (k > 0 ? ", " : " ") + to_string(piece.p[k]);
    }
    return text;
}

// "3/2: 0, 5": the time, and the coefficients of delta, delta', ...
std::string impulses(const ExactTrace& trace, const std::string& name) {
    std::string text;
    for (const ExactImpulses& i : signal(trace, name).impulses) {
        text += (text.empty() ? "" : "; ") + to_string(i.at) + ":";
        for (std::size_t k = 0; k < i.coefficients.size(); ++k)
            text += (k > 0 ? ", " : " ") + to_string(i.coefficients[k]);
    }
    return text;
}

const char* const ball = R"toml(
[parameters]
g = 9.81
e = 0.8
[blocks]
a   = "-g + F"
F   = "-(1 + e) * pre(v) * hit"
hit = { type = "crossing", in = "y", direction = "falling" }
v   = { type = "integrator", in = "a" }
y   = { type = "integrator", in = "v", initial = 10 }
[simulation]
stop = 12
record = ["y", "v", "F"]
)toml";

}  // namespace

TEST_CASE("a ramp times delta'' has the coefficients of the paper, as fractions") {
    const ExactTrace trace = exactly(R"toml(
[blocks]
u = "-9.81 * t"
v = { type = "impulse", at = 1.44, size = 20, order = 2 }
y = "u * (1 + v)"
[simulation]
stop = 2
)toml");
    CHECK(impulses(trace, "y") == "36/25: 0, 1962/5, -35316/125");
    CHECK(pieces(trace, "y") == "0: 0, -981/100");
}

// t1 = sqrt(2 h / g), v1 = -g t1, t(n+1) - t(n) = 2 e^n t1, for ever
TEST_CASE("a ball bounces at times that are known in closed form") {
    const ExactTrace trace = exactly(ball);
    const Quadratic g(Rational(981, 100)), e(Rational(4, 5));
    const Quadratic t1 = *square_root(Quadratic(20) / g, 0);
    const auto& bounces = signal(trace, "F").impulses;
    REQUIRE(bounces.size() == 12);
    Quadratic t = t1, speed = g * t1;
    for (const ExactImpulses& bounce : bounces) {
        CHECK(bounce.at == t);
        REQUIRE(bounce.coefficients.size() == 1);
        CHECK(bounce.coefficients[0] == (Quadratic(1) + e) * speed);
        speed = e * speed;
        t = t + Quadratic(2) * speed / g;
    }
    CHECK(to_string(bounces[0].at) == "20/327 sqrt(545)");
    CHECK(signal(trace, "y").pieces.size() == 13);
}

TEST_CASE("a third is a third, and a tenth a tenth") {
    const ExactTrace trace = exactly(R"toml(
[parameters]
a = "1/3"
b = 0.1
c = "a + b"
[blocks]
x = { type = "integrator", in = "c", initial = "a" }
y = { type = "gain", in = "x", k = "b/7" }
[simulation]
stop = "10/3"
)toml");
    CHECK(pieces(trace, "x") == "0: 1/3, 13/30");
    CHECK(pieces(trace, "y") == "0: 1/210, 13/2100");
    CHECK(to_string(trace.end) == "10/3");
}

TEST_CASE("the derivative of an integral is what went in, exactly") {
    const ExactTrace trace = exactly(R"toml(
[blocks]
u = { type = "pulse", at = "1/3", width = "1/7", size = "5/11" }
k = { type = "impulse", at = "2/3", size = "3/7", order = 1 }
x = { type = "integrator", in = "u + k", initial = "1/9" }
y = "der(x)"
[simulation]
stop = 1
record = ["u", "y", "x"]
)toml");
    CHECK(pieces(trace, "y") == pieces(trace, "u"));
    CHECK(pieces(trace, "y") == "0:; 1/3: 5/11; 10/21:");
    CHECK(impulses(trace, "y") == "2/3: 0, 3/7");
    CHECK(impulses(trace, "x") == "2/3: 3/7");
}

TEST_CASE("a step goes down a chain of derivatives and up again") {
    const ExactTrace trace = exactly(R"toml(
[blocks]
s  = { type = "step", at = "1/7", size = 3 }
d3 = "der(der(der(s)))"
r2 = { type = "integrator", in = "d3" }
r1 = { type = "integrator", in = "r2" }
r  = { type = "integrator", in = "r1" }
q  = { type = "integrator", in = "r" }
[simulation]
stop = 1
)toml");
    CHECK(impulses(trace, "d3") == "1/7: 0, 0, 3");
    CHECK(pieces(trace, "r") == pieces(trace, "s"));
    CHECK(pieces(trace, "q") == "0:; 1/7: -3/7, 3");
}

TEST_CASE("a delayed signal is the signal, later, and so are its impulses") {
    const ExactTrace trace = exactly(R"toml(
[blocks]
k = { type = "impulse", at = "1/2", size = "5/3", order = 1 }
u = "t^2 + k"
y = { type = "delay", in = "u", by = "1/3", initial = 7 }
z = { type = "delay", in = "y", by = "1/3" }
[simulation]
stop = 2
)toml");
    CHECK(impulses(trace, "y") == "5/6: 0, 5/3");
    CHECK(impulses(trace, "z") == "7/6: 0, 5/3");
    CHECK(pieces(trace, "y") == "0: 7; 1/3: 1/9, -2/3, 1");
    CHECK(pieces(trace, "z") == "0:; 1/3: 7; 2/3: 4/9, -4/3, 1");
}

TEST_CASE("clocks tick at fractions") {
    const ExactTrace trace = exactly(R"toml(
[blocks]
h = { type = "hold", in = "t^2", period = "1/3" }
d = { type = "unit_delay", in = "t", period = "1/3", phase = "1/3", initial = 9 }
[simulation]
stop = 1
)toml");
    CHECK(pieces(trace, "h") == "0:; 1/3: 1/9; 2/3: 4/9; 1: 1");
    CHECK(pieces(trace, "d") == "0: 9; 2/3: 1/3; 1: 2/3");
}

TEST_CASE("decisions, saturations and hysteresis switch where their conditions do") {
    const ExactTrace trace = exactly(R"toml(
[blocks]
m = "max(t, 2 - t^2)"
a = "abs(t - 1/3)"
s = { type = "saturate", in = "3*t", low = "1/2", high = "5/2" }
h = { type = "hysteresis", in = "2*t - t^2", low = "2/3", high = "3/4" }
w = { type = "table", in = "t", x = [0, 0.3, 1], y = [0, 1, 2] }
[simulation]
stop = 2
)toml");
    CHECK(pieces(trace, "m") == "0: 2, 0, -1; 1: 0, 1");
    CHECK(pieces(trace, "a") == "0: 1/3, -1; 1/3: -1/3, 1");
    CHECK(pieces(trace, "s") == "0: 1/2; 1/6: 0, 3; 5/6: 5/2");
    CHECK(pieces(trace, "h") == "0:; 1/2: 1; 1 + 1/3 sqrt(3):");
    CHECK(pieces(trace, "w") == "0: 0, 10/3; 3/10: 4/7, 10/7; 1: 2");
}

TEST_CASE("an improper transfer function answers a ramp and a step") {
    const ExactTrace trace = exactly(R"toml(
[blocks]
u = { type = "ramp", at = "1/2", slope = 3 }
y = { type = "transfer_function", in = "u", numerator = [1, 2, 3], denominator = [2, 0] }
[simulation]
stop = 1
)toml");
    // (s^2 + 2 s + 3) / (2 s) u = u'/2 + u + 3/2 (integral of u), with tau = t - 1/2
    CHECK(pieces(trace, "y") == "0:; 1/2: 9/16, 3/4, 9/4");
}

TEST_CASE("linear loops are solved in fractions, in flow and at an instant") {
    const ExactTrace trace = exactly(R"toml(
[blocks]
x = { type = "integrator", in = "u", initial = 1 }
u = "f - 2*der(x) + k/7"
f = { type = "step", at = 1, size = 3, initial = 6 }
k = { type = "impulse", at = 2 }
[simulation]
stop = 3
record = ["x", "u"]
)toml");
    // 3 u = f + k/7
    CHECK(pieces(trace, "x") == "0: 1, 2; 1: 0, 3; 2: 1/21, 3");
    CHECK(impulses(trace, "u") == "2: 1/21");
}

TEST_CASE("a loop is solved that is linear once its branch is known") {
    const ExactTrace trace = exactly(R"toml(
[blocks]
a = "if(u - 1, 1, 2)"
u = "t - a*a*a*u"
[simulation]
stop = 3
record = ["u"]
)toml");
    // with a = 2, as at the start, u = t/9
    CHECK(pieces(trace, "u") == "0: 0, 1/9");
}

TEST_CASE("fractions that outgrow all bounds are stopped") {
    const std::string error = error_of(R"toml(
[blocks]
x = { type = "unit_delay", in = "4*x*(1-x)", period = 1, initial = "1/3" }
[simulation]
stop = 60
)toml",
                                       3);
    CHECK(has(error, "more than a thousand digits"));
}

TEST_CASE("a branch that is not taken may be anything") {
    const ExactTrace trace = exactly("[blocks]\ny = \"if(t - 2, exp(t), t^2)\"\n[simulation]\nstop = 1\n");
    CHECK(pieces(trace, "y") == "0: 0, 0, 1");
}

TEST_CASE("a flow that comes to rest is a polynomial, though it feeds back") {
    const ExactTrace trace = exactly(R"toml(
[blocks]
x = { type = "integrator", in = "-x" }
y = { type = "integrator", in = "x + t" }
[simulation]
stop = 1
)toml");
    CHECK(pieces(trace, "x") == "0:");
    CHECK(pieces(trace, "y") == "0: 0, 0, 1/2");
}

TEST_CASE("two roots are no trouble where the signals never meet") {
    const ExactTrace trace = exactly(R"toml(
[blocks]
a = { type = "switch", in = "t^2 - 2" }
x = { type = "integrator", in = "2*t", initial = -3 }
b = { type = "switch", in = "x" }
[simulation]
stop = 2
record = ["a", "b"]
)toml");
    CHECK(pieces(trace, "a") == "0:; sqrt(2): 1");
    CHECK(pieces(trace, "b") == "0:; sqrt(3): 1");
}

TEST_CASE("two bodies collide in fractions") {
    const ExactTrace trace = exactly(R"toml(
[elements]
body1   = { type = "I", value = 3, momentum = 1, displacement = -1 }
body2   = { type = "I", value = 2 }
v1      = { type = "1" }
v2      = { type = "1" }
contact = { type = "0", off = "effort", automaton = "touch" }
bounce  = { type = "MSf", flow = "1/7 * pre(v1.flow - v2.flow)" }
[bonds]
b1 = "v1 -> body1"
b2 = "v2 -> body2"
b3 = "v1 -> contact"
b4 = "contact -> v2"
b5 = "bounce -> contact"
[automata.touch]
initial = "apart"
states  = { apart = "off", together = "on" }
transitions = [
  { from = "apart", to = "together", when = "body1.displacement >= body2.displacement and pre(v1.flow - v2.flow) > 0" },
  { from = "together", to = "apart", when = "pre(v1.flow - v2.flow) < 0" },
]
[simulation]
stop = 5
record = ["v1.flow", "v2.flow", "contact.effort", "total.energy"]
)toml");
    // at t = 3 v2 rises by (1 + e) m1 u / (m1 + m2) = 8/7 3/5 1/3 = 8/35
    CHECK(pieces(trace, "v2.flow") == "0:; 3: 8/35");
    CHECK(pieces(trace, "v1.flow") == "0: 1/3; 3: 19/105");
    CHECK(impulses(trace, "contact.effort") == "3: 16/35");
    CHECK(pieces(trace, "total.energy") == "0: 1/6; 3: 149/1470");
}

TEST_CASE("what has no closed form is refused by name") {
    CHECK(has(error_of("[blocks]\nx = { type = \"integrator\", in = \"-x\", initial = 1 }\n", 3),
              "loop: x -> x"));
    const std::string sine = error_of("[blocks]\ny = \"sin(t)\"\n", 3);
    CHECK(has(sine, "a sine has no closed form in fractions (block y)"));
    const std::string pi = error_of("[blocks]\ny = \"pi*t\"\n", 3);
    CHECK(has(pi, "3.141592653589793 is not the value of a fraction (block y)"));
    CHECK(has(error_of("[blocks]\ny = { type = \"step\", at = \"sqrt(2)\" }\n", 3), "(block y)"));
    CHECK(has(error_of("[blocks]\ny = \"1/(1 + t)\"\n", 3), "no polynomial of time"));
    CHECK(has(error_of("[blocks]\nx = \"1 + t - x*x\"\n", 3), "not linear"));
    CHECK(has(error_of("[blocks]\nx = \"x*x\"\n", 3), "not linear"));
    CHECK(has(error_of("[blocks]\nx = \"4/(1 + x) - 1\"\n", 3), "not linear"));
    CHECK(has(error_of("[blocks]\nx = \"1/x\"\n", 3), "not linear"));  // where it is looked for is a pole
    CHECK(has(error_of("[blocks]\nx = \"t*x\"\n", 3), "gain of an algebraic loop varies"));
}

TEST_CASE("an event at a root of higher degree is told, and what came before it kept") {
    const ExactTrace trace =
        try_exactly("[blocks]\ny = { type = \"switch\", in = \"t^3 - 2\" }\n[simulation]\nstop = 3\n");
    REQUIRE(trace.errors.size() == 1);
    CHECK(trace.errors[0].kind == ErrorKind::model);
    CHECK(has(trace.errors[0].text, "at t = 1.259"));
    CHECK(has(trace.errors[0].text, "no fraction, and no square root of one"));
    CHECK(trace.end_reason == EndReason::error);
    const std::string second = error_of(R"toml(
[blocks]
x = { type = "integrator", in = "2*t - 8*k", initial = -2 }
k = { type = "crossing", in = "x" }
y = { type = "switch", in = "x - 3" }
)toml",
                                        3);
    CHECK(has(second, "sqrt(2)"));
}

TEST_CASE("a block that nobody reads does no harm beside an automaton") {
    const ExactTrace trace = exactly(R"toml(
[elements]
u = { type = "Se", effort = 1 }
j = { type = "1", automaton = "a" }
m = { type = "I", value = 1 }
[bonds]
b1 = "u -> j"
b2 = "j -> m"
[automata.a]
initial = "on"
states = { on = "on", off = "off" }
transitions = [{ from = "on", to = "off", when = "t >= 1" }]
[blocks]
unread = { type = "saturate", in = "t", low = -1.5, high = -0.5 }
[simulation]
stop = 2
record = ["m.momentum"]
)toml");
    CHECK(pieces(trace, "m.momentum") == "0: 0, 1; 1:");
}

TEST_CASE("undefined products, circles and asserts fail as they do in a run") {
    CHECK(
        has(error_of("[blocks]\nd = { type = \"impulse\", at = 1 }\ny = \"d*d\"\n", 4), "delta times delta"));
    CHECK(has(
        error_of(
            "[blocks]\nd = { type = \"impulse\", at = 1 }\nh = { type = \"step\", at = 1 }\ny = \"d*h\"\n",
            4),
        "use pre(...)"));
    CHECK(
        has(error_of("[blocks]\nx = { type = \"integrator\", in = \"-sign(x)\", initial = 1 }\n[simulation]\n"
                     "sliding = \"error\"\n",
                     5),
            "slides"));
    CHECK(has(error_of("[blocks]\ny = { type = \"assert\", in = \"1 - t\", message = \"too late\" }\n", 8),
              "too late"));
}

TEST_CASE("bounces that accumulate are Zeno behaviour here, too") {
    std::string text = ball;
    text.replace(text.find("stop = 12"), 9, "stop = 20");
    const std::string error = error_of(text, 5);
    CHECK(has(error, "events accumulate at t = 12.85"));
}

TEST_CASE("a polynomial whose first coefficients are zero is not zero") {
    const int degree = GENERATE(4, 5, 8, 15);
    std::string coefficients = "0";
    for (int k = 1; k < degree; ++k) coefficients += ", 0";
    const ExactTrace trace =
        try_exactly("[blocks]\nb = { type = \"polynomial\", coefficients = [" + coefficients + ", -2] }\n");
    REQUIRE(trace.signals[0].pieces.size() == 1);
    REQUIRE(trace.signals[0].pieces[0].p.size() == static_cast<std::size_t>(degree) + 1);
    CHECK(to_double(trace.signals[0].pieces[0].p.back()) == -2);
}

TEST_CASE("a delay that varies is a polynomial on each piece of the past, exactly") {
    // y = u(t - 1 - t/3): u = t^2 from 0 on, so y = (2 t/3 - 1)^2 from t = 3/2 on; 5 before the start.
    const ExactTrace trace = exactly(R"toml(
[blocks]
u = "t^2"
y = { type = "variable_delay", in = "u", by = "1 + t/3", at_most = 3, initial = 5 }
d = { type = "impulse", at = 1, size = 6 }
z = { type = "variable_delay", in = "d", by = "1 + t/3", at_most = 3 }
s = { type = "step", at = 2 }
w = { type = "variable_delay", in = "t", by = "1 - s/2", at_most = 3 }
[simulation]
stop = 4
)toml");
    CHECK(pieces(trace, "y") == "0: 5; 3/2: 1, -4/3, 4/9");
    CHECK(impulses(trace, "z") == "3: 9");  // 2/3 of a second pass in one: 6 / (2/3)
    CHECK(pieces(trace, "w") == "0:; 1: -1, 1; 2: -1/2, 1");
}

TEST_CASE("an impact is one event, exactly") {
    const ExactTrace trace = exactly(R"toml(
[mechanics]
m = { type = "mass", at = "x", value = 2, position = 5 }
g = { type = "force", at = "x", value = -20 }
k = { type = "contact", between = "x ground", restitution = 0.5 }
[simulation]
stop = 1.5
record = ["x.velocity", "k.force"]
)toml");
    REQUIRE(signal(trace, "k.force").impulses.size() == 1);
    CHECK(signal(trace, "k.force").impulses[0].epsilon == 0);
    CHECK(impulses(trace, "k.force") == "1: 30");
    CHECK(pieces(trace, "x.velocity") == "0: 0, -10; 1: 15, -10");
    // Two bodies that stand together are struck by a third, which stays with them: one event, too.
    const ExactTrace row = exactly(R"toml(
[mechanics]
m1 = { type = "mass", at = "a", value = 1, position = -1, velocity = 3 }
m2 = { type = "mass", at = "b", value = 1 }
m3 = { type = "mass", at = "c", value = 1 }
k1 = { type = "contact", between = "b a", restitution = 0 }
k2 = { type = "contact", between = "c b", restitution = 0 }
[simulation]
stop = 1
record = ["k1.force", "k2.force", "c.velocity"]
)toml");
    CHECK(impulses(row, "k1.force") == "1/3: 2");
    CHECK(impulses(row, "k2.force") == "1/3: 1");
    for (const char* name : {"k1.force", "k2.force"}) CHECK(signal(row, name).impulses[0].epsilon == 0);
}
