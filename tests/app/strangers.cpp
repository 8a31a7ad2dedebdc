// Models of strangers: what they may read, what they may take, and what they may show.
#include "tests/app/program.hpp"

#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <functional>

using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

// A model that reads a data file.
std::string reading(const std::string& file) {
    return "[blocks]\nu = { type = \"data\", file = \"" + file + "\" }\n";
}

std::string simulated(const std::string& blocks, const std::string& simulation) {
    return "[blocks]\n" + blocks + "\n[simulation]\n" + simulation + "\n";
}

std::string repeated(int n, const std::function<std::string(int)>& line) {
    std::string text;
    for (int i = 0; i < n; ++i) text += line(i);
    return text;
}

bool has_control_characters(const std::string& text) {
    return std::any_of(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7F;
    });
}

}  // namespace

TEST_CASE("data and use read regular files below the model's folder", "[app]") {
    const Workplace place;
    place.write("secret.csv", "t,u\n0,hidden words\n");
    place.write("secret.toml", "hidden words");
    place.write("own/data.csv", "t,u\n0,1\n1,2\n");
    fs::create_symlink("../secret.csv", place.path("own/link.csv"));
    REQUIRE(::mkfifo(place.path("own/pipe").c_str(), 0600) == 0);
    const std::string outside = place.path("secret.csv").string();
    for (const std::string& file :
         {std::string("../secret.csv"), outside, std::string("link.csv"), std::string("x/../../secret.csv"),
          std::string("/dev/zero"), std::string("pipe"), std::string("/etc/passwd"), std::string(".")}) {
        place.write("own/m.toml", reading(file));
        const Result result = place.deltaflow("run own/m.toml");
        INFO(file << "\n" << result.err);
        CHECK(result.code == 6);
        CHECK_THAT(result.err, Contains("own/m.toml:2:") && !Contains("hidden words") && !Contains("root:"));
    }
    place.write("own/m.toml", "use = [\"../secret.toml\"]\n[blocks]\ny = \"t\"\n");
    const Result result = place.deltaflow("check own/m.toml");
    CHECK(result.code == 6);
    CHECK_THAT(result.err, Contains("--allow") && !Contains("hidden words"));
    place.write("own/m.toml", reading("data.csv"));
    CHECK(place.deltaflow("run own/m.toml --quiet").code == 0);
    place.write("own/sub/part.toml", "use = [\"../other.toml\"]\n");  // this stays within
    place.write("own/other.toml", "[diagrams.d]\noutputs = [\"y\"]\n[diagrams.d.blocks]\ny = \"t\"\n");
    place.write("own/m.toml", "use = [\"sub/part.toml\"]\n[blocks]\ny = { type = \"d\" }\n");
    CHECK(place.deltaflow("check own/m.toml --quiet").code == 0);
}

TEST_CASE("a model may read what --allow widens it to", "[app]") {
    const Workplace place;
    place.write("shared/data.csv", "t,u\n0,1\n1,2\n");
    place.write("shared/part.toml", "[diagrams.d]\noutputs = [\"y\"]\n[diagrams.d.blocks]\ny = \"t\"\n");
    place.write("own/m.toml", "use = [\"../shared/part.toml\"]\n" + reading("../shared/data.csv") +
                                  "y = { type = \"d\" }\n");
    CHECK(place.deltaflow("run own/m.toml --quiet").code == 6);
    CHECK(place.deltaflow("run own/m.toml --quiet --allow shared").code == 0);
    CHECK(place.deltaflow("sweep own/m.toml --quiet --allow own --allow shared/ --over simulation.stop=1")
              .code == 0);
    CHECK(place.deltaflow("check own/m.toml --quiet --allow own").code == 6);
    CHECK(place.deltaflow("check own/m.toml --quiet --allow share").code == 6);  // no folder of that name
}

TEST_CASE("a link to a model reads where the model lies", "[app]") {
    const Workplace place;
    place.write("kept/m.toml", reading("data.csv"));
    place.write("kept/data.csv", "t,u\n0,1\n1,2\n");
    fs::create_directory(place.path("links"));
    fs::create_symlink("../kept/m.toml", place.path("links/m.toml"));
    fs::create_symlink("../kept/data.csv", place.path("links/data.csv"));
    CHECK(place.deltaflow("run links/m.toml --quiet").code == 0);
}

// Each ends within seconds, and with 500 MB at most.
TEST_CASE("a model of a few lines neither hangs nor fills memory", "[app][slow]") {
    const std::string decay = "x = { type = \"integrator\", in = \"-x\", initial = 1 }";
    const auto [name, model] = GENERATE_COPY(table<std::string, std::string>({
        {"every", simulated("y = \"t\"", "every = 1e-12\nstop = 1")},
        {"step of rk4", simulated(decay, "method = \"rk4\"\nstep = 1e-300")},
        {"numeric step", simulated(decay, "impulses = \"numeric\"\nstep = 1e-9")},
        {"numeric samples", simulated(decay, "impulses = \"numeric\"\nstep = 1\nevery = 1e-9")},
        {"hold", simulated("y = { type = \"hold\", in = \"t\", period = 1e-320 }", "stop = 1")},
        {"hold often", simulated("y = { type = \"hold\", in = \"t\", period = 1e-12 }", "stop = 1")},
        {"noise", simulated("y = { type = \"noise\", period = 1e-300, seed = 1, size = 1 }", "stop = 1")},
        {"delay", simulated("y = { type = \"delay\", in = \"t\", by = 1e-9 }", "stop = 1")},
        {"short delay", simulated("y = { type = \"delay\", in = \"sin(t)\", by = 1e-300 }", "stop = 1")},
        {"unknown names",
         "[blocks]\n" +
             repeated(40000, [](int i) { return fmt::format("block{0} = \"blokc{0} + 1\"\n", i); })},
    }));
    CAPTURE(name);
    const Workplace place;
    place.write("m.toml", model);
    const Result result =
        place.deltaflow("run m.toml --quiet --csv out.csv --limit-seconds 30 --limit-memory 500");
    CAPTURE(result.err);
    CHECK((result.code == 2 || result.code == 3 || result.code == 5));
    CHECK(result.err.size() < 100000);
}

TEST_CASE("exact numbers refuse the clocks that a run refuses", "[app]") {
    const Workplace place;
    for (const char* block : {"{ type = \"hold\", in = \"t\", period = 1e-320 }",
                              "{ type = \"impulse\", at = 0, period = 1e-12 }"}) {
        place.write("m.toml", simulated(std::string("y = ") + block, "stop = 1"));
        for (const char* command : {"run m.toml", "exact m.toml"}) {
            const Result result = place.deltaflow(std::string(command) + " --limit-seconds 30");
            CHECK(result.code == 5);
            CHECK_THAT(result.err, Contains("the period is so short"));
        }
    }
}

TEST_CASE("a chain of derivatives is not called a loop", "[app]") {
    const Workplace place;
    place.write("m.toml", "[blocks]\nx0 = \"sin(t)\"\n" + repeated(70, [](int i) {
                              return fmt::format("x{} = \"der(x{})\"\n", i + 1, i);
                          }));
    const Result result = place.deltaflow("check m.toml");
    CHECK(result.code == 3);
    CHECK_THAT(result.err, Contains("more than 64 derivatives one behind the other") && !Contains("loop"));
}

TEST_CASE("tables of 100000 points are looked up, not walked through", "[app][slow]") {
    const Workplace place;
    const std::string x = repeated(100000, [](int i) { return fmt::format("{},", i); });
    const std::string y = repeated(100000, [](int i) { return fmt::format("{},", i % 7); });
    place.write("m.toml", simulated("y = { type = \"table\", in = \"t\", x = [" + x + "], y = [" + y + "] }",
                                    "stop = 2000"));
    CHECK(place.deltaflow("run m.toml --quiet --limit-seconds 30 --limit-memory 500").code == 0);
}

TEST_CASE("models of thousands of automata keep few modes", "[app][slow]") {
    const Workplace place;
    place.write("m.toml",
                "[blocks]\ny = \"t\"\n" + repeated(10000, [](int i) {
                    return fmt::format(
                        "[automata.a{0}]\ninitial = \"p\"\nstates = {{ p = \"off\", q = \"on\" }}\n"
                        "transitions = [ {{ from = \"p\", to = \"q\", when = \"t >= {0}/100\" }} ]\n",
                        i);
                }) + "[simulation]\nstop = 2\n");
    const Result result = place.deltaflow("run m.toml --quiet --limit-seconds 60 --limit-memory 1000");
    CAPTURE(result.err);
    CHECK(result.code == 0);
}

TEST_CASE("a model is made of at most 1000 files", "[app][slow]") {
    const Workplace place;
    for (int i = 0; i < 4000; ++i)
        place.write(fmt::format("p{}.toml", i),
                    fmt::format("use = [\"p{1}.toml\"]\n[diagrams.d{0}]\noutputs = [\"y\"]\n"
                                "[diagrams.d{0}.blocks]\ny = \"t\"\n",
                                i, i + 1));
    const Result many = place.deltaflow("check p0.toml --limit-seconds 30");
    CHECK(many.code == 3);
    CHECK_THAT(many.err, Contains("more than 1000 files"));
    place.write("p500.toml", "[diagrams.last]\noutputs = [\"y\"]\n[diagrams.last.blocks]\ny = \"t\"\n");
    place.write("m.toml", "use = [\"p0.toml\"]\n[blocks]\ny = { type = \"last\" }\n");
    CHECK(place.deltaflow("check m.toml --quiet --limit-seconds 30").code == 0);
}

TEST_CASE("no control character reaches a terminal or a file", "[app]") {
    const Workplace place;
    const std::string text = "\\u001b]0;owned\\u0007\\u009b31m\\u202eabc";
    place.write("m.toml", "name = \"A" + text + "\"\nabout = \"B" + text + "\"\n[blocks]\ny = \"t\"\n" +
                              "z = { type = \"assert\", in = \"1 - t\", message = \"C" + text + "\" }\n" +
                              "[simulation]\nrecord = [\"y\"]\n");
    for (const char* command : {"run m.toml",
                                "run m.toml --csv -",
                                "run m.toml --json -",
                                "run m.toml --jsonl -",
                                "run m.toml --svg -",
                                "run m.toml --table",
                                "check m.toml",
                                "check m.toml --json -",
                                "show m.toml",
                                "show m.toml --dot -",
                                "show m.toml --svg -",
                                "exact m.toml",
                                "exact m.toml --latex",
                                "exact m.toml --json -",
                                "sweep m.toml --over simulation.stop=1,2 --json -",
                                "compare m.toml --svg -",
                                "run 'm\x1b[31m.toml'",
                                "run m.toml '--set=\x1b[31m=1'",
                                "run m.toml --\x1b[31m",
                                "blocks 'x\x1b[31m'"}) {
        const Result result = place.deltaflow(command);
        CAPTURE(command, result.out.substr(0, 400), result.err);
        CHECK_FALSE(has_control_characters(result.out));
        CHECK_FALSE(has_control_characters(result.err));
        CHECK_THAT(result.out + result.err, !Contains("\u009b") && !Contains("\u202e"));
    }
}

TEST_CASE("the name of a new model is text, in the terminal and in the model", "[app]") {
    const Workplace place;
    const std::string name = "a\033[2Jb\nc.toml";
    const Result made = place.deltaflow("new '" + name + "'");
    CHECK(made.code == 0);
    CHECK_THAT(made.out, !Contains("\033") && Contains("c.toml"));
    CHECK_THAT(place.read(name), !Contains("\033"));
    CHECK(place.deltaflow("run '" + name + "' --quiet").code == 0);
}

TEST_CASE("file names that are not UTF-8 still give valid documents", "[app]") {
    const Workplace place;
    place.write("m\xFFz.toml", "[blocks]\ny = \"t\"\n");
    for (const char* command :
         {"run m\xFFz.toml --svg -", "run m\xFFz.toml --json -", "show m\xFFz.toml --svg -",
          "show m\xFFz.toml --dot -", "exact m\xFFz.toml --latex"}) {
        const Result result = place.deltaflow(command);
        INFO(command);
        CHECK(result.code == 0);
        CHECK_THAT(result.out, !Contains("\xFF") && (Contains("m\uFFFDz") || Contains("U+FFFD")));
    }
    CHECK_THAT(place.deltaflow("run none\xFF.toml").err, Contains("none\uFFFD.toml"));
}
