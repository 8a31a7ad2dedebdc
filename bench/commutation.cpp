// Ideal elements: what a commutation costs in a network of n diodes, and a long run of a converter.
#include "bench/bench.hpp"
#include "deltaflow/sink.hpp"
#include "report/write/csv.hpp"

#include <fmt/format.h>

namespace deltaflow::bench {

namespace {

constexpr double turn = 6.283185307179586;

// n phases and n diodes on one resistor: always the highest phase conducts. One diode alone switches twice a
// turn.
FlatModel rectifier(int n, int commutations) {
    std::string text = "[circuit]\n";
    for (int i = 0; i < n; ++i)
        text += fmt::format(
            "u{0} = {{ type = \"voltage\", between = \"a{0} ground\", value = \"sin(t - {1})\" }}\n"
            "d{0} = {{ type = \"diode\", between = \"a{0} p\" }}\n",
            i, turn * i / n);
    text +=
        "r = { type = \"resistor\", between = \"p ground\", value = 1 }\n"
        "[simulation]\nrecord = [\"p.voltage\"]\n";
    return until(load_model_text("rectifier.toml", text), (commutations + 0.5) * turn / std::max(n, 2));
}

double seconds_a_commutation(int n) {
    const int commutations = 6 * std::max(n, 20);  // each pair of modes comes several times
    const FlatModel model = rectifier(n, commutations);
    double best = 1e300;
    for (int round = 0; round < 3; ++round)
        best = std::min(best, seconds([&] {
                            const auto events = simulate(model).events.size();
                            expect_equal("commutations", static_cast<double>(events), commutations, 0.05);
                        }));
    return best / commutations;
}

void convert(double switchings) {
    const FlatModel model = until(load_model_text("buck.toml", fmt::format(R"toml(
[blocks]
gate = {{ type = "pulse", at = 0, width = 4e-5, size = 1, period = 1e-4 }}
[circuit]
u = {{ type = "voltage", between = "a ground", value = 24 }}
k = {{ type = "switch", between = "a x", closed = "gate" }}
d = {{ type = "diode", between = "ground x" }}
l = {{ type = "inductor", between = "x o", value = 1e-3 }}
c = {{ type = "capacitor", between = "o ground", value = 1e-4 }}
r = {{ type = "resistor", between = "o ground", value = 5 }}
[simulation]
record = ["o.voltage"]
)toml")),
                                  switchings * 0.5e-4);
    report::Output nowhere([](std::string_view) {});
    report::CsvSink csv(nowhere);
    run(model, csv);
}

Figures converter() {
    // First of all: what this process has used is counted with its children.
    const double small = peak_megabytes(convert, 1e4), large_one = peak_megabytes(convert, 1e5);
    double few = 1e300, many = 1e300;
    for (int round = 0; round < 3; ++round) {
        few = std::min(few, seconds([] { convert(1e4); }));
        many = std::min(many, seconds([] { convert(1e5); }));
    }
    return {{"commutation: converter, a switching of 100,000 / of 10,000", many / few / 10, "ratio", 1.2,
             fmt::format("{:.3g} us against {:.3g} us", 10 * many, 100 * few)},
            {"commutation: converter, memory of 100,000 / of 10,000", large_one / small, "ratio", 1.1,
             fmt::format("{:.3g} MB against {:.3g} MB", large_one, small)}};
}

}  // namespace

Figures commutation() {
    Figures figures = converter();
    const double one = seconds_a_commutation(1);
    for (const int n : {10, 30, 100}) {
        const double many = seconds_a_commutation(n);
        figures.push_back({fmt::format("commutation: {} diodes / one", n), many / one, "ratio", 3.0 * n,
                           fmt::format("{:.3g} us against {:.3g} us", 1e6 * many, 1e6 * one)});
    }
    return figures;
}

}  // namespace deltaflow::bench
