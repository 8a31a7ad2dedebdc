// What a program can do with the library: models, runs, traces, errors, interrupts, and exact germs.
#include "engine/simulate.hpp"
#include "signal/print.hpp"
#include "signal/product.hpp"

#include <fmt/format.h>

#include <atomic>

using namespace deltaflow;

// Every event: when, why, and what each signal that takes part did.
void print_events(const Trace& trace) {
    for (const Event& event : trace.events) {
        fmt::print("t = {:.6f}, because of {}\n", event.t, trace.causes_of(event).front());
        for (const Jump& jump : trace.jumps_of(event)) {
            fmt::print("  {}: {:.4f} -> {:.4f}", trace.signals[jump.signal], jump.left, jump.right);
            const auto impulses = trace.impulses_of(jump);
            for (std::size_t i = 0; i < impulses.size(); ++i)
                fmt::print(" + {:.4f} delta^({})", impulses[i], i);
            fmt::print("\n");
        }
    }
}

// A model from a file, with another parameter and another end.
void bounce(const std::string& path) {
    const LoadOptions options{.set = {{"e", "0.5"}, {"simulation.stop", "3"}}, .record = {{"v", "F"}}};
    print_events(simulate(load_model(path, options)));
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
    FlatModel model = load_model_text("kick.toml", kick);
    model.settings.at = {0, 1, 2};
    const Trace trace = simulate(model);
    for (std::size_t i = 0; i < trace.t.size(); ++i)
        fmt::print("{}({}) = {:.6f}\n", trace.signals[0], trace.t[i], trace.samples[0][i]);
}

// A wrong model throws; its message has the place, the line and a hint.
void misspelt() {
    try {
        load_model_text("wrong.toml", "[blocks]\nv = { type = \"integrtor\", in = \"1\" }\n");
    } catch (const ModelError& error) {
        for (const Diagnostic& mistake : error.diagnostics) fmt::print("{}", render(error.sources, mistake));
    }
}

// What goes wrong in a run comes back with what was simulated until then.
void undefined() {
    const Trace trace = simulate(load_model_text("undefined.toml",
                                                 "[blocks]\n"
                                                 "d = { type = \"impulse\", at = 1 }\n"
                                                 "y = \"d * heaviside(t - 1)\"\n"));
    for (const RunError& error : trace.errors)
        fmt::print("{}: {} samples before it\n", name_of(error.kind), trace.t.size());
}

// Another thread, a signal handler or a button may set the flag; here it is the progress itself.
void interrupted(const std::string& path) {
    std::atomic<bool> stop = false;
    RunControl control;
    control.interrupt = &stop;
    control.progress = [&](double fraction) { stop = fraction > 0.25; };
    const Trace trace = simulate(load_model(path), control);
    fmt::print("ended by: {}\n", name_of(trace.end_reason));
}

// The algebra alone, in fractions: -g t times 1 + 20 delta''(t - 36/25) at t = 36/25 (003:33).
void exact_product() {
    using G = Germ<Rational>;
    const Rational g(981, 100), tau(36, 25);
    const G u = -g * G::time(tau, 3);
    const G v = G::constant(1, 3) + Rational(20) * G::delta(2, 3);
    fmt::print("{}\n", u * v);
    fmt::print("{}\n", derivative(G::step(2)));
}

int main(int, char** argv) {
    bounce(argv[1]);
    decay();
    misspelt();
    undefined();
    interrupted(argv[1]);
    exact_product();
}
