// What becomes of files and exit codes when something goes wrong around the program.
#include "tests/app/program.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

// One that would take hours.
const std::string endless = R"([blocks]
v = { type = "integrator", in = "-x", initial = 1 }
x = { type = "integrator", in = "v" }
[simulation]
method = "rk4"
step = "1/1000000"
stop = 100000
every = 1
)";

// One step, and more samples than fit into memory.
const std::string dense = "[blocks]\ny = \"t\"\n[simulation]\nevery = 1e-9\nstop = 1\n";

}  // namespace

TEST_CASE("each signal ends a run in good order, with 128 and its number", "[app]") {
    const auto [number, code] = GENERATE(table<int, int>({{SIGINT, 130}, {SIGTERM, 143}, {SIGHUP, 129}}));
    const Workplace place;
    place.write("long.toml", endless);
    const Result result = place.signalled("run long.toml --csv out.csv --json out.json", 0.5, number);
    CHECK(result.code == code);
    CHECK_THAT(place.read("out.json"), Contains("\"reason\": \"interrupted\""));
    CHECK_THAT(place.read("out.csv"), Contains("sample"));
    CHECK(place.file_count() == 3);
}

TEST_CASE("the first interrupt is obeyed soon by every command", "[app][slow]") {
    const Workplace place;
    place.write("long.toml", endless);
    place.write("dense.toml", dense);
    place.write("exact.toml",
                "[blocks]\nx = { type = \"integrator\", in = \"y\", initial = 1 }\n"
                "y = { type = \"hold\", in = \"t/3\", period = \"1/1000000\" }\n");
    const std::string command =
        GENERATE("run long.toml --csv out", "run long.toml --checkpoint out --every-seconds 0.1",
                 "run dense.toml --csv out", "run dense.toml --json out", "run dense.toml --json -",
                 "run dense.toml --jsonl out", "run dense.toml --svg out.svg", "run dense.toml --table",
                 "run dense.toml --quiet", "compare long.toml", "compare dense.toml", "exact exact.toml",
                 "explain long.toml --event 5", "sweep long.toml --over simulation.start=0,1 --csv out");
    CAPTURE(command);
    // Of the processor: others may have work for it, too. A cold start counts for nothing.
    double seconds = HUGE_VAL;
    for (int i = 0; i < 3 && seconds >= 0.2; ++i) {
        const Obeyed obeyed = place.obeyed(command, 0.3, SIGTERM);
        CHECK(obeyed.result.code == 143);
        seconds = std::min(seconds, obeyed.seconds);
    }
    CHECK(seconds < 0.2);
}

TEST_CASE("who interrupts exact numbers sees as much as is written at once, a file has all", "[app][slow]") {
    const Workplace place;
    place.write(
        "m.toml",
        "[blocks]\ny = { type = \"hold\", in = \"t\", period = \"1/1000000\" }\n[simulation]\nstop = 1000\n");
    const Obeyed obeyed = place.obeyed("exact m.toml --json out.json", 2, SIGINT);
    CHECK(obeyed.result.code == 130);
    CHECK_THAT(obeyed.result.err, Contains("the closed forms are written up to t = 0.001\n"));
    CHECK_THAT(obeyed.result.out, Contains("999/1000000 <= t < about 0.001") && !Contains("1001/1000000"));
    CHECK_THAT(place.read("out.json"), Contains("\"1001/1000000\""));
}

TEST_CASE("samples that are denser than memory are handed on", "[app][slow]") {
    const Workplace place;
    place.write("dense.toml", dense);
    const Result result =
        place.deltaflow("run dense.toml --csv out.csv --limit-seconds 0.7 --limit-memory 60");
    CHECK(result.code == 130);
    CHECK_THAT(result.err, Contains("--limit-seconds"));
    CHECK_THAT(place.read("out.csv"), Contains("sample"));
}

// What is left to write in the end must not grow with what was written before.
TEST_CASE("an interrupt is obeyed as soon after millions of samples", "[app][slow]") {
    const Workplace place;
    const std::string samples = "[simulation]\nevery = 1e-8\nstop = 20\n";
    place.write("dense.toml",
                "[blocks]\na = \"t/3\"\nb = \"t/7\"\nc = \"a - b\"\nd = \"sin(t)\"\n" + samples);
    place.write("graph.toml",
                "[elements]\nj = { type = \"1\" }\nm = { type = \"I\", value = 1, momentum = 1 }\n"
                "k = { type = \"C\", value = 1 }\n[bonds]\na = \"j -> m\"\nb = \"j -> k\"\n" +
                    samples);
    const std::string command = GENERATE("run dense.toml --json out", "run dense.toml --csv out",
                                         "run graph.toml --csv out", "run graph.toml --json out");
    CAPTURE(command);
    const Obeyed obeyed = place.obeyed(command, 4, SIGINT);
    CHECK(obeyed.result.code == 130);
    CHECK(obeyed.seconds < 0.2);
    if (!command.ends_with("json out")) return;
    const auto trace = nlohmann::json::parse(place.read("out"));
    CHECK(trace["end"]["reason"] == "interrupted");
    for (const auto& column : trace["samples"]) CHECK(column.size() == trace["samples"]["t"].size());
}

TEST_CASE("JSON is the same with and without a checkpoint", "[app]") {
    const Workplace place;
    place.write("ball.toml", ball);
    const auto written = [&](const std::string& options) {
        const Result result = place.deltaflow("run ball.toml --quiet --json out.json " + options);
        CHECK(result.code == 0);
        const std::string text = place.read("out.json");
        return text.substr(0, text.find("\"seconds\""));  // of the clock
    };
    const std::string samples = GENERATE("--every 1/10", "--every 1/100000", "--at 3", "--record v");
    CHECK(written(samples) == written(samples + " --checkpoint out.state"));
}

// A million samples of three signals, and a quarter of the room that they would take. (A sanitizer takes
// more.)
TEST_CASE("JSON as it comes takes no memory", "[app][slow]") {
    const Workplace place;
    place.write("ball.toml", ball);
    const Result result =
        place.deltaflow("run ball.toml --quiet --json out.json --every 1/500000 --limit-memory 40");
    CHECK(result.code == 0);
}

TEST_CASE("a limit of memory ends a run with what there is", "[app][slow]") {
    const Workplace place;
    place.write("dense.toml", dense);
    const std::string most = GENERATE("60", "80", "100");
    const Result result =
        place.deltaflow("run dense.toml --json out.json --checkpoint out.state --limit-memory " + most);
    CHECK(result.code == 130);
    CHECK_THAT(result.err, Contains(most + " MB") && !Contains("not enough memory"));
    CHECK_THAT(place.read("out.json"), Contains("\"reason\": \"interrupted\""));
    CHECK(place.read("out.state").size() > 1'000'000);
}

TEST_CASE("a limit of time ends what has nothing to write at once", "[app]") {
    const Workplace place;
    place.write("long.toml", endless);
    const Result result = place.deltaflow("compare long.toml --limit-seconds 0.3");
    CHECK(result.code == 130);
    CHECK_THAT(result.err, Contains("--limit-seconds"));
    CHECK(place.deltaflow("run long.toml --limit-seconds 0").code == 2);
    CHECK(place.deltaflow("check long.toml --limit-memory soon").code == 2);
}

TEST_CASE("an output never replaces a data file", "[app]") {
    const Workplace place;
    const std::string data = "t,u\n0,1\n1,2\n";
    place.write("data.csv", data);
    place.write("m.toml", "[blocks]\nu = { type = \"data\", file = \"data.csv\" }\n");
    fs::create_symlink("data.csv", place.path("link"));
    fs::create_hard_link(place.path("data.csv"), place.path("hard"));
    for (const char* command :
         {"run m.toml --csv data.csv", "run m.toml --json ./data.csv", "run m.toml --svg link",
          "run m.toml --jsonl hard", "run m.toml --checkpoint data.csv", "check m.toml --json data.csv",
          "show m.toml --dot data.csv", "sweep m.toml --over simulation.stop=1,2 --csv data.csv",
          "compare m.toml --json link", "exact m.toml --json data.csv",
          "explain m.toml --event 1 --json data.csv"}) {
        INFO(command);
        CHECK(place.deltaflow(command).code == 2);
        CHECK(place.read("data.csv") == data);
    }
}

TEST_CASE("links that lead to nothing yet are followed, and are one file with what they lead to", "[app]") {
    const Workplace place;
    place.write("m.toml", kick);
    fs::create_symlink("new.csv", place.path("link"));
    CHECK(place.deltaflow("run m.toml --csv link --json new.csv").code == 2);
    CHECK(place.deltaflow("run m.toml --csv link").code == 0);
    CHECK(fs::is_symlink(place.path("link")));
    CHECK_THAT(place.read("new.csv"), Contains("sample"));
}

TEST_CASE("a file with another hard link stays the same file", "[app]") {
    const Workplace place;
    place.write("m.toml", kick);
    place.write("out.csv", std::string(100000, 'x'));
    fs::create_hard_link(place.path("out.csv"), place.path("other"));
    CHECK(place.deltaflow("run m.toml --csv out.csv").code == 0);
    CHECK(place.read("out.csv") == place.read("other"));
    CHECK_THAT(place.read("other"), Catch::Matchers::StartsWith("t,"));
    CHECK(place.file_count() == 3);
}

// A large one: the program is killed while it is being filled.
TEST_CASE("a kill does not tear a file with another hard link", "[app][slow]") {
    const Workplace place;
    place.write("m.toml", kick);
    const std::string old(200'000'000, 'x');
    place.write("out.csv", old);
    fs::create_hard_link(place.path("out.csv"), place.path("other"));
    const auto begins = [&] {
        std::string first(2, ' ');
        std::ifstream(place.path("out.csv")).read(first.data(), 2);
        return first == "t,";
    };
    const Result result = place.killed("run m.toml --csv out.csv --every 1/2000000 --quiet", begins);
    CHECK(result.code == -SIGKILL);
    const auto whole = [&] {
        const std::string text = place.read("out.csv");
        return text.starts_with("t,") && text.find('x', 100) == std::string::npos && text.ends_with("2\n");
    };
    for (int i = 0; i < 100 && !whole(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    CHECK(whole());
}

TEST_CASE("what a killed program has left is removed by the next one", "[app]") {
    const Workplace place;
    place.write("m.toml", kick);
    place.write(".out.csv.12345.deltaflow", "half");
    place.write(".out.csv.old", "of somebody else");
    CHECK(place.deltaflow("run m.toml --csv out.csv").code == 0);
    CHECK_FALSE(place.has(".out.csv.12345.deltaflow"));
    CHECK(place.has(".out.csv.old"));
}

TEST_CASE("standard streams that are closed or full change no exit code", "[app]") {
    const Workplace place;
    place.write("m.toml", kick);
    place.write("wrong.toml", "[blocks]\ny = \"nothing\"\n");
    const auto [redirection, expected] = GENERATE(table<std::string, int>({
        {"run wrong.toml 2>/dev/full", 3},
        {"run wrong.toml 2>&-", 3},
        {"run wrong.toml 2>&- >&- <&-", 3},
        {"run none.toml 2>&1 | true; exit ${PIPESTATUS[0]}", 6},
        {"run m.toml >/dev/full", 6},
        {"run m.toml >/dev/full 2>/dev/full", 6},
        {"run m.toml >&-", 6},
        {"run m.toml --quiet --csv out.csv >&- 2>&-", 0},
        {"run m.toml --csv /dev/full 2>/dev/full", 6},
    }));
    CAPTURE(redirection);
    CHECK(place.shell(redirection).code == expected);
    CHECK(place.read("m.toml") == kick);
    if (place.has("out.csv")) CHECK_THAT(place.read("out.csv"), Catch::Matchers::StartsWith("t,epsilon"));
}

TEST_CASE("standard output may not go into a file that is read or written", "[app]") {
    const Workplace place;
    place.write("m.toml", kick);
    CHECK(place.shell("run m.toml >> m.toml").code == 2);
    CHECK(place.read("m.toml") == kick);
    CHECK(place.shell("run m.toml --csv out.csv > out.csv").code == 2);
}

TEST_CASE("a file that must not grow is not torn", "[app]") {
    const Workplace place;
    place.write("m.toml", ball + "every = 1e-4\n");
    place.write("out.csv", "old");
    CHECK(place.shell("run m.toml --csv out.csv", "ulimit -f 8; ").code == 6);
    CHECK(place.read("out.csv") == "old");
    CHECK(place.file_count() == 2);
}

TEST_CASE("a derivative loop beside a bond graph is an error of the model in every command", "[app]") {
    const Workplace place;
    place.write("m.toml",
                "[blocks]\nu = \"der(w) + t\"\nw = \"der(u)\"\n"
                "[elements]\nse = { type = \"Se\", effort = 1 }\nj = { type = \"1\" }\n"
                "r = { type = \"R\", value = 1 }\n[bonds]\nb1 = \"se -> j\"\nb2 = \"j -> r\"\n");
    for (const char* command : {"run m.toml", "check m.toml", "exact m.toml", "explain m.toml --event 1",
                                "compare m.toml", "show m.toml"}) {
        const Result result = place.deltaflow(command);
        INFO(command << "\n" << result.err);
        CHECK(result.code == 3);
        CHECK_THAT(result.err, Contains("a loop takes derivatives"));
    }
}

// Sanitizers have handlers of their own.
TEST_CASE("a mistake of the program itself asks for the model, and leaves nothing behind", "[app][slow]") {
    const int number = GENERATE(SIGSEGV, SIGABRT, SIGFPE, SIGBUS);
    const Workplace place;
    place.write("long.toml", endless);
    const Result result = place.signalled("run long.toml --csv out.csv", 0.4, number);
    CHECK(result.code == 70);
    CHECK_THAT(result.err, Contains("mistake of the program") && Contains("send the model"));
    CHECK(place.file_count() == 1);
}

TEST_CASE("errors before anything was solved are told like any other", "[app]") {
    const std::string blocks =
        GENERATE("u = { type = \"impulse\", at = 0 }\ny = \"u*u\"\n",
                 "u = { type = \"impulse\", at = 0 }\ny = { type = \"hold\", in = \"u\", period = 1 }\n",
                 "x = { type = \"integrator\", in = \"1/x\" }\n",
                 "u = { type = \"impulse\", at = 0 }\ny = \"sqrt(u - 1)\"\n",
                 "w = { type = \"crossing\", in = \"log(t - 1)\" }\n",
                 "y = \"1/t\"\nz = { type = \"delay\", in = \"y\", by = 1 }\n");
    CAPTURE(blocks);
    const Workplace place;
    place.write("m.toml", "[blocks]\n" + blocks);
    for (const char* command :
         {"run m.toml", "run m.toml --impulses numeric", "run m.toml --method rk4", "exact m.toml",
          "check m.toml", "explain m.toml --at 0", "sweep m.toml --over simulation.stop=1"}) {
        const Result result = place.deltaflow(command);
        INFO(command << "\n" << result.err);
        CHECK(result.code >= 0);
        CHECK(result.code <= 8);
        if (result.code != 0) CHECK_FALSE(result.err.empty());
    }
}

TEST_CASE("a change of mode tells what it became", "[app]") {
    const Workplace place;
    place.write("m.toml",
                "[blocks]\ny = \"t\"\n[automata.valve]\ninitial = \"conducting\"\n"
                "states = { conducting = \"on\", blocking = \"off\" }\n"
                "transitions = [{ from = \"conducting\", to = \"blocking\", when = \"t >= 1\" }]\n");
    CHECK_THAT(place.deltaflow("run m.toml").out, Contains("valve: conducting -> blocking"));
}
