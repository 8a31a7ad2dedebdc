// Clocks, sampled blocks and delays.
#include "engine/run/agenda.hpp"
#include "engine/run/history.hpp"
#include "tests/engine/run.hpp"

#include <array>

namespace deltaflow::engine_test {

// e_k = 1 - y(k/10), y' = e_k + e_(k-1) - y: y_(k+1) = a y_k + (1 - a) (e_k + e_(k-1)), a = exp(-1/10)
TEST_CASE("a unit delay that nobody records gives its last sample all the same") {
    const char* text = R"toml(
[blocks]
error    = "1 - y"
e        = { type = "hold", in = "error", period = "1/10" }
e_before = { type = "unit_delay", in = "error", period = "1/10" }
y        = { type = "integrator", in = "e + e_before - y" }
[simulation]
stop   = 1
every  = "1/10"
record = ["y"]
)toml";
    const Trace trace = run(text);
    const double a = std::exp(-0.1);
    double y = 0, before = 0;
    for (int k = 0; k <= 10; ++k) {
        CHECK(sample(trace, "y", k / 10.0) == close_to(y));
        y = a * y + (1 - a) * (1 - y + before);
        before = 1 - sample(trace, "y", k / 10.0);
    }
}

TEST_CASE("Clocks that meet, meet: at common multiples of 1/3 and 1/2", "[engine][clock]") {
    const Trace trace = run(R"toml(
[blocks]
a = { type = "hold", in = "t", period = "1/3" }
b = { type = "hold", in = "t", period = "1/2" }
c = "a + b"
[simulation]
stop = 3
)toml");
    const std::vector<double> wanted{1.0 / 3, 0.5, 2.0 / 3, 1,   4.0 / 3, 1.5,
                                     5.0 / 3, 2,   7.0 / 3, 2.5, 8.0 / 3, 3};
    CHECK(times_of(trace, "c") == wanted);  // to the last bit
    CHECK(last_sample(trace, "c") == 6);
}

TEST_CASE("A hold in an algebraic loop is solved at its ticks", "[engine][clock]") {
    const Trace trace =
        run("[blocks]\nk = { type = \"hold\", in = \"0.5*k + 1 + t\", period = 1 }\n[simulation]\nstop = 3\n",
            {0, 0.5, 1, 1.5, 2.5});
    // At tick t: k = 2 + 2 t
    CHECK(sample(trace, "k", 0) == close_to(2));
    CHECK(sample(trace, "k", 0.5) == close_to(2));
    CHECK(sample(trace, "k", 1) == close_to(4));
    CHECK(sample(trace, "k", 2.5) == close_to(6));
}

TEST_CASE("A unit delay gives the sample of the tick before", "[engine][clock]") {
    const Trace trace = run(R"toml(
[blocks]
z = { type = "unit_delay", in = "t^2", period = "1/2", initial = -1 }
n = { type = "unit_delay", in = "n + 1", period = "1/2" }
[simulation]
stop = 3
)toml",
                            {0, 0.25, 0.5, 0.75, 1, 1.25, 2.75});
    CHECK(sample(trace, "z", 0.25) == -1);
    CHECK(sample(trace, "z", 0.75) == 0);
    CHECK(sample(trace, "z", 1.25) == close_to(0.25));
    CHECK(sample(trace, "z", 2.75) == close_to(4));
    CHECK(sample(trace, "n", 2.75) == 5);
}

TEST_CASE("Tick a million of a clock of 1/3 s is at its place to the last bit", "[engine][clock]") {
    const Clock third{Rational(Integer(1), Integer(3)), Rational(Integer(0))};
    CHECK(tick_time(third, Integer(1000000)) == 1000000.0 / 3);
    CHECK(tick_time(third, Integer(999999)) == 333333.0);
    CHECK(first_tick(third, 333333.0) == 999999);
    CHECK(first_tick(third, std::nextafter(333333.0, 1e9)) == 1000000);
    CHECK(first_tick(third, 0) == 0);
    const Clock shifted{Rational(Integer(1), Integer(10)), Rational(Integer(1), Integer(20))};
    CHECK(tick_time(shifted, Integer(3)) == 0.35);
    CHECK(first_tick(shifted, 0.35) == 3);
}

TEST_CASE("A periodic source does not drift over a hundred thousand periods", "[engine][clock]") {
    const Trace trace = run(R"toml(
[blocks]
d = { type = "impulse", at = 0, period = "1/3" }
n = { type = "integrator", in = "d" }
[simulation]
stop = 33333
record = ["n"]
)toml");
    const auto list = happenings(trace, "n");
    REQUIRE(list.size() == 100000);
    for (const std::size_t k : {1UL, 7UL, 1000UL, 33333UL, 99998UL, 99999UL})
        CHECK(list[k].t == static_cast<double>(k) / 3);
    CHECK(last_sample(trace, "n") == 100000);
}

TEST_CASE("A clock started late ticks where it always did", "[engine][clock]") {
    const Trace trace = run(R"toml(
[blocks]
k = { type = "hold", in = "t", period = "1/3" }
p = { type = "pulse", at = 0, width = "1/3", size = 1, period = 1 }
[simulation]
start = 1e6
stop = 1000002
)toml");
    CHECK(times_of(trace, "k").front() == 1e6);
    CHECK(times_of(trace, "k")[1] == 3000001.0 / 3);
    CHECK(times_of(trace, "p")[1] == 3000001.0 / 3);
}

TEST_CASE("A delay passes on the smooth part, jumps and impulses", "[engine][delay]") {
    const Trace trace = run(R"toml(
[blocks]
s = { type = "step", at = 1, size = 2 }
d = { type = "impulse", train = [{ at = 0.5, size = 3 }, { at = 1.5, size = -1, order = 1 }] }
u = "sin(t) + s + d"
y = { type = "delay", in = "u", by = 0.75, initial = 7 }
[simulation]
stop = 3
record = ["y"]
)toml",
                            {0.5, 1, 1.5, 2, 2.5, 3});
    CHECK(sample(trace, "y", 0.5) == 7);
    CHECK(sample(trace, "y", 1.5) == close_to(std::sin(0.75)));
    CHECK(sample(trace, "y", 3) == close_to(std::sin(2.25) + 2));
    const auto list = happenings(trace, "y");
    REQUIRE(list.size() == 4);
    CHECK(list[0].t == 0.75);
    CHECK(list[0].left == 7);
    CHECK(list[0].right == close_to(0));
    CHECK(list[1].t == 1.25);
    check_impulses(list[1].impulses, {3});
    CHECK(list[2].t == 1.75);
    CHECK(list[2].right - list[2].left == close_to(2));
    CHECK(list[3].t == 2.25);
    check_impulses(list[3].impulses, {0, -1});
}

TEST_CASE("An impulse at the start is delayed once", "[engine][delay]") {
    const Trace trace = run(R"toml(
[blocks]
d = { type = "impulse", at = 0, size = 4 }
y = { type = "delay", in = "d", by = 2 }
[simulation]
stop = 4
)toml");
    check_once(trace, "y", 2, 0, 0, {4});
}

TEST_CASE("Impulses that follow each other at one time are delayed as their sum", "[engine][delay]") {
    const Trace trace = run(R"toml(
[blocks]
a = { type = "step", at = 1, initial = -1, size = 3 }
b = { type = "crossing", in = "a" }
c = { type = "integrator", in = "b", initial = -0.5 }
d = { type = "crossing", in = "c" }
y = { type = "delay", in = "b + 10*d", by = "1/2" }
z = { type = "integrator", in = "y" }
[simulation]
stop = 2
)toml");
    check_once(trace, "y", 1.5, 0, 0, {11});
    check_once(trace, "z", 1.5, 0, 11);
}

TEST_CASE("The jump of a delay from its initial value is an impulse in its derivative", "[engine][delay]") {
    const Trace trace = run(R"toml(
[blocks]
y = { type = "delay", in = "2 + t", by = 0.5, initial = 3 }
d = "der(y)"
x = { type = "integrator", in = "d", initial = 3 }
[simulation]
stop = 2
)toml",
                            {2});
    check_once(trace, "d", 0.5, 0, 1, {-1});
    CHECK(last_sample(trace, "x") == close_to(3.5));
}

// (1/3 + 5/4) - 5/4 is less than 1/3 in doubles.
TEST_CASE("A delay leaves its initial value although rounding says that it is not yet time",
          "[engine][delay]") {
    const Trace trace = run(R"toml(
[blocks]
y = { type = "delay", in = "t", by = "5/4" }
x = { type = "integrator", in = "y" }
[simulation]
start = "1/3"
stop  = 5
)toml",
                            {5});
    CHECK(sample(trace, "y", 5) == close_to(3.75));
    CHECK(sample(trace, "x", 5) == close_to((3.75 * 3.75 - 1.0 / 9) / 2));
}

// x' = -x(t - 1), x = 1 up to 0: on [n-1, n] the method of steps adds (-1)^n (t - n + 1)^n / n!.
TEST_CASE("A delay in feedback agrees with the method of steps", "[engine][delay]") {
    const Trace trace = run(R"toml(
[blocks]
past = { type = "delay", in = "x", by = 1, initial = 1 }
x = { type = "integrator", in = "-past", initial = 1 }
[simulation]
stop = 8
)toml");
    for (std::size_t i = 0; i < trace.t.size(); ++i) {
        const double t = trace.t[i];
        double sum = 1, factor = 1;
        for (int n = 1; n - 1 < t; ++n) {
            factor *= -1.0 / n;
            sum += factor * std::pow(t - n + 1, n);
        }
        INFO(t);
        CHECK(samples_of(trace, "x")[i] == close_to(sum));
    }
}

TEST_CASE("An impulse goes round a loop of delays for ever", "[engine][delay]") {
    const Trace trace = run(R"toml(
[blocks]
kick = { type = "impulse", at = "1/4" }
echo = { type = "delay", in = "kick + echo/2", by = 0.5 }
x = { type = "integrator", in = "echo" }
[simulation]
stop = 4
)toml");
    const auto list = happenings(trace, "echo");
    REQUIRE(list.size() == 7);
    double size = 1;
    for (std::size_t k = 0; k < list.size(); ++k) {
        CHECK(list[k].t == close_to(0.75 + 0.5 * static_cast<double>(k)));
        check_impulses(list[k].impulses, {size});
        size /= 2;
    }
    CHECK(last_sample(trace, "x") == close_to(2 - 1.0 / 64));
}

TEST_CASE("The past is kept in pieces, with its impulses", "[engine][delay]") {
    History h(1, 5, 0);
    h.append(History::Piece{0, 0.5, {1, 2}});     // 1 + 2 t
    h.append(History::Piece{0.5, 2, {0, 0, 4}});  // 4 (t - 1/2)^2
    h.append(History::Impulse{0.5, {3}});
    std::array<double, 2> rungs{};
    h.rungs(0.9, false, rungs);
    CHECK(rungs == std::array{5.0, 0.0});
    h.rungs(1.25, false, rungs);
    CHECK(rungs == std::array{1.5, 2.0});
    h.rungs(1.5, true, rungs);
    CHECK(rungs == std::array{2.0, 2.0});
    h.rungs(1.5, false, rungs);
    CHECK(rungs == std::array{0.0, 0.0});
    h.rungs(2, false, rungs);
    CHECK(rungs == std::array{1.0, 4.0});
    h.append(History::Impulse{0.5, {1, 2}});
    CHECK(h.arrive(1.25, 1e-12).empty());
    CHECK(h.arrive(1.5, 1e-12) == std::vector<double>{4, 2});
    CHECK(h.arrive(1.5, 1e-12).empty());
    CHECK(h.horizon(1.25) == close_to(0.25));
}

}  // namespace deltaflow::engine_test
