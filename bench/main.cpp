// Runs the benchmarks; prints a table and writes JSON.
#include "bench/bench.hpp"

#include <fmt/format.h>

#include <cstring>
#include <exception>
#include <fstream>
#include <optional>

namespace {

using namespace deltaflow::bench;

const std::vector<Benchmark> benchmarks{
    {"flow", "a chain of 1000 damped oscillators, rk4, against hand-written C++", flow},
    {"confirmed", "smooth nonlinear flow, taylor, with steps confirmed and without", confirmed},
    {"auto", "what is not stiff: auto against taylor, the same to the last bit", automatic},
    {"flight", "100,000 elastic bounces, taylor, against a hand-written event loop and CVODE", flight},
    {"growth", "one coupled chain of 10^3 to 10^6 blocks: time and memory a block", growth},
    {"linear", "tables, names, files, automata, ... of 10^3 to 10^5: time a piece", linear},
    {"islands", "1000 independent balls against one", islands},
    {"bonds", "a change of mode, an RC ladder of 10,000 stages, a cradle of 100 balls", bond_graphs},
    {"commutation", "networks of 1 to 100 ideal diodes, and a converter of 100,000 switchings", commutation},
    {"impulses", "symbolic against numeric impulses at the same step, 10 to 100,000 blocks", impulses},
    {"certify", "proof on request: a pendulum and Lorenz's equations, against plain runs", certify},
    {"sweep", "1000 runs of a small model, its files read once, against loading it each time", sweeps},
    {"studies", "a long sweep: threads, rows, and the queue of 10,000 ranks, simulated", studies},
    {"ensemble", "many parameter sets together, van der Pol, pendulum and ball, against single runs",
     ensembles},
    {"stiff", "an RC ladder of 10,000 stages, cvode and rosenbrock4, against CVODE with KLU by hand", stiff},
    {"large", "a wave, a grid with diodes, a beam that hits a stop, by auto", large_models},
    {"samples", "10^7 samples (--large: 10^8) written as CSV and drawn: peak memory", samples},
};

struct Options {
    std::optional<std::string> only, json;
    bool help = false;
};

int usage(std::FILE* to) {
    fmt::print(to, "deltaflow_bench [--only NAME] [--json FILE] [--large]\n");
    for (const Benchmark& b : benchmarks) fmt::print(to, "  {:9} {}\n", b.name, b.about);
    return to == stdout ? 0 : 2;
}

std::optional<Options> parse(int count, char** arguments) {
    Options options;
    for (int i = 1; i < count; ++i) {
        const std::string argument = arguments[i];
        if (argument == "--help") {
            options.help = true;
        } else if (argument == "--large") {
            large = true;
        } else if (argument == "--only" && i + 1 < count) {
            options.only = arguments[++i];
        } else if (argument == "--json" && i + 1 < count) {
            options.json = arguments[++i];
        } else {
            return std::nullopt;
        }
    }
    const auto is_only = [&](const Benchmark& b) { return b.name == options.only; };
    if (options.only && std::none_of(benchmarks.begin(), benchmarks.end(), is_only)) return std::nullopt;
    return options;
}

void print(const Figure& f) {
    fmt::print("{:42} {:>10.4g} {:6} {:>8g} {:5} {}\n", f.name, f.value, f.unit, f.target,
               f.value <= f.target ? "ok" : "MISS", f.detail);
    std::fflush(stdout);
}

std::string to_json(const Figures& figures) {
    std::string text;
    for (const Figure& f : figures)
        text +=
            fmt::format("{}\n  {{\"name\": \"{}\", \"value\": {:.6g}, \"unit\": \"{}\", \"target\": {:g}}}",
                        text.empty() ? "[" : ",", f.name, f.value, f.unit, f.target);
    return text.empty() ? "[]\n" : text + "\n]\n";
}

bool write(const std::string& path, const std::string& text) {
    std::ofstream file(path);
    file << text;
    file.close();
    if (!file) fmt::print(stderr, "cannot write {}\n", path);
    return file.good();
}

}  // namespace

int main(int count, char** arguments) {
    const auto options = parse(count, arguments);
    if (!options || options->help) return usage(options ? stdout : stderr);
    fmt::print("{:42} {:>10} {:6} {:>8} {:5} {}\n", "name", "value", "unit", "target", "ok", "made of");
    Figures all;
    bool right = true;
    for (const Benchmark& benchmark : benchmarks) {
        if (options->only && benchmark.name != *options->only) continue;
        try {
            for (Figure& figure : benchmark.run()) {
                print(figure);
                all.push_back(std::move(figure));
            }
        } catch (const std::exception& error) {
            fmt::print(stderr, "{}: {}\n", benchmark.name, error.what());
            right = false;
        }
    }
    if (options->json && !write(*options->json, to_json(all))) return 6;
    return right ? 0 : 1;
}
