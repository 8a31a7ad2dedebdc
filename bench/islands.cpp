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

// By the clock, in turns: on one thread and on two.
std::pair<double, double> beside(const FlatModel& model) {
    double best[] = {1e300, 1e300};
    for (int round = 0; round < 9; ++round)
        for (const unsigned threads : {1u, 2u}) {
            RunControl control;
            control.threads = threads;
            const double begin = clock_seconds();
            simulate(model, control);
            best[threads - 1] = std::min(best[threads - 1], clock_seconds() - begin);
        }
    return {best[0], best[1]};
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
    const auto [alone, together] = beside(many);
    return {{"islands: 1000 balls, two threads / one", together / alone, "ratio", 0.6,
             fmt::format("{:.3g} ms against {:.3g} ms on the clock", 1e3 * together, 1e3 * alone)},
            {"islands: 1000 balls / one ball", many_time / each, "ratio", 1100,
             fmt::format("{} bounces each; {:.3g} ms against {:.3g} us", single.events.size(),
                         1e3 * many_time, 1e6 * each)}};
}

}  // namespace deltaflow::bench
