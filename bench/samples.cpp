// Many samples: how much room a run takes while it writes or draws them.
#include "bench/bench.hpp"
#include "deltaflow/sink.hpp"
#include "report/plot/svg.hpp"
#include "report/write/csv.hpp"

#include <fmt/format.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace deltaflow::bench {

namespace {

constexpr const char* oscillator = R"toml(
[blocks]
v = { type = "integrator", in = "-x", initial = 1 }
x = { type = "integrator", in = "v" }
[simulation]
stop = 1000
)toml";

FlatModel sampled(double samples) {
    FlatModel model = load_model_text("oscillator.toml", oscillator);
    model.settings.every = exact(1000 / samples);
    return model;
}

void write_all(double samples) {
    report::Output nowhere([](std::string_view) {});
    report::CsvSink csv(nowhere);
    run(sampled(samples), csv);
}

void draw_all(double samples) {
    report::Sketch sketch({}, report::svg_columns, true);
    run(sampled(samples), sketch);
    report::Output page;
    report::write_svg(sketch.picture(report::svg_columns), page);
}

}  // namespace

double peak_megabytes(void (*work)(double), double size) {
    const pid_t child = fork();
    if (child == 0) {
        work(size);
        _exit(0);
    }
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw WrongResult("a run did not come to its end");
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

Figures samples() {
    const double count = large ? 1e8 : 1e7;
    const std::string detail = fmt::format("{:g} samples of two signals, while the run goes on", count);
    return {{"samples: peak memory, CSV", peak_megabytes(write_all, count), "MB", 200, detail},
            {"samples: peak memory, SVG", peak_megabytes(draw_all, count), "MB", 200, detail}};
}

}  // namespace deltaflow::bench
