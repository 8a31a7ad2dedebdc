// Islands: a thousand independent balls against one.
#include "bench/bench.hpp"

#include <fmt/format.h>

namespace deltaflow::bench {

namespace {

std::string balls_text(int count) {
    std::string text = fmt::format(R"toml(
[diagrams.ball]
outputs = ["y", "v", "F"]
parameters = {{ g = 9.81, e = 0.9 }}
[diagrams.ball.blocks]
a   = "-g + F"
F   = "-(1 + e) * pre(v) * hit"
hit = {{ type = "crossing", in = "y", direction = "falling" }}
v   = {{ type = "integrator", in = "a" }}
y   = {{ type = "integrator", in = "v", initial = 10 }}
[blocks]
balls = {{ type = "ball", count = {} }}
[simulation]
stop = 20.0
record = [)toml",
                                   count);
    for (int i = 0; i < count; ++i)
        text += fmt::format("\"balls[{0}].y\", \"balls[{0}].v\", \"balls[{0}].F\", ", i);
    return text + "]\n";
}

}  // namespace

Figures islands() {
    constexpr int count = 1000, repetitions = 100;  // one ball takes too little time to be seen
    const FlatModel one = load_model_text("one.toml", balls_text(1)),
                    many = load_model_text("many.toml", balls_text(count));
    Trace single, all;
    const auto [one_time, many_time] = race(
        9,
        [&] {
            for (int i = 0; i < repetitions; ++i) single = simulate(one);
        },
        [&] { all = simulate(many); });
    expect_equal("jumps of all balls", static_cast<double>(all.jumps.size()),
                 static_cast<double>(count * single.jumps.size()), 0);
    expect_equal("height of the last ball", all.samples[3 * (count - 1)].back(), single.samples[0].back(), 0);
    const double each = one_time / repetitions;
    return {{"islands: 1000 balls / one ball", many_time / each, "ratio", 1500,
             fmt::format("{} bounces each; {:.3g} ms against {:.3g} us", single.events.size(),
                         1e3 * many_time, 1e6 * each)}};
}

}  // namespace deltaflow::bench
