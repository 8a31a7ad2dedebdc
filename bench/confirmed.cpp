// What it costs that Taylor steps are confirmed by the equations, on smooth nonlinear flow.
#include "bench/bench.hpp"

#include <fmt/format.h>

namespace deltaflow::bench {

namespace {

struct Case {
    const char* name;
    const char* blocks;
    double stop;
    double same;  // how far two runs may part: chaos, or the rounding of so many revolutions
};

constexpr Case cases[] = {
    {"pendulum", R"toml(
v = { type = "integrator", in = "-sin(x) - 0.0001*v" }
x = { type = "integrator", in = "v", initial = 2 }
)toml",
     2000, 1e-6},
    {"Lorenz", R"toml(
x = { type = "integrator", in = "10*(y - x)", initial = 1 }
y = { type = "integrator", in = "x*(28 - z) - y", initial = 1 }
z = { type = "integrator", in = "x*y - 8*z/3", initial = 1 }
)toml",
     15, 1e-4},
    {"Kepler", R"toml(
r = "(x^2 + y^2)^1.5"
u = { type = "integrator", in = "-x/r" }
v = { type = "integrator", in = "-y/r", initial = 1.5 }
x = { type = "integrator", in = "u", initial = 0.5 }
y = { type = "integrator", in = "v" }
)toml",
     500, 1e-6},
    {"chain of pendulums with drag", R"toml(
x0 = "0"
v1 = { type = "integrator", in = "x0 - 2*x1 + x2 - sin(x1) - 0.1*v1*sqrt(1 + v1^2)" }
x1 = { type = "integrator", in = "v1", initial = 0.5 }
v2 = { type = "integrator", in = "x1 - 2*x2 + x3 - sin(x2) - 0.1*v2*sqrt(1 + v2^2)" }
x2 = { type = "integrator", in = "v2", initial = 1 }
v3 = { type = "integrator", in = "x2 - 2*x3 + x4 - sin(x3) - 0.1*v3*sqrt(1 + v3^2)" }
x3 = { type = "integrator", in = "v3", initial = -0.5 }
x4 = "sin(t)"
)toml",
     300, 1e-6},
};

Figure compare(const Case& c) {
    FlatModel checked = until(load_model_text("confirmed.toml", fmt::format("[blocks]{}", c.blocks)), c.stop);
    FlatModel estimated = checked;
    estimated.settings.confirm = false;
    Trace with, without;
    const auto [confirmed, plain] = race(
        7, [&] { with = simulate(checked); }, [&] { without = simulate(estimated); });
    for (std::size_t i = 0; i < with.signals.size(); ++i)
        expect_equal(with.signals[i], with.samples[i].back(), without.samples[i].back(), c.same);
    return {fmt::format("confirmed: {}", c.name), confirmed / plain, "ratio", 1.6,
            fmt::format("{} and {} steps, {:.3g} ms against {:.3g} ms", with.statistics.steps,
                        without.statistics.steps, 1e3 * confirmed, 1e3 * plain)};
}

}  // namespace

Figures confirmed() {
    Figures figures;
    for (const Case& c : cases) figures.push_back(compare(c));
    return figures;
}

}  // namespace deltaflow::bench
