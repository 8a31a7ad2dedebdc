// Symbolic against numeric impulses at the same fixed step, on smooth and impulsive diagrams of many sizes;
// and what a given accuracy costs both ways.
#include "bench/bench.hpp"

#include <fmt/format.h>

#include <cmath>

namespace deltaflow::bench {

namespace {

// A chain of masses between springs and dampers, 5 blocks each.
constexpr const char* chain = R"toml(
[diagrams.link]
inputs  = ["left", "right"]
outputs = ["x"]
[diagrams.link.blocks]
spring = "3 * (left - 2*x + right)"
damper = "-0.1 * v"
a = "(spring + damper) / 2"
v = { type = "integrator", in = "a" }
x = { type = "integrator", in = "v", initial = 1 }
[blocks]
)toml";

std::string smooth(int blocks) {
    const int links = std::max(2, blocks / 5);
    std::string text = chain;
    for (int i = 0; i < links; ++i)
        text += fmt::format("o{} = {{ type = \"link\", left = \"{}\", right = \"{}\" }}\n", i,
                            i > 0 ? fmt::format("o{}.x", i - 1) : "0",
                            i + 1 < links ? fmt::format("o{}.x", i + 1) : "0");
    return text + "[simulation]\nrecord = [\"o0.x\"]\n";
}

// The same chain with a train of kicks at every hundredth link, and one at the first.
std::string impulsive(int blocks) {
    const int links = std::max(2, blocks / 5);
    std::string text = chain;
    text += "kick = { type = \"impulse\", at = \"1/4\", size = 0.1, period = \"1/4\" }\n";
    for (int i = 0; i < links; ++i) {
        const std::string left = i > 0 ? fmt::format("o{}.x", i - 1) : "0";
        text += fmt::format("o{} = {{ type = \"link\", left = \"{}\", right = \"{}\" }}\n", i,
                            i % 100 == 0 ? left + " + kick" : left,
                            i + 1 < links ? fmt::format("o{}.x", i + 1) : "0");
    }
    return text + "[simulation]\nrecord = [\"o0.x\"]\n";
}

// The left sum is explicit; with the right sum the chain is one large algebraic loop.
FlatModel with(const std::string& text, const std::string& sum, bool numeric, int steps) {
    FlatModel model = load_model_text("chain.toml", text);
    model.settings.step = Rational(Integer(1), Integer(128));
    model.settings.riemann = *find_choice<Riemann>(sum);
    model.settings.method = Method::euler;
    model.settings.impulses = numeric ? ImpulseKind::numeric : ImpulseKind::symbolic;
    model.settings.stop = steps / 128.0;
    model.settings.at = {model.settings.stop};
    return model;
}

Figure same_step(const std::string& kind, const std::string& sum, const std::string& text, int blocks) {
    const int work = sum == "left" ? 20'000'000 : 2'000'000;
    const int steps = std::max(sum == "left" ? 256 : 64, work / blocks / 64 * 64);
    const FlatModel symbolic = with(text, sum, false, steps), numeric = with(text, sum, true, steps);
    double by_symbols = 1e300, by_numbers = 1e300, x = 0, y = 0;
    for (int round = 0; round < 5; ++round) {
        const Stepping s = time_steps(symbolic, 1.0 / 128, steps), n = time_steps(numeric, 1.0 / 128, steps);
        by_symbols = std::min(by_symbols, s.seconds_a_step);
        by_numbers = std::min(by_numbers, n.seconds_a_step);
        x = s.trace.samples[0].back();
        y = n.trace.samples[0].back();
    }
    expect_equal(kind, y, x, kind == "smooth" ? 1e-9 : 0.1);
    return {fmt::format("impulses: {}, {} sum, {} blocks", kind, sum, blocks), by_symbols / by_numbers,
            "ratio", 1.1,
            fmt::format("{:.3g} us against {:.3g} us a step", 1e6 * by_symbols, 1e6 * by_numbers)};
}

// A lag hit by a train of delta', x' = -2 x + sum delta'(t - k/2): what an error of a millionth costs.
constexpr const char* lag = R"toml(
[blocks]
u = { type = "impulse", at = "1/2", order = 1, period = "1/2" }
x = { type = "integrator", in = "u - 2*x" }
[simulation]
stop = 8.25
record = ["x"]
)toml";

double exact_lag() {
    double sum = 0;
    for (int k = 1; k <= 16; ++k) sum -= 2 * std::exp(-2 * (8.25 - k / 2.0));
    return sum;
}

Figure same_accuracy() {
    constexpr double wanted = 1e-4;
    FlatModel symbolic = load_model_text("lag.toml", lag);
    symbolic.settings.at = {symbolic.settings.stop};
    FlatModel numeric = symbolic;
    numeric.settings.impulses = ImpulseKind::numeric;
    double error = 1, h = 1;
    for (std::int64_t n = 8; error > wanted && n < (1 << 24); n *= 2) {
        numeric.settings.step = Rational(Integer(1), Integer(n));
        h = 1.0 / static_cast<double>(n);
        error = std::abs(simulate(numeric).samples[0].back() - exact_lag());
    }
    expect_equal("lag, symbolic", simulate(symbolic).samples[0].back(), exact_lag(), 1e-12);
    const auto [a, b] = race(
        5, [&] { simulate(symbolic); }, [&] { simulate(numeric); });
    return {"impulses: an error of 1e-4, symbolic / numeric", a / b, "ratio", 1.0,
            fmt::format("{:.3g} ms (error below 1e-12) against {:.3g} ms (h = {:.3g}, error {:.2g})", 1e3 * a,
                        1e3 * b, h, error)};
}

}  // namespace

Figures impulses() {
    Figures figures;
    for (const std::string sum : {"left", "right"})
        for (const int blocks : {10, 100, 1000, 10000, 100000}) {
            figures.push_back(same_step("smooth", sum, smooth(blocks), blocks));
            figures.push_back(same_step("impulsive", sum, impulsive(blocks), blocks));
        }
    figures.push_back(same_accuracy());
    return figures;
}

}  // namespace deltaflow::bench
