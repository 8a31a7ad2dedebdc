// Impulses in time-varying and nonlinear diagrams: closed forms, invariants, and narrow pulses in their
// place.
#include "tests/engine/draw.hpp"
#include "tests/engine/pieces.hpp"
#include "tests/engine/run.hpp"

#include <fmt/format.h>

#include <array>
#include <functional>

namespace deltaflow::engine_test {

namespace {

// Taylor rungs 0..n of exp(p) where p(0) = 0.
std::vector<double> exponential(const std::vector<double>& p, int n) {
    std::vector<double> y{1};
    for (int k = 1; k <= n; ++k) {
        double sum = 0;
        for (int j = 1; j <= k && j < static_cast<int>(p.size()); ++j) sum += j * p[j] * y[k - j];
        y.push_back(sum / k);
    }
    return y;
}

// The coefficients of f delta^(m), f by its Taylor rungs: (-1)^(m-k) m!/k! f[m-k]
std::vector<double> sifted(const std::vector<double>& f, int m) {
    std::vector<double> y(static_cast<std::size_t>(m) + 1);
    double factor = 1;
    for (int k = m; k >= 0; --k) {
        y[k] = factor * f[m - k];
        factor *= -k;
    }
    return y;
}

std::vector<double> product(const std::vector<double>& u, const std::vector<double>& v, int n) {
    std::vector<double> y(static_cast<std::size_t>(n) + 1, 0.0);
    for (int i = 0; i <= n; ++i)
        for (int j = 0; i + j <= n; ++j)
            if (i < static_cast<int>(u.size()) && j < static_cast<int>(v.size())) y[i + j] += u[i] * v[j];
    return y;
}

double evaluate(const std::vector<double>& p, double s) {
    double sum = 0;
    for (std::size_t k = p.size(); k-- > 0;) sum = sum * s + p[k];
    return sum;
}

std::string in_powers(const std::vector<double>& p) {
    std::string text = fmt::format("({})", p[0]);
    for (std::size_t k = 1; k < p.size(); ++k) text += fmt::format(" + ({})*(t - 1)^{}", p[k], k);
    return text;
}

}  // namespace

// x' = a(t) x + b(t) delta^(n)(t - 1). With A = integral of a from 1, x = exp(A) z and z' = exp(-A) b
// delta^(n): z is known by sifting, and so is x, without solving any loop.
TEST_CASE("Derivatives of delta pass time-varying feedback as the integrating factor says",
          "[engine][random]") {
    Draw draw(7);
    for (int round = 0; round < 120; ++round) {
        const int n = round % 4;
        std::vector<double> a, b, primitive{0}, minus{0};
        for (int k = draw.integer(0, 3); k >= 0; --k) a.push_back(draw.quarter(2));
        for (int k = draw.integer(0, 3); k >= 0; --k) b.push_back(draw.quarter(2));
        for (std::size_t k = 0; k < a.size(); ++k) primitive.push_back(a[k] / static_cast<double>(k + 1));
        for (std::size_t k = 1; k < primitive.size(); ++k) minus.push_back(-primitive[k]);
        const std::string text = fmt::format(
            "[blocks]\nkick = {{ type = \"impulse\", at = 1, order = {} }}\n"
            "x = {{ type = \"integrator\", in = \"({})*x + ({})*kick\" }}\n[simulation]\nstop = 2\nrecord = "
            "[\"x\"]\n",
            n, in_powers(a), in_powers(b));
        INFO(text);
        const auto z = sifted(product(exponential(minus, n), b, n), n);  // of z'
        const auto growth = exponential(primitive, n);
        std::vector<double> impulses(static_cast<std::size_t>(n), 0.0);
        for (int m = 1; m <= n; ++m) {
            const auto part = sifted(growth, m - 1);
            for (int k = 0; k < m; ++k) impulses[k] += z[m] * part[k];
        }
        const Trace trace = run(text, {0.5, 1, 1.25, 1.75, 2});
        const auto list = happenings(trace, "x");
        REQUIRE(list.size() == 1);
        CHECK(list[0].left == 0);
        CHECK(list[0].right == close_to(z[0], 1e-11));
        check_impulses(list[0].impulses, impulses, 1e-11);
        for (const double t : {1.25, 1.75, 2.0})
            CHECK(sample(trace, "x", t) == close_to(std::exp(evaluate(primitive, t - 1)) * z[0], 1e-11));
    }
}

// x = integral of (u - der(y)) with y static in x: then x + y is the integral of u, impulses and all.
TEST_CASE("An integrator facing a derivative keeps the sum of what they hold", "[engine][random]") {
    Draw draw(11);
    for (int round = 0; round < 60; ++round) {
        const double k = draw.between(0.1, 2), c = draw.between(0, 1), kick = draw.quarter(2),
                     push = draw.quarter(1);
        const double step = draw.quarter(1), start = draw.quarter(1);
        const std::string text = fmt::format(
            "[blocks]\nu = \"sin(t) + kick + push\"\nkick = {{ type = \"impulse\", at = 1, size = {} }}\n"
            "push = {{ type = \"step\", at = 0.5, size = {} }}\njump = {{ type = \"step\", at = 1.5, size = "
            "{} }}\n"
            "y = \"{}*x + {}*x^3 + jump\"\nx = {{ type = \"integrator\", in = \"u - der(y)\", initial = {} "
            "}}\n"
            "held = \"x + y\"\n[simulation]\nstop = 2\nrecord = [\"x\", \"y\", \"held\"]\n",
            kick, push, step, k, c, start);
        INFO(text);
        const Trace trace = run(text);
        const double first = start + k * start + c * start * start * start;
        for (std::size_t i = 0; i < trace.t.size(); ++i) {
            const double t = trace.t[i];
            const double integral = 1 - std::cos(t) + (t >= 1 ? kick : 0) + push * std::max(0.0, t - 0.5);
            CHECK(samples_of(trace, "held")[i] == close_to(first + integral, 1e-11));
        }
        const auto x = happenings(trace, "x");
        REQUIRE(x.size() == 2);
        CHECK(x[0].t == 1);
        CHECK(x[1].t == 1.5);
        // Monotone in x, so x has to go the way of the kick and against the jump.
        CHECK((x[0].right - x[0].left) * kick > 0);
        CHECK((x[1].right - x[1].left) * step < 0);
    }
}

namespace {

using State = std::array<double, 2>;
using Field = std::function<State(double t, const State& x, double pulse)>;

State rk4_step(const Field& f, double t, const State& x, double h, double pulse) {
    const auto move = [&](const State& k, double s) { return State{x[0] + s * k[0], x[1] + s * k[1]}; };
    const State k1 = f(t, x, pulse), k2 = f(t + h / 2, move(k1, h / 2), pulse),
                k3 = f(t + h / 2, move(k2, h / 2), pulse), k4 = f(t + h, move(k3, h), pulse);
    State y = x;
    for (int i = 0; i < 2; ++i) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    return y;
}

// Runge-Kutta from t to end with a constant pulse, in steps that end on the edges.
State integrate_to(const Field& f, double& t, State x, double end, double pulse) {
    constexpr int steps = 400;
    const double h = (end - t) / steps;
    for (int i = 0; i < steps; ++i) x = rk4_step(f, t + i * h, x, h, pulse);
    t = end;
    return x;
}

// From 0 to 2 with delta or delta' at 1 replaced by pulses of the given width, centred there.
State with_pulses(const Field& f, State x, int order, double width) {
    double t = 0;
    x = integrate_to(f, t, x, 1 - width / 2, 0);
    if (order == 0) {
        x = integrate_to(f, t, x, 1 + width / 2, 1 / width);
    } else {  // up, then down: the derivative of a hat of unit area
        x = integrate_to(f, t, x, 1, 4 / (width * width));
        x = integrate_to(f, t, x, 1 + width / 2, -4 / (width * width));
    }
    return integrate_to(f, t, x, 2, 0);
}

struct Smoothed {
    const char* name;
    const char* blocks;
    State start;
    int order;         // of the derivative of delta
    double converges;  // with this power of the width
    Field field;
};

const std::vector<Smoothed> smoothed{
    {"a pendulum that is hit",
     "x = { type = \"integrator\", in = \"v\", initial = 1 }\n"
     "v = { type = \"integrator\", in = \"-sin(x) - v^3/10 + 2*d\" }",
     {1, 0},
     0,
     1,
     [](double, const State& x, double d) {
         return State{x[1], -std::sin(x[0]) - x[1] * x[1] * x[1] / 10 + 2 * d};
     }},
    {"a kick of time-varying strength",
     "x = { type = \"integrator\", in = \"v*x\", initial = 1 }\n"
     "v = { type = \"integrator\", in = \"-x + exp(-t)*d\" }",
     {1, 0},
     0,
     2,
     [](double t, const State& x, double d) {
         return State{x[1] * x[0], -x[0] + std::exp(-t) * d};
     }},
    {"delta' through a time-varying spring",
     "x = { type = \"integrator\", in = \"v\", initial = 1 }\n"
     "v = { type = \"integrator\", in = \"-(1 + t^2)*x + cos(t)*d\" }",
     {1, 0},
     1,
     2,
     [](double t, const State& x, double d) {
         return State{x[1], -(1 + t * t) * x[0] + std::cos(t) * d};
     }},
    {"delta' in a nonlinear drain",
     "x = { type = \"integrator\", in = \"v - x^3/4\", initial = 1 }\n"
     "v = { type = \"integrator\", in = \"sin(t)*d - v\" }",
     {1, 0},
     1,
     1,
     [](double t, const State& x, double d) {
         return State{x[1] - x[0] * x[0] * x[0] / 4, std::sin(t) * d - x[1]};
     }},
};

}  // namespace

// A symmetric pulse has no first moment: what it leaves differs from the impulse by the square of its width.
// Where something that jumps is cubed, the cube of the mean is not the mean of the cubes: the first power.
constexpr double next_power = 0.03;  // of the width, beside the leading one

TEST_CASE("Pulses that grow narrow converge to the symbolic impulse", "[engine][random]") {
    for (const Smoothed& s : smoothed) {
        INFO(s.name);
        const Trace trace = run(fmt::format("[blocks]\n{}\nd = {{ type = \"impulse\", at = 1, order = {} }}\n"
                                            "[simulation]\nstop = 2\nrecord = [\"x\", \"v\"]\n",
                                            s.blocks, s.order),
                                {2});
        const auto error = [&](double width) {
            const State x = with_pulses(s.field, s.start, s.order, width);
            return std::hypot(x[0] - last_sample(trace, "x"), x[1] - last_sample(trace, "v"));
        };
        const double wide = error(0.02), half = error(0.01), quarter = error(0.005);
        INFO(wide << " " << half << " " << quarter);
        const double ratio = std::pow(2, -s.converges);
        CHECK(quarter < 1e-3);
        CHECK(half / wide == Approx(ratio).epsilon(next_power));
        CHECK(quarter / half == Approx(ratio).epsilon(next_power));
    }
}

}  // namespace deltaflow::engine_test
