// Several things at one time: what follows what, and who sees it.
#include "engine/exact.hpp"
#include "tests/engine/run.hpp"

#include <fmt/format.h>

namespace deltaflow::engine_test {

namespace {

// Counters of the passages of y: both directions, up, down.
constexpr const char* counters = R"toml(
both = { type = "crossing", in = "y" }
up   = { type = "crossing", in = "y", direction = "rising" }
down = { type = "crossing", in = "y", direction = "falling" }
n_both = { type = "integrator", in = "both" }
n_up   = { type = "integrator", in = "up" }
n_down = { type = "integrator", in = "down" }
)toml";

// Runs `blocks` and tells n_up and n_down in the end, by numbers and exactly. Both directions count all.
std::string counted(const std::string& blocks, double stop = 4) {
    const std::string text =
        fmt::format("[blocks]\n{}{}\n[simulation]\nstop = {}\nrecord = [\"n_up\", \"n_down\", \"n_both\"]\n",
                    blocks, counters, stop);
    const Trace trace = run(text);
    const double up = last_sample(trace, "n_up"), down = last_sample(trace, "n_down");
    CHECK(last_sample(trace, "n_both") == up + down);
    const FractionBook book;
    const ExactTrace exact = run_exactly(model_of(text), book);
    for (const RunError& error : exact.errors) FAIL_CHECK(error.text);
    const auto last = [&](std::size_t i) {
        const auto& p = exact.signals[i].pieces.back().p;
        return p.empty() ? 0 : to_double(p[0]);
    };
    CHECK(last(0) == up);
    CHECK(last(1) == down);
    CHECK(last(2) == up + down);
    return fmt::format("{} up, {} down", up, down);
}

}  // namespace

TEST_CASE("a crossing of both directions sees the jump that it makes itself") {
    // At 1 the step takes y to 1; an infinitesimal later the counter takes it back.
    CHECK(counted("s = { type = \"step\", at = 1, size = 2, initial = -1 }\ny = \"s - 2*n_up\"\n") ==
          "1 up, 1 down");
    // And once more, up to where it stays: -1, 1, -1/2, 1/2.
    CHECK(counted("s = { type = \"step\", at = 1, size = 2, initial = -1 }\n"
                  "y = \"s - 1.5*min(n_both, 1) + max(min(n_both - 1, 1), 0)\"\n") == "2 up, 1 down");
}

TEST_CASE("counters see every glitch of simultaneous events") {
    // n1 follows the step an infinitesimal later, n2 follows n1: s - n1 and n1 - n2 are 1 for no time at all.
    const std::string chain = R"toml(
s  = { type = "step", at = 1 }
c1 = { type = "crossing", in = "s - 0.5" }
n1 = { type = "integrator", in = "c1" }
c2 = { type = "crossing", in = "n1 - 0.5" }
n2 = { type = "integrator", in = "c2" }
)toml";
    CHECK(counted(chain + "y = \"s - n1 - 0.5\"\n") == "1 up, 1 down");
    CHECK(counted(chain + "y = \"n1 - n2 - 0.5\"\n") == "1 up, 1 down");
    CHECK(counted(chain + "y = \"s - n2 - 0.5\"\n") == "1 up, 1 down");
    // Sources that change at the same time change together.
    CHECK(
        counted("a = { type = \"step\", at = 1 }\nb = { type = \"step\", at = 1 }\ny = \"a - b - 0.5\"\n") ==
        "0 up, 0 down");
}

TEST_CASE("a counter that goes up and down at one time ends where it began, and time goes on") {
    const Trace trace = run(R"toml(
[blocks]
s  = { type = "step", at = 1 }
c1 = { type = "crossing", in = "s - 0.5" }
c2 = { type = "crossing", in = "n - 0.5", direction = "rising" }
c3 = { type = "crossing", in = "n - 0.5", direction = "falling" }
n  = { type = "integrator", in = "c1 - c2" }
m  = { type = "integrator", in = "c3" }
[simulation]
stop = 2
)toml");
    CHECK(last_sample(trace, "n") == 0);
    CHECK(last_sample(trace, "m") == 1);
    const auto n = happenings(trace, "n");
    REQUIRE(n.size() == 2);
    CHECK(n[0].epsilon == 1);
    CHECK(n[1].epsilon == 2);
    CHECK(happenings(trace, "m").front().epsilon == 3);
}

TEST_CASE("what toggles for ever at one time is an error") {
    const Trace trace = try_run(R"toml(
[blocks]
s  = { type = "step", at = 1 }
c1 = { type = "crossing", in = "s - 0.5" }
c2 = { type = "crossing", in = "x" }
x  = { type = "integrator", in = "c1 - 2*pre(x)*c2", initial = -0.5 }
[simulation]
stop = 2
)toml");
    REQUIRE(trace.errors.size() == 1);
    CHECK(trace.errors[0].kind == ErrorKind::no_progress);
    CHECK(trace.errors[0].t == 1);
}

TEST_CASE("a signal that rests on zero passes it when it leaves to the other side") {
    const std::string steps = "a = { type = \"step\", at = 1 }\nb = { type = \"step\", at = 2 }\n";
    CHECK(counted(steps + "y = \"-1 + a + b\"\n") == "1 up, 0 down");
    CHECK(counted(steps + "y = \"-1 + a - b\"\n") == "0 up, 0 down");
    CHECK(counted(steps + "y = \"1 - a - b\"\n") == "0 up, 1 down");
    // Whole numbers at one time: n - 1 is -1, 0, 1.
    CHECK(counted("k = { type = \"impulse\", at = 1 }\nc = { type = \"crossing\", in = \"n - 0.5\" }\n"
                  "n = { type = \"integrator\", in = \"k + c\" }\ny = \"n - 1\"\n") == "1 up, 0 down");
}

// y goes from -1 over 0 to 1, unseen by who looks for falls, comes down to a touch at 3, rests until 4 and
// leaves.
TEST_CASE("the side from which a signal came to rest is known though it got there unseen") {
    const auto leaving = [](const std::string& then) {
        return "y = \"if(t - 4, " + then + "*(t - 4), if(t - 3, 0, if(t - 2, (t - 3)^2, t - 1)))\"\n";
    };
    CHECK(counted(leaving("-1"), 5) == "1 up, 1 down");
    CHECK(counted(leaving("1"), 5) == "1 up, 0 down");
}

TEST_CASE("what has come to zero and fired fires only once, wherever it goes from there") {
    // y falls to 0 at 1 and rests until 2.
    const auto landing = [](const std::string& then) {
        return "v = \"if(1 - t, -1, if(t - 2, " + then +
               ", 0))\"\ny = { type = \"integrator\", in = \"v\", initial = 1 }\n";
    };
    CHECK(counted(landing("1")) == "0 up, 1 down");
    CHECK(counted(landing("-1")) == "0 up, 1 down");
}

TEST_CASE("a passage that begins with a touch is seen") {
    // y = (t - 1)^2 until 1, then -(t - 1)^2.
    CHECK(counted("y = { type = \"integrator\", in = \"v\", initial = 1 }\n"
                  "v = { type = \"integrator\", in = \"if(1 - t, 2, -2)\", initial = -2 }\n") ==
          "0 up, 1 down");
    CHECK(counted("y = \"(t - 1)^2\"\n") == "0 up, 0 down");
    CHECK(counted("y = \"(t - 1)^3\"\n") == "1 up, 0 down");
}

TEST_CASE("a bounce is one passage, and so is a fall that is lifted at once") {
    // x falls from 1 in a second and is lifted by 2: it meets zero at 1 and 3.
    CHECK(counted("y = { type = \"integrator\", in = \"-1 + 2*down\", initial = 1 }\n") == "0 up, 2 down");
    CHECK(counted("y = { type = \"integrator\", in = \"v\", initial = 1 }\n"
                  "v = { type = \"integrator\", in = \"-2 - 2*pre(v)*down\" }\n",
                  2) == "0 up, 1 down");
}

TEST_CASE("an event at the very stop is carried out, exactly, too") {
    const std::string text = R"toml(
[blocks]
k = { type = "impulse", at = 2 }
c = { type = "crossing", in = "t - 2" }
x = { type = "integrator", in = "1 + k + c" }
[simulation]
stop = 2
record = ["x"]
)toml";
    CHECK(last_sample(run(text), "x") == 4);
    const FractionBook book;
    const auto pieces = run_exactly(model_of(text), book).signals[0].pieces;
    REQUIRE(pieces.size() == 2);
    CHECK(to_double(pieces[1].from) == 2);
    REQUIRE(pieces[1].p.size() == 1);
    CHECK(to_double(pieces[1].p[0]) == 4);
}

TEST_CASE("events of two islands at one time are one event") {
    const Trace trace = run(R"toml(
[blocks]
a = { type = "crossing", in = "t - 1" }
b = { type = "crossing", in = "t^2 - 1" }
x = { type = "integrator", in = "a" }
y = { type = "integrator", in = "b" }
[simulation]
stop = 2
)toml");
    REQUIRE(trace.events.size() == 1);
    CHECK(trace.causes_of(trace.events[0]) == std::vector<std::string>{"a", "b"});
}

TEST_CASE("commits at one time that grow without end are told, and not lost in their bounds") {
    const std::string method = GENERATE("taylor", "dopri5");
    const Trace trace = try_run(R"toml(
[blocks]
y = "if(1 - t, t, 3*x) - 1.5"
hit = { type = "crossing", in = "y" }
x = { type = "integrator", in = "t - 2.5*pre(x)*hit", initial = 1 }
[simulation]
stop = 2
)toml",
                                {}, {{"simulation.method", method}});
    REQUIRE(trace.errors.size() == 1);
    CHECK(exit_code(trace.errors[0].kind) == 7);
    CHECK(trace.errors[0].t == Approx(1));
}

TEST_CASE("a crossing whose input jumps far away, and turns round there, has fired and goes on") {
    const std::string method = GENERATE("taylor", "dopri5");
    const Trace trace = run(R"toml(
[blocks]
hit = { type = "crossing", in = "x*x - 1" }
x = { type = "integrator", in = "1 - 3*hit" }
[simulation]
stop = 1.5
)toml",
                            {}, {{"simulation.method", method}});
    CHECK(last_sample(trace, "x") == Approx(-1.5));
}

}  // namespace deltaflow::engine_test
