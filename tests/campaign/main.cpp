// `./dev campaign`: many random models on all cores; what differs is printed, cut down and kept.
#include "tests/campaign/generate.hpp"
#include "tests/campaign/minimise.hpp"
#include "tests/campaign/trial.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <thread>

using namespace deltaflow::campaign;

namespace {

struct Tally {
    std::map<std::string, std::array<std::uint64_t, verdicts>> variants;
    std::map<int, std::uint64_t> codes;
    std::map<std::string, double> seconds;
    std::uint64_t models = 0, comparisons = 0, differences = 0;

    void add(const Trial& trial) {
        ++models;
        ++codes[trial.code];
        for (const Finding& finding : trial.findings) {
            ++comparisons;
            seconds[finding.variant] += finding.seconds;
            ++variants[finding.variant][static_cast<std::size_t>(finding.verdict)];
        }
        if (trial.difference()) ++differences;
    }
    void print(double all) const {
        fmt::print("{} models, {} comparisons, {} models that differ, {:.1f} ms a model\n", models,
                   comparisons, differences, 1e3 * all / static_cast<double>(models));
        fmt::print("exit codes:");
        for (const auto& [code, count] : codes) fmt::print(" {}: {}", code, count);
        fmt::print("\n{:12}", "");
        for (std::size_t v = 0; v < verdicts; ++v) fmt::print("{:>11}", name_of(static_cast<Verdict>(v)));
        fmt::print("\n");
        for (const auto& [variant, counts] : variants) {
            fmt::print("{:12}", variant);
            for (const std::uint64_t n : counts) fmt::print("{:>11}", n);
            fmt::print("{:>11.1f} s", seconds.at(variant));
            fmt::print("\n");
        }
    }
};

}  // namespace

int main(int argc, char** argv) {
    const std::uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000;
    const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
    if (argc > 3) {
        const Trial trial = examine_seed(first);
        for (const Finding& f : trial.findings)
            fmt::print("# {} {} {}\n", f.variant, name_of(f.verdict), f.what);
        fmt::print("{}", trial.draft.text());
        if (const Finding* f = trial.difference())
            if (f->variant != "rewritten") fmt::print("# cut down\n{}", minimised(trial, *f).text());
        return 0;
    }
    std::atomic<std::uint64_t> next{first};
    std::mutex printing;
    Tally tally;
    const auto begin = std::clock();
    const auto work = [&] {
        for (std::uint64_t seed = next++; seed < first + count; seed = next++) {
            const Trial trial = examine_seed(seed);
            const std::scoped_lock lock(printing);
            tally.add(trial);
            for (const Finding& f : trial.findings)
                if (f.verdict == Verdict::differs) fmt::print("seed {} {}: {}\n", seed, f.variant, f.what);
            for (const Finding& f : trial.findings)
                if (f.seconds > 1) fmt::print("seed {} {}: {:.1f} s\n", seed, f.variant, f.seconds);
            if (trial.difference()) std::fflush(stdout);
        }
    };
    std::vector<std::thread> workers;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
        workers.emplace_back(work);
    for (std::thread& worker : workers) worker.join();
    tally.print(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    return tally.differences == 0 ? 0 : 1;
}
