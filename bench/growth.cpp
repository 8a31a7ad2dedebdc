// Growth: what a block costs in time and memory as the model grows. Each size runs in a process of its own.
#include "bench/bench.hpp"
#include "bench/flow_by_hand.hpp"
#include "engine/compile/system.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>

namespace deltaflow::bench {

namespace {

constexpr double step = 1.0 / 128;

// A pendulum with drag between springs: blocks of several kinds.
constexpr const char* pendulum = R"toml(
damper = "-0.1 * v * (1 + v^2)"
weight = "-sin(x)"
a = "(spring + damper + weight) / 2"
)toml";
// Affine blocks alone, which run at the speed of vector instructions until memory stops them.
constexpr const char* oscillator = R"toml(
damper = "-0.1 * v"
a = "(spring + damper) / 2"
)toml";

// One chain of 2 * 10^levels links: a chain of level n is ten of level n - 1 in a row.
std::string chain_text(const char* link, int levels) {
    std::string text = R"toml(
[diagrams.link]
inputs  = ["left", "right"]
outputs = ["x"]
[diagrams.link.blocks]
spring = "3 * (left - 2*x + right)"
v = { type = "integrator", in = "a" }
x = { type = "integrator", in = "v", initial = 1 })toml";
    text += link;
    text += R"toml(
[diagrams.chain0]
inputs  = ["left", "right"]
outputs = ["first", "last"]
[diagrams.chain0.blocks]
p = { type = "link", left = "left", right = "q.x" }
q = { type = "link", left = "p.x", right = "right" }
first = "p.x"
last  = "q.x"
)toml";
    for (int level = 1; level <= levels; ++level) {
        text += fmt::format(
            "[diagrams.chain{0}]\ninputs = [\"left\", \"right\"]\noutputs = [\"first\", \"last\"]\n"
            "[diagrams.chain{0}.blocks]\nfirst = \"p0.first\"\nlast = \"p9.last\"\n",
            level);
        for (int i = 0; i < 10; ++i)
            text += fmt::format("p{} = {{ type = \"chain{}\", left = \"{}\", right = \"{}\" }}\n", i,
                                level - 1, i > 0 ? fmt::format("p{}.last", i - 1) : "left",
                                i < 9 ? fmt::format("p{}.first", i + 1) : "right");
    }
    return text +
           fmt::format("[blocks]\nall = {{ type = \"chain{}\", left = \"sin(t)\", right = \"0\" }}\n",
                       levels) +
           "[simulation]\nmethod = \"rk4\"\nstep = \"1/128\"\nrecord = [\"all.first\", \"all.last\"]\n";
}

// What a child process found out: seconds and bytes in all; a step of affine blocks alone, and by hand.
struct Cost {
    double blocks = 0, islands = 0, compile = 0, step = 0, bytes = 0;
    double affine_blocks = 0, affine_step = 0, hand = 0;
};

double peak_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

double hand_written_step(int levels, int steps) {
    const auto oscillators = static_cast<std::size_t>(2 * std::pow(10, levels));
    Chain chain{3.0, 0.1, 2.0, std::vector<double>(oscillators, 1.0), std::vector<double>(oscillators, 0.0)};
    return seconds([&] { advance_by_hand(chain, step, steps); }) / steps;
}

Cost measure(int levels) {
    const std::string text = chain_text(pendulum, levels);
    const int repeat = levels >= 5 ? 1 : levels == 4 ? 4 : 40;  // small sizes: more often, to be seen
    const int steps = 64 * 2 * repeat;
    const double before = peak_bytes();
    const FlatModel model = load_model_text("chain.toml", text);
    Cost cost{.blocks = static_cast<double>(model.user_blocks)};
    cost.step = time_steps(model, step, steps).seconds_a_step;
    cost.bytes = peak_bytes() - before;
    cost.compile = seconds([&] {
                       for (int i = 0; i < repeat; ++i)
                           cost.islands =
                               static_cast<double>(compile_model(load_model_text("chain.toml", text)).size());
                   }) /
                   repeat;
    const FlatModel affine = load_model_text("chain.toml", chain_text(oscillator, levels));
    cost.affine_blocks = static_cast<double>(affine.user_blocks);
    cost.affine_step = time_steps(affine, step, steps).seconds_a_step;
    cost.hand = hand_written_step(levels, steps);
    return cost;
}

// measure() in a child, so that each size starts with clean memory.
Cost measure_apart(int levels) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe");
    const pid_t child = fork();
    if (child == 0) {
        Cost cost;
        try {
            cost = measure(levels);
        } catch (const std::exception& error) {
            fmt::print(stderr, "growth: {}\n", error.what());
        }
        _exit(write(ends[1], &cost, sizeof cost) == sizeof cost ? 0 : 1);
    }
    Cost cost;
    close(ends[1]);
    const bool whole = read(ends[0], &cost, sizeof cost) == sizeof cost;
    close(ends[0]);
    waitpid(child, nullptr, 0);
    if (!whole || cost.blocks == 0) throw std::runtime_error("a size could not be measured");
    return cost;
}

}  // namespace

Figures growth() {
    constexpr int smallest = 2, largest = 5, middle = 3, rounds = 5;
    std::array<Cost, largest + 1> costs;
    for (int round = 0; round < rounds; ++round)
        for (int levels = smallest; levels <= largest; ++levels) {
            const Cost now = measure_apart(levels);
            Cost& best = costs[levels];
            if (round == 0) best = now;
            best.compile = std::min(best.compile, now.compile);
            best.step = std::min(best.step, now.step);
            best.affine_step = std::min(best.affine_step, now.affine_step);
            best.hand = std::min(best.hand, now.hand);
        }
    std::string compile, steps, bytes;
    for (int levels = smallest; levels <= largest; ++levels) {
        const Cost& c = costs[levels];
        expect_equal("number of islands", c.islands, 1, 0);
        const std::string size = fmt::format("{:.0e}: ", c.blocks);
        compile += fmt::format("{}{:.3g} us  ", size, 1e6 * c.compile / c.blocks);
        steps += fmt::format("{}{:.3g} ns  ", size, 1e9 * c.step / c.blocks);
        bytes += fmt::format("{}{:.0f}  ", size, c.bytes / c.blocks);
    }
    const Cost &a = costs[middle], &b = costs[largest];
    const auto grown = [&](double Cost::*what) { return b.*what / b.blocks / (a.*what / a.blocks); };
    steps +=
        fmt::format("(affine blocks alone: {:.3g}; by hand: {:.3g})",
                    b.affine_step / b.affine_blocks / (a.affine_step / a.affine_blocks), grown(&Cost::hand));
    return {{"growth: load and compile, 10^6 / 10^4", grown(&Cost::compile), "ratio", 2, compile},
            {"growth: step, 10^6 / 10^4", grown(&Cost::step), "ratio", 2, steps},
            {"growth: memory a block at 10^6", b.bytes / b.blocks, "byte", 1000, bytes}};
}

}  // namespace deltaflow::bench
