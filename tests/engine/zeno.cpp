// Zeno: events that accumulate, at any scale of time, and those that only look like it.
#include "engine/run/zeno.hpp"

#include "engine/exact.hpp"
#include "engine/solve/steppers/stepper.hpp"
#include "tests/engine/run.hpp"

#include <fmt/format.h>

#include <cmath>

namespace deltaflow::engine_test {

namespace {

constexpr NodeId ball = 7, floor_below = 8;

// Falls for `hop` seconds; the hops that follow take 2 e hop, 2 e^2 hop, ...: all are done after
// hop (1 + e)/(1 - e).
std::string bouncing(double hop, double e, double start = 0, double stop = HUGE_VAL) {
    const double end = hop * (1 + e) / (1 - e);
    return fmt::format(R"toml(
[blocks]
a = "-10 + F"
F = "-{} * pre(v) * hit"
hit = {{ type = "crossing", in = "y", direction = "falling" }}
v = {{ type = "integrator", in = "a" }}
y = {{ type = "integrator", in = "v", initial = {} }}
[simulation]
start = {}
stop = {}
)toml",
                       1 + e, 5 * hop * hop, start, std::isinf(stop) ? start + 2 * end : stop);
}

}  // namespace

TEST_CASE("Instants in geometric progression accumulate, whenever they begin and however long they are",
          "[engine][zeno]") {
    const double ratio = GENERATE(0.01, 0.03, 0.1, 0.3, 0.5, 0.8, 0.9, 0.99);
    const double begin = GENERATE(-5.0, 0.0, 3.0, 1e6);
    const double first = GENERATE(1.0, 1e-5, 1e4);
    CAPTURE(ratio, begin, first);
    Zeno zeno;
    const double end = begin + first / (1 - ratio);
    double rest = first / (1 - ratio);
    int n = 0;
    for (bool seen = false; !seen && n < 5000; ++n, rest *= ratio)
        seen = zeno.note(end - rest, ball, HUGE_VAL);
    REQUIRE(n < 5000);
    CHECK(rest <= std::max(2e-6 * (end - begin), 1e-12 * std::abs(end)));
    CHECK(std::abs(zeno.accumulation() - end) <= 1e-7 * (end - begin) + 1e-13 * std::abs(end));
}

TEST_CASE("Contacts that take turns, and balls beside each other, accumulate each for itself",
          "[engine][zeno]") {
    // Two conditions with ratios and phases of their own that end at the same time: no order among them.
    Zeno zeno;
    double a = 1, b = 0.77;
    bool seen = false;
    for (int n = 0; n < 2000 && !seen; ++n) {
        double& next = a > b ? a : b;
        seen = zeno.note(2 - next, &next == &a ? ball : floor_below, HUGE_VAL);
        next *= &next == &a ? 0.7 : 0.45;
    }
    CHECK(seen);
    CHECK(zeno.accumulation() == close_to(2, 1e-6));
}

TEST_CASE("What shrinks but does not accumulate is no Zeno behaviour", "[engine][zeno]") {
    Zeno harmonic, steady, shrinking_for_a_while;
    double t = 0;
    for (int n = 1; n <= 100000; ++n) {
        t += 1.0 / n;
        REQUIRE(!harmonic.note(t, ball, HUGE_VAL));
        REQUIRE(!steady.note(n * 1e-7, ball, HUGE_VAL));
    }
    t = 0;
    for (int n = 0; n < 2000; ++n) {  // ever again a dozen hops, then a kick
        t += std::pow(0.5, n % 12);
        REQUIRE(!shrinking_for_a_while.note(t, ball, HUGE_VAL));
    }
}

TEST_CASE("A steady sequence that falls out of step near its end is lost in the errors of a method",
          "[engine][zeno]") {
    const bool blurred = GENERATE(false, true);
    Zeno zeno;
    bool seen = false;
    for (const double t : {0.0, 1.0, 1.1, 1.11, 1.111, 1.1111}) seen = zeno.note(t, ball, HUGE_VAL, blurred);
    CHECK_FALSE(seen);
    CHECK_FALSE(zeno.note(1.11111, ball, HUGE_VAL, blurred));
    CHECK(zeno.note(1.1111105, ball, HUGE_VAL, blurred) == blurred);
}

TEST_CASE("A steady sequence that does not come again is overdue", "[engine][zeno]") {
    Zeno zeno;
    double t = 1;
    for (int k = 0; k < 16; ++k) {
        if (k < 12) CHECK(zeno.overdue(t + 1) == no_node);  // too soon to be sure of it
        REQUIRE_FALSE(zeno.note(t += std::ldexp(0.5, -k), ball, 9, true));
    }
    CHECK(zeno.overdue(t + std::ldexp(0.75, -15)) == no_node);
    CHECK(zeno.overdue(t + std::ldexp(2, -15)) == ball);
}

// A light ball between two heavy ones: methods that err take the last hops for one.
TEST_CASE("Contacts that take turns ever sooner are told by every method", "[engine][zeno]") {
    const std::string text = R"toml(
[elements]
b1 = { type = "I", value = 1.75, momentum = "1.75*(2/3)", displacement = 0 }
b2 = { type = "1" }
b4 = { type = "I", value = 0.375, momentum = 0, displacement = 1 }
b5 = { type = "1" }
b7 = { type = "I", value = 3, momentum = -1, displacement = 2 }
b8 = { type = "1" }
b12 = { type = "0", off = "effort", automaton = "a14" }
b13 = { type = "MSf", flow = "0.3*pre(b2.flow - b5.flow)" }
b18 = { type = "0", off = "effort", automaton = "a20" }
b19 = { type = "MSf", flow = "0.3*pre(b5.flow - b8.flow)" }
[bonds]
b3 = "b2 -> b1"
b6 = "b5 -> b4"
b9 = "b8 -> b7"
b15 = "b2 -> b12"
b16 = "b12 -> b5"
b17 = "b13 -> b12"
b21 = "b5 -> b18"
b22 = "b18 -> b8"
b23 = "b19 -> b18"
[automata.a14]
initial = "s0"
states = { s0 = "off", s1 = "on" }
transitions = [
  { from = "s0", to = "s1", when = "b1.displacement >= b4.displacement and pre(b2.flow - b5.flow) > 0" },
  { from = "s1", to = "s0", when = "pre(b2.flow - b5.flow) < 0" }]
[automata.a20]
initial = "s0"
states = { s0 = "off", s1 = "on" }
transitions = [
  { from = "s0", to = "s1", when = "b4.displacement >= b7.displacement and pre(b5.flow - b8.flow) > 0" },
  { from = "s1", to = "s0", when = "pre(b5.flow - b8.flow) < 0" }]
[simulation]
stop = 6
step = 0.01
tolerance = 1e-9
)toml";
    const Trace exact = try_run(text, {}, {{"simulation.method", "taylor"}});
    for (const std::string method : {"dopri5", "rosenbrock4", "rk4"}) {
        INFO(method);
        const Trace trace = try_run(text, {}, {{"simulation.method", method}});
        CHECK(trace.end_reason == EndReason::zeno);
        CHECK(trace.end_t == close_to(exact.end_t, 1e-6));
    }
}

TEST_CASE("Jumps back that shrink below rounding are told, whatever the method and the start",
          "[engine][zeno]") {
    const std::string method = GENERATE("taylor", "dopri5", "rk4", "rosenbrock4");
    const double start = GENERATE(0.0, 100.0, 1e6);
    CAPTURE(method, start);
    const Trace trace = try_run(fmt::format(R"toml(
[blocks]
y = "3*(t - {0}) - 4*x"
hit = {{ type = "crossing", in = "y - 1" }}
x = {{ type = "integrator", in = "-1.6e-5 + (1 - pre(x))*hit" }}
[simulation]
start = {0}
stop = {1}
step = 0.01
method = "{2}"
)toml",
                                            start, start + 3, method));
    REQUIRE(trace.end_reason == EndReason::zeno);
    CHECK(trace.end_t - start == Approx(5.0 / 3).epsilon(1e-6));
}

TEST_CASE("A root that is met twice is no sequence", "[engine][zeno]") {
    for (int roundings = 1; roundings < 100; ++roundings) {
        Zeno zeno;
        const double t = 3, twice = t + roundings * 0x1p-52;
        for (const double at : {1.0, 2.5, t, twice}) CHECK(!zeno.note(at, ball, 10));
    }
}

TEST_CASE("An accumulation point beyond the stop stops nothing", "[engine][zeno]") {
    Zeno zeno;
    double rest = 1;
    for (int n = 0; n < 30; ++n, rest *= 0.5) CHECK(!zeno.note(1 - rest, ball, 1 - 1e-9));
    // What comes by the calendar is no sequence.
    Zeno calendar;
    rest = 1;
    for (int n = 0; n < 45; ++n, rest *= 0.5) CHECK(!calendar.note(1 - rest, no_node, 10));
}

TEST_CASE("Bounces of microseconds and late ones run on up to their accumulation point", "[engine][zeno]") {
    const double hop = GENERATE(1e-5, 1e-3, 1.0);
    const double start = GENERATE(0.0, 1e6);
    const double e = GENERATE(0.5, 0.9);
    CAPTURE(hop, start, e);
    const double length = hop * (1 + e) / (1 - e);
    // Up to a hundredth before the end all is as ever.
    const Trace before = try_run(bouncing(hop, e, start, start + 0.99 * length));
    CHECK(before.errors.empty());
    CHECK(before.end_reason == EndReason::stop);
    // n hops are done after length - 2 hop e^(n + 1) / (1 - e).
    const int hops = static_cast<int>(std::ceil(std::log(0.01 * (1 + e) / 2) / std::log(e)));
    CHECK(std::abs(static_cast<int>(happenings(before, "F").size()) - hops) <= 1);
    const Trace trace = try_run(bouncing(hop, e, start));
    CHECK(trace.end_reason == EndReason::zeno);
    CHECK(std::abs(trace.end_t - start - length) <= 1e-6 * length + 1e-13 * start);
}

TEST_CASE("Zeno is found for ratios from a hundredth to nearly one", "[engine][zeno]") {
    const double e = GENERATE(0.01, 0.05, 0.1, 0.2, 0.6, 0.95, 0.99);
    const double start = GENERATE(0.0, 1e6);
    const double hop = GENERATE(1.0, 1e-3, 1e-5);
    CAPTURE(e, start, hop);
    const Trace trace = try_run(bouncing(hop, e, start));
    CHECK(trace.end_reason == EndReason::zeno);
    const double length = hop * (1 + e) / (1 - e);
    CHECK(std::abs(trace.end_t - start - length) <= 1e-6 * length + 1e-13 * start);
}

namespace {

// The lowest of all samples, as a part of the height it fell from.
double lowest(const Trace& trace, double height) {
    double low = 0;
    for (const double y : trace.samples[0]) low = std::min(low, y / height);
    return low;
}

std::vector<std::string> all_methods() {
    std::vector<std::string> list{"taylor", "dopri5", "rk4", "rosenbrock4", "auto"};
    if (has_cvode()) list.push_back("cvode");
    return list;
}

}  // namespace

TEST_CASE("A ball never passes the floor unseen, however late and however fast its hops vanish",
          "[engine][zeno]") {
    const double e = GENERATE(0.001, 0.01, 0.3, 0.9);
    const double start = GENERATE(-1e9, -1.0, 0.0, 1e6);
    const double hop = GENERATE(1e-6, 1e-3, 1e2);
    const double length = hop * (1 + e) / (1 - e);
    for (const std::string& method : all_methods()) {
        CAPTURE(e, start, hop, method);
        if (method == "rk4" && length / 500 < 1e-14 * std::abs(start))
            continue;  // refused: such a step is none
        const Trace trace =
            try_run(bouncing(hop, e, start) + "record = [\"y\"]\n", {},
                    {{"simulation.method", method}, {"simulation.step", fmt::format("{}", length / 500)}});
        const bool told = trace.end_reason == EndReason::zeno ||
                          (!trace.errors.empty() && trace.errors[0].kind == ErrorKind::not_finite);
        CHECK(told);
        // A method that adds up t itself is late by a part of what t is rounded to.
        const double late = 1e-2 * 10 * hop * 0x1p-53 * std::abs(start);
        CHECK(lowest(trace, 5 * hop * hop) >= -1e-6 - late / (5 * hop * hop));
        if (trace.end_reason == EndReason::zeno)
            CHECK(std::abs(trace.end_t - start - length) <= 1e-3 * length + 1e-13 * std::abs(start));
    }
}

TEST_CASE("A ball on a floor that is not at zero does not pass it either", "[engine][zeno]") {
    const double e = GENERATE(0.01, 0.5, 0.9);
    const double height = GENERATE(1e-10, 1e-4, 1.0);
    for (const std::string& method : all_methods()) {
        CAPTURE(e, height, method);
        const double length = std::sqrt(height / 5) * (1 + e) / (1 - e);
        const Trace trace = try_run(
            fmt::format(R"toml(
[blocks]
v = {{ type = "integrator", in = "-10 - {} * pre(v) * hit" }}
z = {{ type = "integrator", in = "v", initial = {} }}
y = "z - 1"
hit = {{ type = "crossing", in = "y", direction = "falling" }}
[simulation]
stop = {}
record = ["y"]
)toml",
                        1 + e, 1 + height, 2 * length),
            {}, {{"simulation.method", method}, {"simulation.step", fmt::format("{}", length / 500)}});
        const bool told = trace.end_reason == EndReason::zeno ||
                          (!trace.errors.empty() && trace.errors[0].kind == ErrorKind::not_finite);
        CHECK(told);
        CHECK(lowest(trace, height) >= -1e-4);
    }
}

TEST_CASE("In exact numbers Zeno is found by the same rule", "[engine][zeno]") {
    const std::string e = GENERATE("1/100", "1/2", "4/5");
    const std::string hop = GENERATE("1", "1/100000");
    const std::string text = fmt::format(R"toml(
[blocks]
v = {{ type = "integrator", in = "-10 - (1 + {0}) * pre(v) * hit" }}
hit = {{ type = "crossing", in = "y", direction = "falling" }}
y = {{ type = "integrator", in = "v", initial = "5*({1})^2" }}
[simulation]
stop = 20
)toml",
                                         e, hop);
    CAPTURE(text);
    const FractionBook book;
    const ExactTrace trace = run_exactly(load_model_text("model.toml", text), book);
    CHECK(trace.end_reason == EndReason::zeno);
    const double ratio = e == "1/100" ? 0.01 : e == "1/2" ? 0.5 : 0.8;
    const double length = (hop == "1" ? 1 : 1e-5) * (1 + ratio) / (1 - ratio);
    CHECK(std::abs(to_double(trace.end) - length) <= 3e-6 * length);
}

}  // namespace deltaflow::engine_test
