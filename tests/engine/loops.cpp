// Algebraic loops: solved from afar, wherever their lines stand, and guesses that reach all of a loop.
#include "engine/solve/steppers/stepper.hpp"
#include "tests/engine/run.hpp"

#include <fmt/format.h>

#include <functional>

namespace deltaflow::engine_test {

namespace {

// v + size (exp(v/0.026) - 1) = source, by halving.
double diode(double source, double size = 1e-9) {
    double low = -std::abs(source) - 1, high = std::min(std::abs(source) + 1, 0.026 * 700);
    for (int i = 0; i < 200; ++i) {
        const double v = 0.5 * (low + high);
        (v + size * std::expm1(v / 0.026) < source ? low : high) = v;
    }
    return low;
}

// Runs a model with its blocks in every order; each must end with the same values.
void in_any_order(std::vector<std::string> lines, const std::string& rest,
                  const std::function<void(const Trace&)>& check) {
    std::sort(lines.begin(), lines.end());
    do {
        std::string text = "[blocks]\n";
        for (const std::string& line : lines) text += line + "\n";
        INFO(text);
        check(run(text + rest));
    } while (std::next_permutation(lines.begin(), lines.end()));
}

}  // namespace

TEST_CASE("A diode in a loop is solved from afar", "[engine][loops]") {
    for (const double source : {5.0, -5.0, 100.0, 1e6, -1e6}) {
        const Trace trace = run(
            fmt::format("[blocks]\nv = \"{} - 1e-9*(exp(v/0.026) - 1)\"\n[simulation]\nstop = 1\n", source));
        CHECK(last_sample(trace, "v") == close_to(diode(source), 1e-9));
    }
    for (const double guess : {-1e3, 1.0, 10.0, 100.0, 1e6}) {  // where exp overflows there is no start
        const Trace trace =
            run(fmt::format("[blocks]\nv = {{ expression = \"5 - 1e-9*(exp(v/0.026) - 1)\", "
                            "guess = {} }}\n[simulation]\nstop = 1\n",
                            guess));
        CHECK(last_sample(trace, "v") == close_to(diode(5), 1e-9));
    }
}

TEST_CASE("A diode's source may jump and swing by any amount", "[engine][loops]") {
    for (const char* method : {"taylor", "dopri5", "rk4", "rosenbrock4", "euler"})
        for (const double size : {100.0, 1e6}) {
            const Trace trace =
                run(fmt::format("[blocks]\ns = {{ type = \"step\", at = 0.5, initial = {}, size = {} }}\n"
                                "v = \"s - 1e-9*(exp(v/0.026) - 1)\"\n"
                                "w = \"{}*sin(20*t) - 1e-9*(exp(w/0.026) - 1)\"\n"
                                "[simulation]\nstop = 1\nstep = 0.01\nmethod = \"{}\"\n",
                                -size, 2 * size, size / 2, method));
            INFO(method << ", " << size);
            CHECK(sample(trace, "v", 0.25) == close_to(diode(-size), 1e-9));
            CHECK(last_sample(trace, "v") == close_to(diode(size), 1e-9));
            for (std::size_t i = 0; i < trace.t.size(); i += 10)
                CHECK(samples_of(trace, "w")[i] ==
                      close_to(diode(size / 2 * std::sin(20 * trace.t[i])), 1e-9));
        }
}

TEST_CASE("A diode in a bond graph is solved from afar", "[engine][loops]") {
    const Trace trace = run(R"toml(
[blocks]
st = { type = "step", at = 0.5, initial = -100, size = 200 }
[elements]
s  = { type = "MSe", effort = "st" }
j  = { type = "1" }
r  = { type = "R", value = 1 }
d  = { type = "R", law = "1e-9*(exp(f/0.026) - 1)" }
[bonds]
a = "s -> j"
b = "j -> r"
c = "j -> d"
[simulation]
stop = 1
record = ["d.flow"]
)toml");
    CHECK(sample(trace, "d.flow", 0.25) == close_to(diode(-100), 1e-9));
    CHECK(last_sample(trace, "d.flow") == close_to(diode(100), 1e-9));
}

TEST_CASE("Loops of several unknowns are found whatever the order of lines", "[engine][loops]") {
    // Two diodes, the second one to ground.
    in_any_order({"v1 = \"5 - 100*i1\"", "i1 = \"1e-9*(exp((v1 - v2)/0.026) - 1)\"", "v2 = \"100*(i1 - i2)\"",
                  "i2 = \"1e-12*(exp(v2/0.026) - 1)\""},
                 "[simulation]\nstop = 1\n", [](const Trace& trace) {
                     const double v1 = last_sample(trace, "v1"), v2 = last_sample(trace, "v2");
                     const double i1 = last_sample(trace, "i1"), i2 = last_sample(trace, "i2");
                     CHECK(v1 == close_to(5 - 100 * i1, 1e-9));
                     CHECK(v2 == close_to(100 * (i1 - i2), 1e-9));
                     CHECK(v1 - v2 == close_to(0.026 * std::log(i1 / 1e-9 + 1), 1e-9));
                     CHECK(v2 == close_to(0.026 * std::log(i2 / 1e-12 + 1), 1e-9));
                 });
    // A transistor with a resistor at its emitter.
    in_any_order({"vbe = \"5 - 1e4*ib - 500*ie\"", "ib = \"1e-16*(exp(vbe/0.0258) - 1)\"", "ie = \"101*ib\""},
                 "[simulation]\nstop = 1\n", [](const Trace& trace) {
                     const double ib = last_sample(trace, "ib"), vbe = last_sample(trace, "vbe");
                     CHECK(vbe == close_to(5 - 1e4 * ib - 500 * 101 * ib, 1e-9));
                     CHECK(vbe == close_to(0.0258 * std::log(ib / 1e-16 + 1), 1e-9));
                 });
    // Domains that hold no 0: sqrt, log and an inverse.
    in_any_order({"x = \"y + 2\"", "y = \"sqrt(z)\"", "z = \"x*1\""}, "[simulation]\nstop = 1\n",
                 [](const Trace& trace) { CHECK(last_sample(trace, "x") == close_to(4)); });
    in_any_order({"x = \"5 - y\"", "y = \"log(x)\"", "z = \"1/z + y - y + 1.5\""}, "[simulation]\nstop = 1\n",
                 [](const Trace& trace) {
                     const double x = last_sample(trace, "x");
                     CHECK(x + std::log(x) == close_to(5));
                     const double z = last_sample(trace, "z");
                     CHECK(z * z - 1.5 * z == close_to(1));
                 });
}

TEST_CASE("A path leads to a solution where damped steps stall before a minimum", "[engine][loops]") {
    // x = x^3 - x + 2.5 + ...: one root, left of a minimum of the residual that lies at the start.
    const Trace trace = run("[blocks]\nx = \"x^3 - 2*x + 2.5 + x\"\n[simulation]\nstop = 1\n");
    const double x = last_sample(trace, "x");
    CHECK(x * x * x - 2 * x + 2.5 == close_to(0, 1e-11));
}

TEST_CASE("A loop may have no solution under branches that are not in force", "[engine][loops][slow]") {
    // f |f| + f = y has one solution for every y; f (-f) + f = y, the other branch, has none for y > 1/4.
    const auto flow = [](double y) { return (y < 0 ? -1 : 1) * (std::sqrt(1 + 4 * std::abs(y)) - 1) / 2; };
    for (const char* method : {"taylor", "dopri5", "rk4", "rosenbrock4", "euler"}) {
        const Trace trace =
            run(fmt::format("[blocks]\ns = {{ type = \"step\", at = 0.5, initial = -3, size = 6 }}\n"
                            "f = \"s - f*abs(f)\"\ng = \"5*sin(9*t - 2) - g*abs(g)\"\n"
                            "x = {{ type = \"integrator\", in = \"h\" }}\nh = \"4*cos(5*t) - x - h*abs(h)\"\n"
                            "[simulation]\nstop = 1\nstep = 0.01\nmethod = \"{}\"\n",
                            method));
        INFO(method);
        for (std::size_t i = 0; i < trace.t.size(); i += 7) {
            const double t = trace.t[i], x = samples_of(trace, "x")[i];
            CHECK(samples_of(trace, "f")[i] == close_to(flow(t < 0.5 ? -3 : 3)));
            CHECK(samples_of(trace, "g")[i] == close_to(flow(5 * std::sin(9 * t - 2)), 1e-9));
            CHECK(samples_of(trace, "h")[i] == close_to(flow(4 * std::cos(5 * t) - x), 1e-9));
        }
    }
}

TEST_CASE("A loop without a solution is told so", "[engine][loops]") {
    CHECK_THAT(refusal("[blocks]\nx = \"x^2 + 1\"\n[simulation]\nstop = 1\n"),
               Catch::Contains("no solution of an algebraic loop was found"));
    CHECK_THAT(refusal("[blocks]\nx = \"exp(x)\"\n[simulation]\nstop = 1\n"),
               Catch::Contains("no solution of an algebraic loop was found"));
}

TEST_CASE("A guess reaches all unknowns of a loop that follow from it", "[engine][loops]") {
    for (const char* guessed : {"a", "b", "c"})
        for (const double root : {3.0, -2.0}) {  // of a^2 = a + 6
            const auto line = [&](const std::string& name, const char* expression, double shift) {
                return name == guessed ? fmt::format("{} = {{ expression = \"{}\", guess = {} }}", name,
                                                     expression, root + shift + 0.1)
                                       : fmt::format("{} = \"{}\"", name, expression);
            };
            in_any_order({line("a", "b*b - 6", 0), line("b", "c + 1", 0), line("c", "a - 1", -1)},
                         "[simulation]\nstop = 1\n", [&](const Trace& trace) {
                             CHECK(last_sample(trace, "a") == close_to(root));
                             CHECK(last_sample(trace, "c") == close_to(root - 1));
                         });
        }
}

TEST_CASE("A guess chooses among the branches of a loop that has a solution on each", "[engine][loops]") {
    // x' = 4 |x'| - 3 x: one solution rises, the other one falls.
    for (const char* loop : {"abs(h)", "max(h, -h)", "-min(h, -h)", "if(h, h, -h)", "h*sign(h)"})
        for (const double side : {1.0, -1.0}) {
            INFO(loop << " " << side);
            const Trace trace =
                run(fmt::format("[blocks]\nx = {{ type = \"integrator\", in = \"4*({} - "
                                "0.75*x)\", initial = 1 }}\nh = {{ expression = \"der(x)\", "
                                "guess = {} }}\n[simulation]\nstop = 1\n",
                                loop, side));
            CHECK(last_sample(trace, "x") == close_to(std::exp(side > 0 ? 1.0 : -3.0 / 5)));
        }
}

TEST_CASE("Large and small slopes in a loop do not make it singular", "[engine][loops]") {
    // The slope of the exponential is 4e12 at the solution, that of the current 1e-16.
    const Trace trace =
        run("[blocks]\nvb = \"5 - 1e4*ib\"\nib = \"1e-14*(exp(vb/0.0258) - 1)/100\"\n"
            "[simulation]\nstop = 1\n");
    const double ib = last_sample(trace, "ib");
    CHECK(last_sample(trace, "vb") == close_to(0.0258 * std::log(ib / 1e-16 + 1), 1e-9));
}

TEST_CASE("A loop through the derivative of a function is solved however it is written", "[engine][loops]") {
    for (const char* rate : {"0.5", "4e9"}) {
        const std::string rest = fmt::format("[parameters]\nk = {}\n[simulation]\nstop = \"1/k\"\n", rate);
        const Trace at_once = run(
            "[blocks]\nx = { type = \"integrator\", in = \"k*(der(sqrt(1 + x^2)) - x)\", initial = 0.25 }\n" +
            rest);
        const Trace in_parts =
            run("[blocks]\nh = { type = \"derivative\", in = \"sqrt(1 + x^2)\" }\n"
                "x = { type = \"integrator\", in = \"k*(h - x)\", initial = 0.25 }\n" +
                rest);
        CHECK(last_sample(in_parts, "x") == close_to(last_sample(at_once, "x")));
    }
}

namespace {

// The run must end with exit code 7 near `t`, by every method.
void check_end(const std::string& blocks, double t, double tolerance,
               const std::vector<const char*>& methods = {"taylor", "dopri5", "rk4", "rosenbrock4", "cvode",
                                                          "euler", "auto"}) {
    for (const char* method : methods) {
        if (method == std::string("cvode") && !has_cvode()) continue;
        const Trace trace = try_run(fmt::format(
            "[blocks]\n{}[simulation]\nstop = 4\nstep = 0.01\nmethod = \"{}\"\n", blocks, method));
        INFO(blocks << method);
        REQUIRE(trace.errors.size() == 1);
        CHECK(trace.errors[0].kind == ErrorKind::not_finite);
        CHECK(trace.errors[0].t == close_to(t, method == std::string("euler") ? 0.02 : tolerance));
    }
}

}  // namespace

TEST_CASE("Where the solution of a loop turns back a run ends, by every method", "[engine][loops][slow]") {
    // y + t = cos(10 y): no solution goes on where both sides have the slope 1, though there are others.
    const double y = -std::asin(0.1) / 10;
    check_end("y = { expression = \"cos(10*y) - t\", guess = 0.1 }\n", std::cos(10 * y) - y, 1e-9);
    // y^3 - 3 y + 2 t = 0 has three solutions; the one from y = 0 meets another where t = 1, at y = 1.
    check_end("y = { expression = \"y + (y^3 - 3*y + 2*t)/7\", guess = 0 }\n", 1, 1e-9);
    // The same in a derivative: the state has no rate from there on.
    check_end("x = { type = \"integrator\", in = \"cos(10*der(x)) - x\" }\n", 0.6756048187893, 1e-6);
}

TEST_CASE("Where the solution of a loop leaves the finite range a run ends, by every method",
          "[engine][loops][slow]") {
    check_end("y = \"y*t + 1\"\n", 1, 1e-9);
    check_end("y = \"y*t + 1\"\nx = { type = \"integrator\", in = \"y\" }\n", 1, 1e-6);
    // The determinant 1 - sin(t) touches zero, and what is left of it is rounding.
    check_end("y = \"y*sin(t) + cos(0.3*t)\"\nx = { type = \"integrator\", in = \"y - x\" }\n", std::acos(0),
              1e-6, {"taylor", "dopri5", "auto"});
}

TEST_CASE("Between its ends a loop is followed, however far apart samples are", "[engine][loops]") {
    // y + 0.09 sin(10 y) = 30 sin(t) has one solution, and many places at which Newton's steps go astray.
    for (const char* method : {"taylor", "dopri5", "rk4", "rosenbrock4", "euler"}) {
        const Trace trace =
            run(fmt::format("[blocks]\ny = \"30*sin(t) - 0.09*sin(10*y)\"\n"
                            "[simulation]\nstop = 6\nevery = 2\nstep = 0.5\nmethod = \"{}\"\n",
                            method));
        INFO(method);
        for (std::size_t i = 0; i < trace.t.size(); ++i) {
            const double y = samples_of(trace, "y")[i];
            CHECK(y + 0.09 * std::sin(10 * y) == close_to(30 * std::sin(trace.t[i]), 1e-11));
        }
    }
}

TEST_CASE("A loop may read what is no number on a branch that is only tried", "[engine][loops]") {
    // abs is tried on its other side first, and the root of -4 is no number.
    const Trace plain =
        run("[blocks]\nx = 4\nw = \"sqrt(abs(x - t))\"\ny = \"w - y\"\n[simulation]\nstop = 3\n");
    CHECK(samples_of(plain, "y").back() == close_to(0.5, 1e-12));
    // The voltage that divides over closed valves is such a loop; sqrt(x) = 1 - t/2 behind it.
    const Trace valves = run(R"toml(
[elements]
source = { type = "Sf", flow = 0 }
n1     = { type = "0" }
relief = { type = "D", drop = 3 }
check  = { type = "D" }
n2     = { type = "0" }
tank   = { type = "C", value = 1, displacement = 1 }
valve  = { type = "R", law = "sign(e)*sqrt(abs(e))" }
[bonds]
b1 = "source -> n1"
b2 = "n1 -> relief"
b3 = "n1 -> check"
b4 = "check -> n2"
b5 = "n2 -> tank"
b6 = "n2 -> valve"
[simulation]
stop = 1
record = ["tank.effort"]
)toml");
    CHECK(samples_of(valves, "tank.effort").back() == close_to(0.25, 1e-11));
}

}  // namespace deltaflow::engine_test
