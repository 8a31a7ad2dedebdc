// A state that is saved: two futures from one past, and one that is as if nothing had been.
#include <deltaflow/deltaflow.hpp>

#include <cstdio>

using namespace deltaflow;

constexpr const char* pendulum = R"toml(
[blocks]
push  = { type = "input" }
omega = { type = "integrator", in = "push - sin(angle)" }
angle = { type = "integrator", in = "omega", initial = 1 }
[simulation]
stop = 10
)toml";

int main() {
    const Model model = Model::parse(pendulum, "pendulum.toml");
    Simulation first(model);
    first.advance_to(4);
    const std::vector<std::byte> state = first.save();
    first.advance_to(10);

    Simulation second(model);
    second.restore(state);
    second.advance_to(10);
    std::printf("left alone: %.6f, bit for bit the same: %s\n", second.value("angle"),
                second.value("angle") == first.value("angle") ? "yes" : "no");

    second.restore(state);
    second.strike("push", {1});
    second.advance_to(10);
    std::printf("struck:     %.6f\n", second.value("angle"));

    try {
        Simulation(model.with({{"simulation.stop", "20"}})).restore(state);
    } catch (const Error& error) {
        std::printf("%s: %s", name_of(error.kind()).data(), error.what());
    }
}
