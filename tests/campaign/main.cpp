// `./dev campaign`: many random models on all cores; what differs is cut down, printed and kept.
#include "tests/campaign/generate.hpp"
#include "tests/campaign/minimise.hpp"
#include "tests/campaign/trial.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <thread>

using namespace deltaflow::campaign;

namespace {

// A model that takes longer than this, in seconds of its own thread, is interrupted and told; budgets of work
// should not let it come to that.
constexpr double longest = 120;

double seconds_of(clockid_t clock) {
    timespec t{};
    clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Options {
    std::uint64_t count = 1000, first = 0;
    std::string keep;  // a folder for models that differ
    std::string tell;  // a verdict that is told beside "differs"
    std::string only;  // one variant alone
    unsigned threads = std::max(1u, std::thread::hardware_concurrency());
    bool show = false;  // only print what there is to the first seed
};

Options read(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const bool more = i + 1 < argc;
        if (word == "--first" && more)
            options.first = std::strtoull(argv[++i], nullptr, 10);
        else if (word == "--keep" && more)
            options.keep = argv[++i];
        else if (word == "--tell" && more)
            options.tell = argv[++i];
        else if (word == "--only" && more)
            options.only = argv[++i];
        else if (word == "--threads" && more)
            options.threads = std::max(1u, static_cast<unsigned>(std::strtoul(argv[++i], nullptr, 10)));
        else if (word == "--show")
            options.show = true;
        else
            options.count = std::strtoull(word.c_str(), nullptr, 10);
    }
    return options;
}

struct Tally {
    std::map<std::string, std::array<std::uint64_t, verdicts>> variants;
    std::map<std::string, double> seconds;
    std::map<int, std::uint64_t> codes;
    std::uint64_t models = 0, comparisons = 0, differences = 0, interrupted = 0;

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
        fmt::print("{} models, {} comparisons, {} models that differ, {} interrupted, {:.1f} ms a model\n",
                   models, comparisons, differences, interrupted, 1e3 * all / static_cast<double>(models));
        fmt::print("exit codes:");
        for (const auto& [code, count] : codes) fmt::print(" {}: {}", code, count);
        fmt::print("\n{:12}", "");
        for (std::size_t v = 0; v < verdicts; ++v) fmt::print("{:>11}", name_of(static_cast<Verdict>(v)));
        fmt::print("\n");
        for (const auto& [variant, counts] : variants) {
            fmt::print("{:12}", variant);
            for (const std::uint64_t n : counts) fmt::print("{:>11}", n);
            fmt::print("{:>11.1f} s\n", seconds.at(variant));
        }
    }
};

// What a worker does at present.
struct Worker {
    std::atomic<std::atomic<bool>*> flag{nullptr};
    std::atomic<std::uint64_t> seed{0};
    std::atomic<clockid_t> clock{CLOCK_MONOTONIC};
    std::atomic<double> since{0};
};

class Campaign {
public:
    explicit Campaign(const Options& options) : options_(options), next_(options.first) {}

    bool run() {
        const std::clock_t begin = std::clock();
        std::vector<std::thread> threads;
        for (unsigned i = 0; i < options_.threads; ++i) workers_.emplace_back();
        for (Worker& worker : workers_) threads.emplace_back([&] { work(worker); });
        std::thread watch([&] { watch_over(); });
        for (std::thread& thread : threads) thread.join();
        done_ = true;
        watch.join();
        tally_.print(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
        return tally_.differences == 0;
    }

private:
    void work(Worker& worker) {
        clockid_t clock{};
        if (pthread_getcpuclockid(pthread_self(), &clock) == 0) worker.clock = clock;
        for (std::uint64_t seed = next_++; seed < options_.first + options_.count; seed = next_++) {
            worker.seed = seed;
            Trial trial;
            watched(worker, [&] { trial = examine_seed(seed, options_.only); });
            {
                const std::scoped_lock lock(printing_);
                tally_.add(trial);
                tell(trial);
            }
            if (!options_.keep.empty()) watched(worker, [&] { keep(trial); });
        }
    }

    // Others go on meanwhile; what takes too long is interrupted.
    template <class Body>
    static void watched(Worker& worker, Body body) {
        worker.since = seconds_of(CLOCK_THREAD_CPUTIME_ID);
        interrupt_flag() = false;
        worker.flag = &interrupt_flag();
        body();
        worker.flag = nullptr;
        interrupt_flag() = false;
    }

    void watch_over() {
        while (!done_) {
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
            for (Worker& worker : workers_) {
                std::atomic<bool>* const flag = worker.flag;
                if (!flag || *flag || seconds_of(worker.clock) - worker.since < longest) continue;
                *flag = true;
                const std::scoped_lock lock(printing_);
                ++tally_.interrupted;
                fmt::print("seed {}: interrupted\n", worker.seed.load());
                std::fflush(stdout);
            }
        }
    }

    void tell(const Trial& trial) const {
        for (const Finding& f : trial.findings) {
            if (f.verdict != Verdict::differs && name_of(f.verdict) == options_.tell)
                fmt::print("seed {} {} {}: {}\n", trial.seed, f.variant, options_.tell, f.what);
            if (f.verdict != Verdict::differs) continue;
            fmt::print("seed {} {}: {}\n", trial.seed, f.variant, f.what);
            std::fflush(stdout);
        }
    }

    void keep(const Trial& trial) {
        for (const Finding& f : trial.findings) {
            if (f.verdict != Verdict::differs || f.variant == "rewritten") continue;
            std::filesystem::create_directories(options_.keep);
            const std::string path = fmt::format("{}/seed_{}_{}.toml", options_.keep, trial.seed, f.variant);
            std::ofstream(path) << fmt::format("# {} agrees with taylor on the model as it is.\n", f.variant)
                                << minimised(trial, f).text();
            const std::scoped_lock lock(printing_);
            fmt::print("kept {}\n", path);
        }
    }

    const Options& options_;
    std::atomic<std::uint64_t> next_;
    std::atomic<bool> done_{false};
    std::deque<Worker> workers_;
    std::mutex printing_;
    Tally tally_;
};

void show(std::uint64_t seed, const std::string& only) {
    const Trial trial = examine_seed(seed, only);
    for (const Finding& f : trial.findings) fmt::print("# {} {} {}\n", f.variant, name_of(f.verdict), f.what);
    fmt::print("{}", trial.draft.text());
    const Finding* const f = trial.difference();
    if (f && f->variant != "rewritten") fmt::print("# cut down\n{}", minimised(trial, *f).text());
    if (f && f->variant == "rewritten") fmt::print("# written otherwise\n{}", generate(seed, 1).text());
}

}  // namespace

int main(int argc, char** argv) {
    const Options options = read(argc, argv);
    if (options.show) {
        show(options.first, options.only);
        return 0;
    }
    return Campaign(options).run() ? 0 : 1;
}
