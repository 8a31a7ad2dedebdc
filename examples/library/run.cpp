// A run from start to stop: models, events, samples, errors.
#include <deltaflow/deltaflow.hpp>

#include <cstdio>

using namespace deltaflow;

// Every event: when, why, and what each signal that takes part did.
void print_events(const Trace& trace) {
    for (const Event& event : trace.events) {
        std::printf("t = %.6f, because of %s\n", event.t, trace.causes_of(event).front().c_str());
        for (const Jump& jump : trace.jumps_of(event)) {
            std::printf("  %s: %.4f -> %.4f", trace.signals[jump.signal].c_str(), jump.left, jump.right);
            const auto impulses = trace.impulses_of(jump);
            for (std::size_t i = 0; i < impulses.size(); ++i)
                std::printf(" + %.4f delta^(%zu)", impulses[i], i);
            std::printf("\n");
        }
    }
}

// A model from a file; the same with other values, without reading it again.
void bounce(const char* path) {
    const Model ball = Model::load(path, {{"e", "0.5"}});
    Options options = ball.options();
    options.stop = 3;
    print_events(simulate(ball.recording({"v", "F"}), options));
    const Trace soft = simulate(ball.with({{"e", "0.25"}}), options);
    std::printf("%zu events with e = 0.25\n", soft.events.size());
}

constexpr const char* kick = R"(
[blocks]
f = { type = "impulse", at = "1/3", size = 2 }
v = { type = "integrator", in = "f - v" }
[simulation]
stop   = 2
record = ["v"]
)";

// A model from a text; samples at times of our own.
void decay() {
    const Model model = Model::parse(kick, "kick.toml");
    Options options = model.options();
    options.at = {0, 1, 2};
    const Trace trace = simulate(model, options);
    for (std::size_t i = 0; i < trace.t.size(); ++i)
        std::printf("%s(%g) = %.6f\n", trace.signals[0].c_str(), trace.t[i], trace.samples[0][i]);
}

// A wrong model throws, with all its mistakes; what() is what the program would print.
void misspelt() {
    try {
        Model::parse("[blocks]\nv = { type = \"integrtor\", in = \"1\" }\n", "wrong.toml");
    } catch (const Error& error) {
        std::printf("%s", error.what());
        std::printf("in line %u\n", error.mistakes().front().line);
    }
}

// What goes wrong in a run comes back with what was simulated until then.
void undefined() {
    const Trace trace =
        simulate(Model::parse("[blocks]\n"
                              "d = { type = \"impulse\", at = 1 }\n"
                              "y = \"d * heaviside(t - 1)\"\n"));
    for (const RunError& error : trace.errors)
        std::printf("%s: %zu samples before it\n", name_of(error.kind).data(), trace.t.size());
}

int main(int, char** argv) {
    bounce(argv[1]);
    decay();
    misspelt();
    undefined();
}
