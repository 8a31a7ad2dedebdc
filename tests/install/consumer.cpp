// Simulates a model through the installed library.
#include "engine/simulate.hpp"

#include <fmt/format.h>

#include <cmath>

constexpr const char* model = R"(
[blocks]
kick = { type = "impulse", at = 1, size = 2 }
x    = { type = "integrator", in = "kick" }
[simulation]
stop = 2
)";

int main() {
    const deltaflow::Trace trace = deltaflow::simulate(deltaflow::load_model_text("kick.toml", model));
    const double last = trace.samples.at(1).back();
    fmt::print("{} = {} after {} event(s)\n", trace.signals.at(1), last, trace.events.size());
    return trace.errors.empty() && std::abs(last - 2) < 1e-12 ? 0 : 1;
}
