// Smooth flow: a chain of damped oscillators, each an instance of a diagram, against plain loops.
#include "bench/bench.hpp"
#include "bench/flow_by_hand.hpp"

#include <fmt/format.h>

namespace deltaflow::bench {

namespace {

constexpr int oscillators = 1000;
constexpr double step = 1.0 / 128;  // exact in binary: k * step is too
constexpr int steps = 64 * 64, rounds = 7;

double start_of(int i) { return 0.1 * (i % 7) - 0.3; }

std::string chain_text() {
    std::string text = R"toml(
[parameters]
k = 3.0
c = 0.1
m = 2.0
[diagrams.oscillator]
inputs  = ["left", "right"]
outputs = ["x"]
parameters = { k = 1.0, c = 1.0, m = 1.0, start = 0.0 }
[diagrams.oscillator.blocks]
spring = "k * (left - 2*x + right)"
damper = "-c * v"
a = "(spring + damper) / m"
v = { type = "integrator", in = "a" }
x = { type = "integrator", in = "v", initial = "start" }
[blocks]
)toml";
    for (int i = 0; i < oscillators; ++i) {
        const std::string left = i > 0 ? fmt::format("o{}.x", i - 1) : "0";
        const std::string right = i + 1 < oscillators ? fmt::format("o{}.x", i + 1) : "0";
        text += fmt::format(
            "o{} = {{ type = \"oscillator\", left = \"{}\", right = \"{}\", k = \"k\", c = \"c\", m = \"m\", "
            "start = {} }}\n",
            i, left, right, start_of(i));
    }
    text += fmt::format("[simulation]\nmethod = \"rk4\"\nstep = \"1/128\"\nrecord = [");
    for (int i = 0; i < oscillators; i += 50) text += fmt::format("\"o{}.x\", ", i);
    return text + "]\n";
}

Chain chain_at_start() {
    Chain chain{3.0, 0.1, 2.0, {}, std::vector<double>(oscillators, 0.0)};
    for (int i = 0; i < oscillators; ++i) chain.x.push_back(start_of(i));
    return chain;
}

}  // namespace

Figures flow() {
    const FlatModel model = load_model_text("chain.toml", chain_text());
    double engine = 1e300, hand = 1e300;
    for (int round = 0; round < rounds; ++round) {
        const Stepping run = time_steps(model, step, steps);
        Chain chain = chain_at_start();
        engine = std::min(engine, run.seconds_a_step);
        hand = std::min(hand, seconds([&] { advance_by_hand(chain, step, steps); }) / steps);
        for (std::size_t i = 0; i < run.trace.signals.size(); ++i)
            expect_equal(run.trace.signals[i], run.trace.samples[i].back(), chain.x[50 * i], 1e-9);
    }
    return {{"flow: time / hand-written", engine / hand, "ratio", 3,
             fmt::format("{} blocks, {:.3g} us against {:.3g} us a step", model.user_blocks, 1e6 * engine,
                         1e6 * hand)}};
}

}  // namespace deltaflow::bench
