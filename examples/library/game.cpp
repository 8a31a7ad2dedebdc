// A loop as a game has it: frames, a look at each, and a player who hits the puck.
#include <deltaflow/deltaflow.hpp>

#include <cstdio>

using namespace deltaflow;

constexpr const char* rink = R"(
[parameters]
drag = 0.5
[blocks]
hit  = { type = "input" }                                         # what the player does
wall = { type = "crossing", in = "x - 2", direction = "rising" }
v    = { type = "integrator", in = "hit - drag*v - 2*pre(v)*wall" }
x    = { type = "integrator", in = "v" }
[simulation]
stop = 1000
)";

// Events are told as they happen.
class Sounds final : public Sink {
    void take(const Trace& part) override {
        for (const Event& event : part.events)
            std::printf("%7.4f  %s\n", event.t, part.causes_of(event).front() == "wall" ? "clack" : "smack");
    }
};

int main() {
    Simulation game(Model::parse(rink, "rink.toml"));
    Sounds sounds;
    game.observe(sounds);
    for (int frame = 0; frame <= 300; ++frame) {
        game.advance_to(frame / 60.0);
        if (frame == 30) game.strike("hit", {3});  // an impulse: 3 m/s at once
        if (frame == 30) {
            const Limits v = game.germ("v");
            std::printf("%7.4f  v jumps from %g to %g\n", game.time(), v.left, v.right);
        }
        if (frame % 60 == 0) std::printf("%7.4f  x = %.6f\n", game.time(), game.value("x"));
    }
}
