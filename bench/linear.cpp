// Ten times as much of one thing takes ten times as long: tables, names, files, automata, ...
#include "bench/bench.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

namespace deltaflow::bench {

namespace {

std::string list(int n, const std::function<std::string(int)>& item, const char* between = ", ") {
    std::string text;
    for (int i = 0; i < n; ++i) text += (i > 0 ? between : "") + item(i);
    return text;
}

std::string run_for(const char* stop, const std::string& record) {
    return fmt::format("[simulation]\nstop = {}\nmax_events = 10000000\nrecord = [{}]\n", stop, record);
}

std::string names(int n) {
    return "[blocks]\n" +
           list(
               n, [](int i) { return fmt::format("b{} = \"t + {}\"", i, i); }, "\n") +
           "\n" + run_for("1", "\"b0\"");
}

std::string instances(int n) {
    return fmt::format(
               "[diagrams.part]\noutputs = [\"y\"]\n[diagrams.part.blocks]\n"
               "y = {{ type = \"integrator\", in = \"-y\", initial = 1 }}\n"
               "[blocks]\npart = {{ type = \"part\", count = {} }}\n",
               n) +
           run_for("1", "\"part[0].y\"");
}

std::string record(int n) {
    return fmt::format(
               "[diagrams.part]\noutputs = [\"y\"]\n[diagrams.part.blocks]\ny = \"t + 1\"\n"
               "[blocks]\npart = {{ type = \"part\", count = {} }}\n",
               n) +
           run_for("1", list(n, [](int i) { return fmt::format("\"part[{}].y\"", i); }));
}

std::string tables(int n) {
    return fmt::format("[blocks]\ny = {{ type = \"table\", in = \"t\", x = [{}], y = [{}] }}\n",
                       list(n, [n](int i) { return fmt::format("{}", i / static_cast<double>(n)); }),
                       list(n, [](int i) { return fmt::format("{}", i % 7); })) +
           run_for("1", "\"y\"");
}

std::string schedules(int n) {
    const auto stroke = [n](int i) {
        return fmt::format("{{ at = {}, size = 1 }}", i / static_cast<double>(n));
    };
    return fmt::format("[blocks]\nu = {{ type = \"impulse\", train = [{}] }}\n", list(n, stroke)) +
           "x = { type = \"integrator\", in = \"u\" }\n" + run_for("1", "\"x\"");
}

// They wait for what does not come.
std::string automata(int n) {
    const auto one = [](int i) {
        return fmt::format(
            "[automata.a{}]\ninitial = \"off\"\nstates = {{ off = \"off\", on = \"on\" }}\n"
            "transitions = [{{ from = \"off\", to = \"on\", when = \"t > {}\" }}]\n",
            i, i + 2);
    };
    return list(n, one, "") + run_for("1", "\"a0.on\"");
}

std::string elements(int n) {
    const auto stage = [](int i) {
        return fmt::format(
            "r{1} = {{ type = \"resistor\", between = \"n{0} n{1}\", value = 1 }}\n"
            "c{1} = {{ type = \"capacitor\", between = \"n{1} ground\", value = 1 }}\n",
            i, i + 1);
    };
    return "[circuit]\nu = { type = \"voltage\", between = \"n0 ground\", value = 1 }\n" +
           list(n / 2, stage, "") +
           "[simulation]\nstop = 0.01\nmethod = \"rk4\"\nstep = 0.01\nrecord = [\"n1.voltage\"]\n";
}

std::string events(int n) {
    return fmt::format(
               "[blocks]\nhit = {{ type = \"crossing\", in = \"sin(t)\", direction = \"rising\" }}\n") +
           "x = { type = \"integrator\", in = \"hit\" }\n" +
           run_for(fmt::format("{}", 6.283185307179586 * n).c_str(), "\"x\"");
}

std::string samples(int n) {
    return "[blocks]\nx = { type = \"integrator\", in = \"t\" }\n" + run_for("1", "\"x\"") +
           fmt::format("every = \"1/{}\"\n", n);
}

std::filesystem::path rows_of(int n) {
    return std::filesystem::temp_directory_path() / fmt::format("deltaflow_rows_{}.csv", n);
}

// A file of n rows beside the model.
std::string files(int n) {
    const auto path = rows_of(n);
    std::ofstream(path) << "t,y\n"
                        << list(
                               n,
                               [n](int i) { return fmt::format("{},{}", i / static_cast<double>(n), i % 7); },
                               "\n");
    return fmt::format("[blocks]\ny = {{ type = \"data\", file = \"{}\" }}\n", path.filename().string()) +
           "x = { type = \"integrator\", in = \"y\" }\n" + run_for("1", "\"x\"");
}

struct Item {
    const char* name;
    std::string (*text)(int n);
};
constexpr Item items[] = {{"names", names},       {"instances", instances}, {"record", record},
                          {"tables", tables},     {"files", files},         {"schedules", schedules},
                          {"automata", automata}, {"elements", elements},   {"events", events},
                          {"samples", samples}};

// From text to the end of the run, a piece.
double seconds_a_piece(const Item& item, int n) {
    const std::string text = item.text(n);
    const std::string path = (std::filesystem::temp_directory_path() / "deltaflow_linear.toml").string();
    double best = 1e300;
    for (int round = 0; round < (n < 100000 ? 5 : 2); ++round)
        best = std::min(best, seconds([&] { simulate(load_model_text(path, text)); }));
    std::filesystem::remove(rows_of(n));
    return best / n;
}

}  // namespace

Figures linear() {
    Figures figures;
    for (const Item& item : items) {
        const double few = seconds_a_piece(item, 1000), more = seconds_a_piece(item, 10000),
                     many = seconds_a_piece(item, 100000);
        figures.push_back(
            {fmt::format("linear: {}, 10^5 / 10^4", item.name), many / more, "ratio", 1.5,
             fmt::format("{:.3g} us, {:.3g} us, {:.3g} us a piece", 1e6 * few, 1e6 * more, 1e6 * many)});
    }
    return figures;
}

}  // namespace deltaflow::bench
