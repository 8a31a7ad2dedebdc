// Words of the language that keep something, count, or end a run: against closed forms.
#include "engine/exact.hpp"
#include "tests/engine/run.hpp"

namespace deltaflow::engine_test {

namespace {

const std::vector<std::string> all_methods{"taylor", "dopri5", "rk4", "euler", "rosenbrock4"};

std::string model(const std::string& blocks, double stop) {
    return "[blocks]\n" + blocks + "\n[simulation]\nstop = " + std::to_string(stop) +
           "\nstep = 0.0001\nrecord = [\"y\"]\n";
}

Trace run_blocks(const std::string& blocks, double stop, const std::vector<double>& at = {},
                 const Changes& set = {}) {
    return run(model(blocks, stop), at, set);
}

ExactTrace exactly(const std::string& text) {
    const FractionBook book;
    ExactTrace trace = run_exactly(model_of(text), book);
    for (const RunError& error : trace.errors) FAIL_CHECK(error.text);
    return trace;
}

const Changes numeric{{"simulation.impulses", "numeric"}, {"simulation.step", "1/4096"}};

}  // namespace

TEST_CASE("floor, ceil, round and mod of a signal") {
    const Trace trace = run_blocks("y = \"floor(t) + 10*ceil(t) + 100*round(t) + 1000*mod(t, 2)\"", 4,
                                   {0.25, 1.75, 2.5, 3.25});
    CHECK(sample(trace, "y", 0.25) == close_to(0 + 10 + 0 + 250));
    CHECK(sample(trace, "y", 1.75) == close_to(1 + 20 + 200 + 1750));
    CHECK(sample(trace, "y", 2.5) == close_to(2 + 30 + 300 + 500));
    CHECK(sample(trace, "y", 3.25) == close_to(3 + 40 + 300 + 1250));
    const Trace down = run_blocks("y = \"floor(-t) + 100*round(-t)\"", 2, {0.25, 0.5, 1, 1.25});
    CHECK(sample(down, "y", 0.25) == close_to(-1));
    CHECK(sample(down, "y", 0.5) == close_to(-101));
    CHECK(sample(down, "y", 1) == close_to(-102));
    CHECK(sample(down, "y", 1.25) == close_to(-102));
}

TEST_CASE("floor of a fast ramp is one event a jump") {
    const Trace trace = run_blocks("y = \"floor(1000*t)\"", 1);
    CHECK(times_of(trace, "y").size() == 1000);
    CHECK(trace.statistics.steps < 2100);
    CHECK(last_sample(trace, "y") == 1000);
}

TEST_CASE("floor follows a jump at once, however far") {
    const Trace trace = run_blocks("s = { type = \"step\", at = 1, size = 123456.5 }\ny = \"floor(s)\"", 2);
    check_times(trace, "y", {1});
    CHECK(last_sample(trace, "y") == 123456);
    const Trace far = try_run(model("s = { type = \"step\", at = 1, size = 1e12 }\ny = \"floor(s)\"", 2));
    REQUIRE(far.errors.size() == 1);
    CHECK(exit_code(far.errors[0].kind) == 7);
}

TEST_CASE("floor in closed form, of numbers, and of an impulse") {
    const ExactTrace exact = exactly(model("y = \"mod(3*t, 2)\"", 1));
    REQUIRE(exact.signals[0].pieces.size() == 2);
    CHECK(to_double(exact.signals[0].pieces[1].from) == 2.0 / 3);
    const Trace numbers =
        run_blocks("y = \"floor(-7/2) + 10*mod(-7, 3) + 100*round(5/2) + 1000*ceil(0.1)\"", 1);
    CHECK(last_sample(numbers, "y") == -4 + 20 + 300 + 1000);
    const Trace struck = try_run(model("d = { type = \"impulse\", at = 1 }\ny = \"floor(d)\"", 2));
    REQUIRE(struck.errors.size() == 1);
    CHECK(exit_code(struck.errors[0].kind) == 4);
}

TEST_CASE("an integrator that resets itself is a saw tooth") {
    for (const std::string& method : all_methods) {
        INFO(method);
        const Trace trace =
            run_blocks("y = { type = \"reset_integrator\", in = \"2\", reset = \"y >= 1\", to = \"0.25\" }",
                       3, {0.25, 0.75, 1.9}, {{"simulation.method", method}});
        CHECK(sample(trace, "y", 0.25) == close_to(0.5, 1e-9));
        CHECK(sample(trace, "y", 0.75) == close_to(0.75, 1e-9));
        CHECK(sample(trace, "y", 1.9) == close_to(0.8, 1e-9));
        check_times(trace, "y", {0.5, 0.875, 1.25, 1.625, 2, 2.375, 2.75}, 1e-9);
        CHECK(happenings(trace, "y")[0].right == 0.25);
    }
    const ExactTrace exact = exactly(
        model("y = { type = \"reset_integrator\", in = \"2\", reset = \"y >= 1\", to = \"0.25\" }", 1));
    CHECK(exact.signals[0].pieces.size() == 3);
}

TEST_CASE("a ball by a reset: what it becomes is read just before") {
    const Trace trace = run(R"toml(
[blocks]
v = { type = "reset_integrator", in = "-10", reset = "x <= 0", to = "-0.5*v" }
x = { type = "integrator", in = "v", initial = 5 }
[simulation]
stop = 2
)toml",
                            {1.5});
    const auto bounce = happenings(trace, "v");
    REQUIRE(bounce.size() >= 1);
    CHECK(bounce[0].t == close_to(1));
    CHECK(bounce[0].left == close_to(-10));
    CHECK(bounce[0].right == close_to(5));
    CHECK(sample(trace, "x", 1.5) == close_to(5 * 0.5 - 5 * 0.25));
}

TEST_CASE("an impulse of any size or order resets, a condition not at the start") {
    for (const std::string size : {"1", "-3", "0.001"})
        for (const std::string order : {"0", "2"}) {
            const Trace trace =
                run_blocks("d = { type = \"impulse\", at = 1, size = " + size + ", order = " + order +
                               " }\ny = { type = \"reset_integrator\", in = \"1\", " +
                               "reset = \"d\", to = \"7\", initial = 2 }",
                           2);
            const auto jump = happenings(trace, "y");
            REQUIRE(jump.size() == 1);
            CHECK(jump[0].epsilon == 0);
            CHECK(jump[0].left == close_to(3));
            CHECK(jump[0].right == 7);
        }
    const Trace start = run_blocks(
        "y = { type = \"reset_integrator\", in = \"1\", reset = \"t >= 0\", to = \"9\", initial = 5 }", 1);
    CHECK(last_sample(start, "y") == close_to(6));
}

TEST_CASE("a condition that jumps onto its threshold has become true") {
    for (const std::string reset : {"n >= 2", "n > 1", "n == 2", "not (n < 2)", "n - 2"}) {
        INFO(reset);
        const Trace trace = run_blocks(
            "a = { type = \"step\", at = 1 }\nb = { type = \"step\", at = 2 }\nn = \"a + b\"\n"
            "y = { type = \"reset_integrator\", in = \"1\", reset = \"" +
                reset + "\" }",
            3);
        check_times(trace, "y", {2});
        CHECK(last_sample(trace, "y") == close_to(1));
    }
}

TEST_CASE("resets on samples of numeric impulses come within a step") {
    const Trace saw = run_blocks("y = { type = \"reset_integrator\", in = \"2\", reset = \"y >= 1\" }", 2,
                                 {0.25, 0.75, 1.75}, numeric);
    CHECK(sample(saw, "y", 0.25) == close_to(0.5, 4e-3));
    CHECK(sample(saw, "y", 0.75) == close_to(0.5, 4e-3));
    CHECK(sample(saw, "y", 1.75) == close_to(0.5, 4e-3));
    const Trace struck = run_blocks(
        "d = { type = \"impulse\", at = 1, size = 2 }\ny = { type = \"reset_integrator\", in = \"1\", reset "
        "= "
        "\"d\" }",
        2, {0.5, 1.5}, numeric);
    CHECK(sample(struck, "y", 0.5) == close_to(0.5, 2e-3));
    CHECK(sample(struck, "y", 1.5) == close_to(0.5, 2e-3));
}

TEST_CASE("a limited integrator rests at its limits and leaves them at once") {
    for (const std::string& method : all_methods) {
        INFO(method);
        // y' = cos(t), from 0.75 up to 1 at sin(t) = 1/4, back from pi/2 on
        const Trace trace = run_blocks(
            "y = { type = \"limited_integrator\", in = \"cos(t)\", low = -0.5, high = 1, initial = 0.75 }", 8,
            {0.1, 1, 2, 5, 6}, {{"simulation.method", method}});
        const double tolerance = method == "euler" ? 1e-3 : 1e-9;
        CHECK(sample(trace, "y", 0.1) == close_to(0.75 + std::sin(0.1), tolerance));
        CHECK(sample(trace, "y", 1) == close_to(1, tolerance));
        CHECK(sample(trace, "y", 2) == close_to(std::sin(2), tolerance));
        CHECK(sample(trace, "y", 5) == close_to(-0.5 + std::sin(5) + 1, tolerance));
        CHECK(sample(trace, "y", 6) == close_to(-0.5 + std::sin(6) + 1, tolerance));
    }
    const Trace sampled = run_blocks(
        "y = { type = \"limited_integrator\", in = \"cos(t)\", low = -0.5, high = 1, initial = 0.75 }", 8,
        {1, 2, 6}, numeric);
    CHECK(sample(sampled, "y", 1) == close_to(1, 2e-3));
    CHECK(sample(sampled, "y", 2) == close_to(std::sin(2), 2e-3));
    CHECK(sample(sampled, "y", 6) == close_to(0.5 + std::sin(6), 2e-3));
    const ExactTrace exact =
        exactly(model("y = { type = \"limited_integrator\", in = \"1 - t\", low = -1, high = 0.25 }", 2));
    // t - t^2/2 = 1/4 at 1 - sqrt(1/2); rests up to t = 1
    REQUIRE(exact.signals[0].pieces.size() == 3);
    CHECK(to_double(exact.signals[0].pieces[2].from) == 1);
}

TEST_CASE("a triggered hold takes the right limit, and may count") {
    const Trace trace = run_blocks(
        "s = { type = \"step\", at = 1, size = 5 }\nd = { type = \"impulse\", at = 1 }\n"
        "y = { type = \"triggered_hold\", in = \"s + t\", trigger = \"d\" }",
        2);
    CHECK(last_sample(trace, "y") == close_to(6));
    const Trace condition = run_blocks(
        "s = { type = \"step\", at = 1, size = 5 }\n"
        "y = { type = \"triggered_hold\", in = \"s + t\", trigger = \"t >= 1\", initial = -1 }",
        2, {0.5, 1.5});
    CHECK(sample(condition, "y", 0.5) == -1);
    CHECK(sample(condition, "y", 1.5) == close_to(6));
    const Trace counter =
        run_blocks("y = { type = \"triggered_hold\", in = \"y + 1\", trigger = \"sin(t)\" }", 20);
    check_times(counter, "y", {2 * 3.141592653589793, 4 * 3.141592653589793, 6 * 3.141592653589793}, 1e-9);
    CHECK(last_sample(counter, "y") == 3);
}

TEST_CASE("play follows its input half its width behind") {
    for (const std::string method : {"taylor", "dopri5", "rosenbrock4"}) {
        INFO(method);
        // sin(t): up to 1 - 1/4, rests until sin(t) = 1/2, and down with it
        const Trace trace = run_blocks("u = \"sin(t)\"\ny = { type = \"backlash\", in = \"u\", width = 0.5 }",
                                       8, {0.1, 1, 1.8, 3.5, 5}, {{"simulation.method", method}});
        CHECK(sample(trace, "y", 0.1) == close_to(0, 1e-9));
        CHECK(sample(trace, "y", 1) == close_to(std::sin(1) - 0.25, 1e-9));
        CHECK(sample(trace, "y", 1.8) == close_to(0.75, 1e-9));
        CHECK(sample(trace, "y", 3.5) == close_to(std::sin(3.5) + 0.25, 1e-9));
        CHECK(sample(trace, "y", 5) == close_to(-0.75, 1e-9));
    }
    // A triangle, a jump back by less than the play, and one by more.
    const Trace corners = run_blocks(
        "a = { type = \"step\", at = 2, size = -0.5 }\nb = { type = \"step\", at = 3, size = -3 }\n"
        "y = { type = \"backlash\", in = \"min(t, 2) + a + b\", width = 2 }",
        4, {1.5, 2.5, 3.5});
    CHECK(sample(corners, "y", 1.5) == close_to(0.5));
    CHECK(sample(corners, "y", 2.5) == close_to(1));
    CHECK(sample(corners, "y", 3.5) == close_to(-0.5));
}

TEST_CASE("a jump within the play moves nothing, and one beyond it no further than it must") {
    // Up to 2 with y = 1, back to 1.5 within the play, on to 2.5; then down by 4.
    const Trace trace = run_blocks(
        "a = { type = \"step\", at = 2, size = -0.5 }\nb = { type = \"step\", at = 3, size = -4 }\n"
        "y = { type = \"backlash\", in = \"t + a + b\", width = 2 }",
        5, {1.9, 2.2, 2.4, 2.9, 3.5, 4.5});
    const std::vector<double> y{0.9, 1, 1, 1.4, -0.5, -0.5};
    for (std::size_t i = 0; i < y.size(); ++i) CHECK(samples_of(trace, "y")[i] == close_to(y[i]));
}

TEST_CASE("play rests where a jump has taken it, though its input turns round there") {
    for (const std::string method : {"taylor", "dopri5", "rosenbrock4"}) {
        INFO(method);
        const Trace trace = run_blocks(
            "u = \"0.1*t - heaviside(t - 1)\"\ny = { type = \"backlash\", in = \"u\", width = 1, initial = "
            "0.5 }",
            3, {0.5, 1.5, 3}, {{"simulation.method", method}});
        CHECK(sample(trace, "y", 0.5) == close_to(0.5));
        CHECK(sample(trace, "y", 1.5) == close_to(-0.4));
        CHECK(sample(trace, "y", 3) == close_to(-0.4));
    }
}

TEST_CASE("a condition of the model ends the run, and that is no error") {
    const Trace trace =
        try_run(model("y = \"2*t\"\ne = { type = \"terminate\", in = \"y < 3\" }", 9), {1, 2});
    CHECK(trace.errors.empty());
    CHECK(trace.end_reason == EndReason::terminated);
    CHECK(trace.end_t == close_to(1.5));
    CHECK(trace.t == std::vector<double>{1});
    const Trace plain = try_run(model("y = \"1 - t\"\ne = { type = \"terminate\", in = \"y\" }", 9));
    CHECK(plain.end_t == close_to(1));
    const Trace never = run_blocks("y = \"t\"\ne = { type = \"terminate\", in = \"y > 100\" }", 2);
    CHECK(last_sample(never, "y") == 2);
    const Trace later = try_run(model("y = \"sin(t)\"\ne = { type = \"terminate\", in = \"y < 0\" }", 9));
    CHECK(later.end_t == close_to(2 * 3.141592653589793));
    const ExactTrace exact = exactly(model("y = \"t\"\ne = { type = \"terminate\", in = \"y^2 < 2\" }", 9));
    CHECK(exact.end_reason == EndReason::terminated);
    CHECK(to_double(exact.end) == std::sqrt(2.0));
    const Trace sampled =
        try_run(model("y = \"2*t\"\ne = { type = \"terminate\", in = \"y < 3\" }", 9), {}, numeric);
    CHECK(sampled.end_reason == EndReason::terminated);
    CHECK(sampled.end_t == close_to(1.5, 1e-3));
}

TEST_CASE("noise is constant in each period, the same for a seed, and even") {
    const std::string text = model("y = { type = \"noise\", period = 0.001, seed = 7, size = 2 }", 10);
    const Trace one = run(text), two = run(text);
    CHECK(samples_of(one, "y") == samples_of(two, "y"));
    CHECK(times_of(one, "y").size() == 10000);
    double sum = 0, square = 0, largest = 0;
    for (const Happening& h : happenings(one, "y")) {
        sum += h.right;
        square += h.right * h.right;
        largest = std::max(largest, std::abs(h.right));
    }
    CHECK(std::abs(sum / 10000) < 0.05);
    CHECK(square / 10000 == Approx(4.0 / 3).epsilon(0.05));
    CHECK(largest < 2);
    CHECK(samples_of(one, "y") !=
          samples_of(run(model("y = { type = \"noise\", period = 0.001, seed = 8 }", 10)), "y"));
}

}  // namespace deltaflow::engine_test
