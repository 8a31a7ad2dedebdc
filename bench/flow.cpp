// Smooth flow: a chain of damped oscillators, each an instance of a diagram, against plain loops.
#include "bench/bench.hpp"
#include "bench/flow_by_hand.hpp"
#include "engine/simulate.hpp"

#include <fmt/format.h>

namespace deltaflow::bench {

namespace {

constexpr int oscillators = 1000;
constexpr double step = 1.0 / 128;  // exact in binary: k * step is too
constexpr int few_steps = 512, many_steps = 4608;

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

Chain by_hand(int steps) {
    Chain chain{3.0, 0.1, 2.0, {}, std::vector<double>(oscillators, 0.0)};
    for (int i = 0; i < oscillators; ++i) chain.x.push_back(start_of(i));
    advance_by_hand(chain, step, steps);
    return chain;
}

}  // namespace

Figures flow() {
    const Model model = load_model_text("chain.toml", chain_text());
    const Model brief = until(model, few_steps * step), full = until(model, many_steps * step);
    Trace trace;
    Chain chain;
    const auto [brief_engine, full_engine, brief_hand, full_hand] = race(
        7, [&] { simulate(brief); }, [&] { trace = simulate(full); }, [] { by_hand(few_steps); },
        [&] { chain = by_hand(many_steps); });
    for (std::size_t i = 0; i < trace.signals.size(); ++i)
        expect_equal(trace.signals[i], trace.samples[i].back(), chain.x[50 * i], 1e-9);
    // The difference of two runs leaves the steps alone: no compilation, no start.
    const double steps = many_steps - few_steps;
    const double engine = (full_engine - brief_engine) / steps, hand = (full_hand - brief_hand) / steps;
    return {{"flow: time / hand-written", engine / hand, "ratio", 3,
             fmt::format("{} blocks, {:.3g} us against {:.3g} us a step", model.user_blocks, 1e6 * engine,
                         1e6 * hand)}};
}

}  // namespace deltaflow::bench
