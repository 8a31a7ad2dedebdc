// Islands and sweeps on many threads, without a test framework: for the thread sanitizer.
#include "deltaflow/sink.hpp"
#include "engine/simulate.hpp"
#include "engine/sweep.hpp"

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

using namespace deltaflow;

namespace {

constexpr const char* balls = R"toml(
[parameters]
e = 0.8
w = 3
[diagrams.ball]
outputs = ["y", "v"]
parameters = { bounce = 0.9 }
[diagrams.ball.blocks]
a   = "-9.81 + F"
F   = "-(1 + bounce) * pre(v) * hit"
hit = { type = "crossing", in = "y", direction = "falling" }
v   = { type = "integrator", in = "a" }
y   = { type = "integrator", in = "v", initial = 10 }
[blocks]
balls = { type = "ball", count = 8, bounce = "e - i/100" }
x = { type = "integrator", in = "u" }
u = { type = "integrator", in = "-w^2*sin(x)", initial = 1 }
z = { type = "delay", in = "sin(t)", by = 0.5 }
s = { type = "hold", in = "x", period = "1/10" }
stiff = { type = "integrator", in = "-1000*(stiff - cos(t))" }
[simulation]
stop = 5
threads = 4
)toml";

bool same(const Trace& a, const Trace& b) {
    return a.samples == b.samples && a.events.size() == b.events.size() && a.impulses == b.impulses;
}

// One model, read by several runs at a time.
bool shares_a_model(const FlatModel& model, const Trace& alone) {
    std::atomic<int> right = 0;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 3; ++i)
            threads.emplace_back([&] { right += same(alone, simulate(model)) ? 1 : 0; });
    }
    return right == 3;
}

bool sweeps(const std::string& path) {
    std::atomic<bool> interrupt = false;
    SweepControl control;
    control.jobs = 4;
    control.interrupt = &interrupt;
    int told = 0;
    control.progress = [&](double) { ++told; };
    const ModelFiles files = read_model(path);
    const Points points({{"e", {"0.5", "0.6", "0.7", "0.8", "0.9"}}, {"w", {"1", "2"}}});
    const Sweep many = sweep(files, {}, points, control);
    control.jobs = 1;
    const Sweep one = sweep(files, {}, points, control);
    if (many.rows.size() != 10 || told != 20) return false;
    for (std::size_t i = 0; i < 10; ++i)
        if (many.rows[i].finals != one.rows[i].finals) return false;
    return true;
}

}  // namespace

int main() {
    const std::string path = (std::filesystem::temp_directory_path() / "deltaflow_threads.toml").string();
    std::ofstream(path) << balls;
    const FlatModel model = load_model(path);
    RunControl control;
    control.threads = 1;
    const Trace alone = simulate(model, control);
    bool good =
        alone.errors.empty() && same(alone, simulate(model)) && shares_a_model(model, alone) && sweeps(path);
    std::remove(path.c_str());
    std::puts(good ? "threads: all the same" : "threads: results differ");
    return good ? 0 : 1;
}
