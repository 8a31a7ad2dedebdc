// Ensembles: parameter sets compiled once and run in lanes, against as many single runs of the loaded model.
#include "engine/sweep.hpp"

#include "bench/bench.hpp"
#include "deltaflow/deltaflow.hpp"

#include <fmt/format.h>

namespace deltaflow::bench {

namespace {

constexpr const char* van_der_pol = R"toml(
[parameters]
mu = 1.0
[blocks]
x = { type = "integrator", in = "v", initial = 2 }
v = { type = "integrator", in = "mu * (1 - x^2) * v - x", initial = 0 }
[simulation]
stop = 50
method = "rk4"
step = 0.01
)toml";

constexpr const char* pendulum = R"toml(
[parameters]
w = 1.0
[blocks]
phi = { type = "integrator", in = "om", initial = 2 }
om = { type = "integrator", in = "-w^2 * sin(phi) - 0.1 * om", initial = 0 }
[simulation]
stop = 50
method = "rk4"
step = 0.01
)toml";

constexpr const char* ball = R"toml(
[parameters]
e = 0.8
[blocks]
a   = "-9.81 + F"
F   = "-(1 + e) * pre(v) * hit"
hit = { type = "crossing", in = "y", direction = "falling" }
v   = { type = "integrator", in = "a" }
y   = { type = "integrator", in = "v", initial = 10 }
[simulation]
stop = 4
)toml";

std::vector<std::string> values(int count) {
    std::vector<std::string> all;
    for (int i = 0; i < count; ++i) all.push_back(fmt::format("{}", 0.5 + 0.4 * i / count));
    return all;
}

// What somebody would write who has no sweep: the model is loaded once, and each set is simulated.
double single_runs(const Model& model, const SweepAxis& axis) {
    double last = 0;
    for (const std::string& value : axis.values)
        last = simulate(model.with({{axis.name, value}})).samples[0].back();
    return last;
}

Figure compared(const char* name, const char* text, const char* parameter, int sets, int rounds,
                double target) {
    const ModelFiles files = read_model_text("ensemble.toml", text);
    const Model model = Model::parse(text);
    const SweepAxis axis{parameter, values(sets)};
    SweepControl control;
    control.jobs = 1;
    double in_lanes = 0, alone = 0;
    const auto [together, one_by_one] = race(
        rounds, [&] { in_lanes = *sweep(files, {}, Points({axis}), control).rows.back().finals.front(); },
        [&] { alone = single_runs(model, axis); });
    expect_equal("the last run", in_lanes, alone, 0);
    return {fmt::format("ensemble: {}, together / single runs", name), together / one_by_one, "ratio",
            1 / target,
            fmt::format("{:.3g} times as many runs: {:.3g} us against {:.3g} us", one_by_one / together,
                        1e6 * together / sets, 1e6 * one_by_one / sets)};
}

}  // namespace

Figures ensembles() {
    return {compared("van der Pol", van_der_pol, "mu", large ? 10000 : 500, 3, 20),
            compared("pendulum", pendulum, "w", large ? 10000 : 500, 3, 20),
            compared("bouncing ball", ball, "e", large ? 10000 : 2000, 5, 5)};
}

}  // namespace deltaflow::bench
