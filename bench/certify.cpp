// Proof on request: a run with certify against the same run without.
#include "bench/bench.hpp"

#include <fmt/format.h>

namespace deltaflow::bench {

namespace {

constexpr const char* pendulum = R"toml(
[blocks]
a = { type = "integrator", in = "w", initial = 2 }
w = { type = "integrator", in = "-9.81*sin(a)" }
)toml";

constexpr const char* lorenz = R"toml(
[blocks]
x = { type = "integrator", in = "10*(y - x)", initial = 1 }
y = { type = "integrator", in = "x*(28 - z) - y", initial = 1 }
z = { type = "integrator", in = "x*y - 8*z/3", initial = 1 }
)toml";

Figure cost_of_proof(const std::string& name, const char* text, double stop, double target) {
    FlatModel plain = until(load_model_text(name + ".toml", text), stop), proved = plain;
    proved.settings.certify = true;
    Trace a, b;
    const auto [without, with] = race(
        7, [&] { a = simulate(plain); }, [&] { b = simulate(proved); });
    if (!b.errors.empty()) throw WrongResult(b.errors.front().text);
    return {fmt::format("certify: {}, proved / plain", name), with / without, "ratio", target,
            fmt::format("{} steps against {}, {} series of intervals", b.statistics.steps, a.statistics.steps,
                        b.proved->series)};
}

}  // namespace

Figures certify() {
    return {cost_of_proof("pendulum", pendulum, 200, 20), cost_of_proof("Lorenz", lorenz, 20, 20)};
}

}  // namespace deltaflow::bench
