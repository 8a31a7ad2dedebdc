// Long studies: two threads against one, rows against fewer rows, and the queue of many ranks, simulated.
#include "bench/bench.hpp"
#include "engine/study/portion.hpp"
#include "engine/sweep.hpp"
#include "report/write/study_rows.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <queue>
#include <random>

namespace deltaflow::bench {

namespace {

constexpr const char* text = R"toml(
name = "Swinging"
[parameters]
w = 1.0
[blocks]
v = { type = "integrator", in = "-w*sin(x)" }
x = { type = "integrator", in = "v", initial = 1 }
[simulation]
stop = 20
)toml";

struct Model {
    Model() { std::ofstream(path) << text; }
    Model(const Model&) = delete;
    Model& operator=(const Model&) = delete;
    ~Model() { std::filesystem::remove(path); }
    std::string path = (std::filesystem::temp_directory_path() / "deltaflow_bench_study.toml").string();
};

using Clock = std::chrono::steady_clock;
double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

Points random_points(std::size_t runs) {
    return Points({{"w", {}, SweepAxis::Draw{SweepAxis::Draw::Kind::uniform, 1, 2}}},
                  {Sampling::chance, runs, 1});
}

// Runs all points and puts their rows into words; the last of them.
std::string study(const ModelFiles& files, std::size_t runs, unsigned jobs, const LoadOptions& load) {
    SweepControl control;
    control.jobs = jobs;
    const Points points = random_points(runs);
    const Sweeper sweeper(files, load, points, control);
    const auto rows = report::csv_rows({"w"}, {});
    ToDo to_do(points.size());
    std::string last;
    run_points(sweeper, to_do, [&](std::size_t index, const SweptRun& run) {
        rows->make_room(run);
        const std::string line = rows->line(index, run);
        if (index + 1 == runs) last = line;
    });
    return last;
}

Figure two_threads(const ModelFiles& files) {
    double one = HUGE_VAL, two = HUGE_VAL;
    for (int i = 0; i < 5; ++i) {
        auto begin = Clock::now();
        const std::string first = study(files, 2000, 1, {});
        one = std::min(one, since(begin));
        begin = Clock::now();
        if (study(files, 2000, 2, {}) != first) throw WrongResult("a row differs with two threads");
        two = std::min(two, since(begin));
    }
    return {"studies: a sweep on two threads / one", two / one, "ratio", 0.55,
            fmt::format("{:.3g} s against {:.3g} s by the clock", two, one)};
}

Figure growth_of_rows(const ModelFiles& files) {
    LoadOptions brief;
    brief.set = {{"simulation.stop", "0.01"}};
    const auto cost = [&](std::size_t runs) {
        return seconds([&] { study(files, runs, 1, brief); }) / static_cast<double>(runs);
    };
    const double few = std::min({cost(10000), cost(10000), cost(10000)}), many = cost(100000);
    return {"studies: a row of 10^5 / of 10^4", many / few, "ratio", 1.5,
            fmt::format("{:.3g} us against {:.3g} us", 1e6 * many, 1e6 * few)};
}

// Rank 0 serves one request after the other, as app/study/ranks.cpp does; runs take 10 s, some twice as long.
// How much longer all of it takes than the work itself, shared out evenly.
Figure queue(std::size_t ranks, std::size_t runs, double service) {
    struct Rank {
        double ready;
        double seconds;  // of a run, of late
        bool operator<(const Rank& other) const { return ready > other.ready; }
    };
    std::mt19937_64 chance(1);
    std::lognormal_distribution<double> duration(std::log(10.0), 0.3);
    std::priority_queue<Rank> waiting;
    for (std::size_t r = 0; r < ranks; ++r) waiting.push({0, 0});
    double office = 0, work = 0, last = 0;
    for (std::size_t left = runs; left > 0;) {
        const Rank rank = waiting.top();
        waiting.pop();
        office = std::max(office, rank.ready) + service;
        const std::size_t count = std::min(left, portion(rank.seconds, left, ranks));
        double busy = 0;
        for (std::size_t i = 0; i < count; ++i) busy += duration(chance);
        left -= count;
        work += busy;
        last = std::max(last, office + busy);
        waiting.push({office + busy, busy / static_cast<double>(count)});
    }
    return {fmt::format("studies: queue of {} ranks, {} runs: time / work shared evenly", ranks, runs),
            last / (work / static_cast<double>(ranks)), "ratio", 1.1,
            fmt::format("simulated; {:.2g} us a request", 1e6 * service)};
}

}  // namespace

Figures studies() {
    const Model model;
    const ModelFiles files = read_model(model.path);
    constexpr double request =
        50e-6;  // measured on one machine: a message each way, a row put into words and written
    return {two_threads(files), growth_of_rows(files), queue(100, 10000, request),
            queue(10000, 1000000, request)};
}

}  // namespace deltaflow::bench
