// Large and stiff: an RC ladder of 10,000 stages, R C = 1e-5 s over 10 s, by cvode against CVODE with KLU as
// one writes it by hand, and by rosenbrock4 against cvode.
#include "bench/bench.hpp"
#include "bench/stiff_by_hand.hpp"
#include "engine/limits.hpp"

#include <fmt/format.h>

#include <cmath>

namespace deltaflow::bench {

namespace {

constexpr std::size_t stages = 10000;
constexpr double rate = 1e5, source = 5, stop = 10, tolerance = 1e-6;

FlatModel ladder(const std::string& method) {
    return until(
        load_model_text("ladder.toml", fmt::format(R"toml(
[parameters]
n = {}
[diagrams.stage]
inputs = ["left", "out"]
outputs = ["v", "current"]
[diagrams.stage.blocks]
current = "left - v"
v = {{ type = "integrator", in = "{:g}*(current - out)" }}
[blocks]
stage = {{ type = "stage", count = "n - 1", left = "if(i - 1/2, stage[max(i - 1, 0)].v, {})", out = "if(n - 5/2 - i, stage[min(i + 1, n - 2)].current, last.current)" }}
last = {{ type = "stage", left = "stage[n - 2].v", out = "0" }}
[simulation]
method = "{}"
tolerance = {}
absolute = {}
record = ["last.v"]
)toml",
                                                   stages, rate, source, method, tolerance, tolerance)),
        stop);
}

}  // namespace

Figures stiff() {
    const FlatModel by_bdf = ladder("cvode"), by_rosenbrock = ladder("rosenbrock4");
    Trace bdf, rosenbrock;
    StiffEnd hand;
    // As strict with single steps as the engine is, and with small states.
    const double local = 0.1 * limits::local_share * tolerance;
    const auto [bdf_time, rosenbrock_time, hand_time] = race(
        2, [&] { bdf = simulate(by_bdf); }, [&] { rosenbrock = simulate(by_rosenbrock); },
        [&] { hand = ladder_by_cvode(stages, rate, source, stop, local); });
    expect_equal("last voltage by rosenbrock4", rosenbrock.samples[0].back(), bdf.samples[0].back(), 1e-5);
    Figures figures{{"stiff: ladder of 10,000, rosenbrock4 / cvode", rosenbrock_time / bdf_time, "ratio", 3,
                     fmt::format("{:.3g} s in {} steps", rosenbrock_time, rosenbrock.statistics.steps)}};
    if (std::isnan(hand.last)) return figures;
    expect_equal("last voltage by hand", hand.last, bdf.samples[0].back(), 1e-5);
    figures.insert(figures.begin(),
                   {"stiff: ladder of 10,000, cvode / hand-written", bdf_time / hand_time, "ratio", 1.5,
                    fmt::format("{:.3g} s in {} steps against {:.3g} s in {}", bdf_time, bdf.statistics.steps,
                                hand_time, hand.steps)});
    return figures;
}

}  // namespace deltaflow::bench
