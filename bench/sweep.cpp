// Many runs of one model: a sweep, against loading and running it anew for each of its values.
#include "engine/sweep.hpp"

#include "bench/bench.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace deltaflow::bench {

namespace {

// A model as people write it: parameters, a diagram, a page of blocks.
constexpr const char* text = R"toml(
name = "Balls"
[parameters]
g = 9.81
e = 0.8
h = 10
[diagrams.ball]
inputs = ["h0"]
outputs = ["y", "v"]
parameters = { bounce = 0.9 }
[diagrams.ball.blocks]
a   = "-g + F"
F   = "-(1 + bounce) * pre(v) * hit"
hit = { type = "crossing", in = "y", direction = "falling" }
v   = { type = "integrator", in = "a" }
y   = { type = "integrator", in = "v", initial = 10 }
[blocks]
one = { type = "ball", h0 = 0, bounce = "e" }
two = { type = "ball", h0 = 0, bounce = "e/2 + 0.4" }
gap = "one.y - two.y"
top = "max(one.y, two.y)"
mean = "(one.y + two.y) / 2"
drift = { type = "integrator", in = "gap" }
[simulation]
stop = 4.0
record = ["gap", "top", "mean", "drift"]
)toml";

std::vector<std::string> values(int count) {
    std::vector<std::string> all;
    for (int i = 0; i < count; ++i) all.push_back(fmt::format("{}", 0.5 + 0.4 * i / count));
    return all;
}

}  // namespace

Figures sweeps() {
    const std::string path = (std::filesystem::temp_directory_path() / "deltaflow_bench_sweep.toml").string();
    std::ofstream(path) << text;
    const SweepAxis axis{"e", values(1000)};
    double by_sweep = 0, one_by_one = 0;
    SweepControl control;
    control.jobs = 1;
    const auto [sweep_time, plain_time] = race(
        5,
        [&] {
            by_sweep = *sweep(read_model(path, {}), {}, Points({axis}), control).rows.back().finals.back();
        },
        [&] {
            for (const std::string& value : axis.values) {
                LoadOptions options;
                options.set = {{axis.name, value}};
                FlatModel model = load_model(path, options);
                model.settings.at = {model.settings.stop};
                one_by_one = simulate(model).samples.back().back();
            }
        });
    std::remove(path.c_str());
    expect_equal("the last run", by_sweep, one_by_one, 0);
    return {{"sweep: 1000 runs / loading each anew", sweep_time / plain_time, "ratio", 1,
             fmt::format("{:.3g} us against {:.3g} us a run", 1e3 * sweep_time, 1e3 * plain_time)}};
}

}  // namespace deltaflow::bench
