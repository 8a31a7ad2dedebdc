// Runs in exact numbers: they agree with floating point, guess nothing, and end.
#include "engine/exact.hpp"
#include "report/text/exit_code.hpp"
#include "tests/engine/run.hpp"

#include <fmt/format.h>

#include <atomic>
#include <thread>

namespace deltaflow::engine_test {

namespace {

ExactTrace try_exactly(const std::string& text, const RunControl& control = {}) {
    const FractionBook book;
    return run_exactly(load_model_text("model.toml", text), book, control);
}

int code_of(const ExactTrace& trace) {
    return trace.errors.empty() ? 0 : exit_code(trace.errors.front().kind);
}

int exact_code(const std::string& text) { return code_of(try_exactly(text)); }

// The last polynomial of a signal, in doubles.
std::vector<double> last_piece(const ExactTrace& trace, const std::string& name) {
    for (const ExactSignal& signal : trace.signals) {
        if (signal.name != name) continue;
        std::vector<double> p;
        for (const Quadratic& c : signal.pieces.back().p) p.push_back(to_double(c));
        return p;
    }
    FAIL("no signal " << name);
    return {};
}

std::string gain(const std::string& factor) {
    return fmt::format("[blocks]\ny = \"t*({})\"\n[simulation]\nstop = 1\n", factor);
}

}  // namespace

TEST_CASE("pre in a modulated source is the source itself in the flow that follows", "[engine][exact]") {
    const std::string text = R"toml(
[blocks]
u = { type = "ramp", at = 1 }
[elements]
src = { type = "MSf", flow = "pre(u)" }
j = { type = "1" }
body = { type = "I", value = 2 }
[bonds]
b1 = "src -> j"
b2 = "j -> body"
[simulation]
stop = 2
record = ["body.effort", "body.flow"]
)toml";
    const ExactTrace trace = try_exactly(text);
    CHECK(trace.errors.empty());
    CHECK(last_piece(trace, "body.effort") == std::vector<double>{2});
    CHECK(last_piece(trace, "body.flow") == std::vector<double>{-1, 1});
    CHECK(sample(run(text, {1.5}), "body.effort", 1.5) == close_to(2));
}

TEST_CASE("a pole is told wherever it is read, and by the code of the run", "[engine][exact]") {
    const std::string read =
        GENERATE("y = { type = \"saturate\", in = \"u\", low = -1, high = 0.5 }",  //
                 "y = \"atan2(u, 1)\"",                                            //
                 "y = \"der(u)\"",                                                 //
                 "y = \"if(u - 0.5, 1, 2)\"",                                      //
                 "y = \"sign(u)\"",                                                //
                 "y = \"abs(u)\"",                                                 //
                 "y = { type = \"crossing\", in = \"u\" }",                        //
                 "y = { type = \"delay\", in = \"u\", by = 1 }",                   //
                 "y = { type = \"hysteresis\", in = \"u\", low = 0, high = 2, initial = 0 }",
                 "y = { type = \"integrator\", in = \"u\" }");
    const std::string text = "[blocks]\nu = \"t/t\"\n" + read + "\n[simulation]\nstop = 1\n";
    CAPTURE(read);
    const ExactTrace trace = try_exactly(text);
    REQUIRE(trace.errors.size() == 1);
    CHECK(trace.errors[0].kind == ErrorKind::not_finite);
    CHECK_THAT(trace.errors[0].text, Catch::Contains("pole"));
    CHECK(try_run(text).errors.front().kind == ErrorKind::not_finite);
}

TEST_CASE("the root of a negative number is out of the domain, not without a closed form",
          "[engine][exact]") {
    const std::string text =
        "[blocks]\nu = { type = \"step\", at = 1, size = -2, initial = 1 }\ny = \"sqrt(u)\"\n"
        "[simulation]\nstop = 2\n";
    CHECK(exact_code(text) == 7);
}

TEST_CASE("a number that is no fraction is never taken for one", "[engine][exact]") {
    const std::string factor =
        GENERATE("exp(1e-20)", "tanh(50)", "sqrt(2)", "pi", "pi/pi", "1 + exp(-1000)", "log(exp(1))",
                 "2^(1/2)", "exp(-1000)", "(exp(1e-20))^2", "if(1, exp(1e-20), 2)", "(1/3)^9000");
    CAPTURE(factor);
    CHECK(exact_code(gain(factor)) == 3);
    CHECK(exact_code("[blocks]\ny = \"t^(" + factor + ")\"\n") == 3);
    CHECK(exact_code("[blocks]\ny = { type = \"step\", at = \"abs(" + factor + ")\" }\n") == 3);
    CHECK(exact_code("[blocks]\ny = { type = \"gain\", in = \"t\", k = \"" + factor + "\" }\n") == 3);
}

TEST_CASE("a number that is a fraction stays one", "[engine][exact]") {
    const auto [factor, value] = GENERATE(table<std::string, double>({{"exp(0)", 1},
                                                                      {"cos(0)", 1},
                                                                      {"sqrt(4)", 2},
                                                                      {"sqrt(9/16)", 0.75},
                                                                      {"log(1)", 0},
                                                                      {"0.1 + 0.2", 0.3},
                                                                      {"pi*0 + 2", 2},
                                                                      {"pi^0", 1},
                                                                      {"atan2(0, 1) + 3", 3},
                                                                      {"tanh(0) - 1", -1},
                                                                      {"min(1/3, pi) * 3", 1},
                                                                      {"1e-300*1e300", 1}}));
    CAPTURE(factor);
    const ExactTrace trace = try_exactly(gain(factor));
    REQUIRE(trace.errors.empty());
    CHECK(last_piece(trace, "y") == (value == 0 ? std::vector<double>{} : std::vector<double>{0, value}));
}

TEST_CASE("a literal that rounds to a plain number spoils what blocks bring along, and is told",
          "[engine][exact]") {
    CHECK(exact_code(
              "[blocks]\nx = { type = \"integrator\", in = \"1.00000000000000001*t\" }\ny = \"x + t^2\"\n") ==
          3);
    // 1e-20 + 1 is not 1.
    CHECK(exact_code("[blocks]\nx = { type = \"integrator\", in = \"1\" }\n"
                     "y = { type = \"sum\", in = [\"1e-20*x\", \"x\"] }\n") == 3);
    // 0.1 + 0.2 is 3/10, by whatever road.
    const ExactTrace trace = try_exactly(
        "[blocks]\nx = { type = \"integrator\", in = \"1\" }\n"
        "y = { type = \"sum\", in = [\"0.1*x\", \"0.2*x\"] }\n");
    REQUIRE(trace.errors.empty());
    CHECK(last_piece(trace, "y") == std::vector<double>{0, 0.3});
}

TEST_CASE("fractions that grow without end are told", "[engine][exact][slow]") {
    const std::string model = GENERATE(
        // x -> x^2 + 1/3, at every tick
        "x = { type = \"unit_delay\", in = \"x^2 + 1/3\", period = 1, initial = \"1/7\" }\n",
        "x = { type = \"hold\", in = \"pre(x)*pre(x)*pre(x) + t/7\", period = 1, initial = \"3/7\" }\n",
        // each bounce lengthens the time of the next
        "v = { type = \"integrator\", in = \"-981/100 - (1 + 1237/1241)*pre(v)*h\" }\n"
        "x = { type = \"integrator\", in = \"v\", initial = \"101/103\" }\n"
        "h = { type = \"crossing\", in = \"x\", direction = \"falling\" }\n",
        // conditions of a high degree
        "v = { type = \"integrator\", in = \"(t - 1/3)^5*(t - 7/11)^4 - pre(v)*h/3\", initial = \"-1/9\" }\n"
        "x = { type = \"integrator\", in = \"v\", initial = \"1/17\" }\n"
        "h = { type = \"crossing\", in = \"x\" }\n");
    CAPTURE(model);
    const ExactTrace trace = try_exactly("[blocks]\n" + model + "[simulation]\nstop = 1000\n");
    REQUIRE(trace.errors.size() == 1);
    CHECK(trace.errors[0].kind == ErrorKind::model);
}

TEST_CASE("a run in exact numbers stops when it is interrupted, wherever it is", "[engine][exact]") {
    std::atomic<bool> interrupt = false;
    const std::string text = R"toml(
[blocks]
v = { type = "integrator", in = "-981/100 - 2*pre(v)*h" }
x = { type = "integrator", in = "v", initial = "101/103" }
h = { type = "crossing", in = "x", direction = "falling" }
[simulation]
stop = 1000000000
)toml";
    std::thread impatient([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        interrupt = true;
    });
    const ExactTrace trace = try_exactly(text, {&interrupt, {}});
    impatient.join();
    CHECK(code_of(trace) == 130);
    CHECK(trace.end_reason == EndReason::interrupted);
    CHECK(!trace.signals[0].pieces.empty());
}

TEST_CASE("exact numbers do not pass an accumulation point without a word", "[engine][exact]") {
    const std::string text = R"toml(
[elements]
ball = { type = "I", value = 1, displacement = 5 }
weight = { type = "Se", effort = -10 }
j = { type = "1" }
floor = { type = "0", off = "effort", automaton = "touch" }
bounce = { type = "MSf", flow = "pre(j.flow)/2" }
[bonds]
b1 = "j -> ball"
b2 = "weight -> j"
b3 = "j -> floor"
b4 = "bounce -> floor"
[automata.touch]
initial = "apart"
states = { apart = "off", together = "on" }
transitions = [
  { from = "apart", to = "together", when = "ball.displacement <= 0 and pre(j.flow) < 0" },
  { from = "together", to = "apart", when = "pre(j.flow) > 0" },
]
[simulation]
stop = 5
zeno = "continue"
record = ["ball.momentum"]
)toml";
    const ExactTrace trace = try_exactly(text);
    REQUIRE(trace.errors.size() == 1);
    CHECK(trace.errors[0].kind == ErrorKind::model);
    CHECK_THAT(trace.errors[0].text, Catch::Contains("accumulate"));
}

TEST_CASE("one field under two names is one field", "[engine][exact]") {
    // sqrt(2) and sqrt(2 p^2)/p for a prime too large to be looked for
    const Integer p = 1000003;
    const Quadratic x(Rational(0), Rational(1), 2), y(Rational(0), Rational(Integer(1), p), 2 * p * p);
    CHECK(x == y);
    CHECK(x < y + Quadratic(Rational(1, 1000000)));
}

}  // namespace deltaflow::engine_test
