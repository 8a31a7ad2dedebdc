// What somebody meets who has just begun: greeting, starters, completion, the manual page, wrong files.
#include "tests/app/program.hpp"
#include "tests/paths.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <regex>
#include <set>
#include <sstream>

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

std::set<std::string> matches(const std::string& text, const char* pattern) {
    const std::regex regex(pattern);
    std::set<std::string> found;
    for (std::sregex_iterator at(text.begin(), text.end(), regex), none; at != none; ++at)
        found.insert((*at)[1]);
    return found;
}

// Commands that --help lists, and options of one of them.
std::set<std::string> commands(const Workplace& place) {
    const std::string help = place.deltaflow("--help").out;
    const std::size_t begin = help.find("Subcommands:");
    return matches(help.substr(begin, help.find("Examples:") - begin), R"(\n  ([a-z]+) )");
}
std::set<std::string> options(const Workplace& place, const std::string& command) {
    const std::string help = place.deltaflow(command + " --help").out;
    return matches(help.substr(0, help.find("Examples:")), R"((--[a-z][-a-z]*)[ \n])");
}

// What a shell prints for a script; empty if there is no such shell.
std::string shell(const Workplace& place, const std::string& name, const std::string& script) {
    place.write("script", script);
    const std::string command = "cd " + place.folder().string() + " && " + name + " script > printed 2>&1";
    return std::system(command.c_str()) == 0 ? place.read("printed") : "failed: " + place.read("printed");
}
bool has_shell(const std::string& name) {
    return std::system(("command -v " + name + " > /dev/null 2>&1").c_str()) == 0;
}

// What bash offers after these words.
std::string offered(const Workplace& place, const std::string& words) {
    return shell(place, "bash",
                 place.deltaflow("completion bash").out + "COMP_WORDS=(" + words +
                     ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_deltaflow\necho \"${COMPREPLY[*]}\"\n");
}

}  // namespace

TEST_CASE("the program alone greets and shows three commands to try", "[app]") {
    const Workplace place;
    const Result result = place.deltaflow("");
    CHECK(result.code == 0);
    CHECK(result.err.empty());
    CHECK(matches(result.out, R"(\n  (deltaflow [^ ].*?)  )").size() == 3);
}

TEST_CASE("the commands of the greeting work in their order", "[app]") {
    const Workplace place;
    for (const std::string shown : {"new ball.toml", "run ball.toml --plot -", "blocks"}) {
        CHECK_THAT(place.deltaflow("").out, Contains("deltaflow " + shown));
        const Result result = place.deltaflow(shown);
        CHECK(result.code == 0);
        CHECK_FALSE(result.out.empty());
    }
}

TEST_CASE("every starter runs and has an impulse in it", "[app]") {
    const std::string kind = GENERATE("ball", "doses", "signals", "circuit", "collision", "reuse");
    CAPTURE(kind);
    const Workplace place;
    CHECK_THAT(place.deltaflow("new --help").out, Contains(kind));
    const Result written = place.deltaflow("new model.toml --template " + kind);
    CHECK(written.code == 0);
    CHECK_THAT(written.out, StartsWith("wrote model.toml") && Contains("deltaflow run model.toml"));
    CHECK_THAT(place.read("model.toml"), StartsWith("# ") && Contains("deltaflow run model.toml"));
    CHECK(place.deltaflow("new - --template " + kind).out == place.read("model.toml"));
    CHECK_THAT(place.deltaflow("check model.toml").out, Contains("no warnings"));
    const Result run = place.deltaflow("run model.toml");
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains(" delta"));
}

TEST_CASE("each starter that help lists is tested", "[app]") {
    const Workplace place;
    CHECK_THAT(place.deltaflow("new --help").out, Contains("ball|doses|signals|circuit|collision|reuse"));
}

TEST_CASE("a new model never takes the place of a file", "[app]") {
    const Workplace place;
    place.write("mine.toml", "precious");
    const Result refused = place.deltaflow("new mine.toml");
    CHECK(refused.code == 6);
    CHECK(refused.out.empty());
    CHECK_THAT(refused.err, Contains("mine.toml is already there") && Contains("--force"));
    CHECK(place.read("mine.toml") == "precious");
    CHECK(place.deltaflow("new mine.toml --force").code == 0);
    CHECK_THAT(place.read("mine.toml"), Contains("[blocks]"));
    CHECK(place.deltaflow("new missing/model.toml").code == 6);
}

TEST_CASE("bash is offered commands, options, words, block types and models", "[app]") {
    const Workplace place;
    place.write("ball.toml", ball);
    place.write("notes.txt", "");
    CHECK_THAT(offered(place, "deltaflow ''"), Contains("run check compare"));
    CHECK(offered(place, "deltaflow chec") == "check\n");
    CHECK(offered(place, "deltaflow run --me") == "--method\n");
    CHECK(offered(place, "deltaflow run ball.toml --impulses s") == "symbolic\n");
    CHECK(offered(place, "deltaflow blocks integ") == "integrator\n");
    CHECK(offered(place, "deltaflow run ''") == "ball.toml\n");
    CHECK_THAT(offered(place, "deltaflow run ball.toml --svg n"), Contains("notes.txt"));
    CHECK(offered(place, "deltaflow run ball.toml --stop ''") == "\n");
    CHECK(offered(place, "deltaflow new x.toml --template d") == "doses\n");
}

TEST_CASE("bash is offered parameters and signals of the model on the line", "[app]") {
    const Workplace place;
    place.write("ball.toml", ball);
    place.write("broken.toml", "[blocks\n");
    const std::string program = deltaflow::test::program_path();
    CHECK(offered(place, program + " run ball.toml --set ''") == "e=\n");
    CHECK(offered(place, program + " sweep ball.toml --over e") == "e=\n");
    CHECK(offered(place, program + " run ball.toml --record ''") == "a F hit v y\n");
    CHECK(offered(place, program + " run ball.toml --record y,h") == "y,hit\n");
    CHECK(offered(place, program + " run ball.toml --plot 'y,v;F,h'") == "y,v;F,hit\n");
    CHECK(offered(place, program + " compare --signal v ball.toml --signal v") == "v\n");
    CHECK(offered(place, program + " run broken.toml --record ''") == "\n");
    CHECK(offered(place, program + " run --record ''") == "\n");
}

TEST_CASE("fish is offered parameters and signals of the model on the line", "[app]") {
    if (!has_shell("fish")) return;
    const Workplace place;
    place.write("ball.toml", ball);
    const std::string program = deltaflow::test::program_path();
    const auto complete = [&](const std::string& line) {
        return shell(place, "fish",
                     "function deltaflow; " + program + " $argv; end\n" +
                         place.deltaflow("completion fish").out + "complete -C '" + line + "'\n");
    };
    CHECK_THAT(complete("deltaflow run ball.toml --set "), StartsWith("e=\t"));
    CHECK_THAT(complete("deltaflow run ball.toml --record y,h"), StartsWith("y,hit\t"));
}

TEST_CASE("completion for zsh and fish is well formed", "[app]") {
    const Workplace place;
    for (const std::string name : {"zsh", "fish"}) {
        place.write("completion", place.deltaflow("completion " + name).out);
        if (has_shell(name)) CHECK(shell(place, name, name + " -n completion && echo fine\n") == "fine\n");
    }
}

TEST_CASE("manual page and completion know every command and option of the help", "[app][slow]") {
    const Workplace place;
    const std::string page = place.deltaflow("man").out;
    CHECK_THAT(page, StartsWith(".TH DELTAFLOW 1"));
    REQUIRE(commands(place).size() >= 8);
    for (const std::string& command : commands(place)) {
        CAPTURE(command);
        CHECK_THAT(page, Contains(".SS " + command + "\n"));
        CHECK_THAT(place.deltaflow(command + " --help").out, Contains("Examples:\n  deltaflow " + command));
        for (const std::string& option : options(place, command)) {
            CAPTURE(option);
            if (option != "--help")
                CHECK_THAT(page, Contains(std::regex_replace(option, std::regex("-"), "\\-")));
            for (const std::string shell : {"bash", "zsh"})
                CHECK_THAT(place.deltaflow("completion " + shell).out, Contains(option));
            CHECK_THAT(place.deltaflow("completion fish").out,
                       Contains("from " + command + "' -l " + option.substr(2)));
        }
    }
}

TEST_CASE("the manual page has no mistakes that its reader would see", "[app]") {
    const Workplace place;
    place.write("deltaflow.1", place.deltaflow("man").out);
    if (!has_shell("groff")) return;
    CHECK(shell(place, "bash", "groff -man -Tascii -ww -z deltaflow.1\n").empty());
}

TEST_CASE("a file that is no model is called what it is", "[app]") {
    const Workplace place;
    place.write("ball.toml", ball);
    place.deltaflow("run ball.toml --quiet --json trace.json --csv trace.csv --svg picture.svg");
    place.write("other.json", "{\"a\": 1}\n");
    place.write("picture.png", std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16));
    place.write("part.toml", "[diagrams.spring]\noutputs = [\"f\"]\n[diagrams.spring.blocks]\nf = 1\n");
    const auto [name, code, text] = GENERATE(table<std::string, int, std::string>({
        {"trace.json", 3,
         "this is a trace (JSON), as `run --json` writes it; a model file (.toml) is wanted"},
        {"trace.csv", 3, "this is a trace (CSV)"},
        {"picture.svg", 3, "this is a picture (SVG)"},
        {"other.json", 3, "this is JSON"},
        {"picture.png", 3, "this is no text at all"},
        {"part.toml", 3, "use = [\"part.toml\"] and x = { type = \"spring\", ... }"},
        {".", 6, "this is a folder; a model file (.toml) is wanted\n      = in it: ball.toml, part.toml"},
        {"ball", 6, "did you mean ball.toml?"},
        {"bal.toml", 6, "did you mean ball.toml?"},
        {"balll", 6, "did you mean ball.toml?"},
    }));
    CAPTURE(name);
    for (const std::string command : {"run ", "check "}) {
        const Result result = place.deltaflow(command + name);
        CHECK(result.code == code);
        CHECK(result.out.empty());
        CHECK_THAT(result.err, StartsWith(name + ":") && Contains(text));
    }
}

TEST_CASE("a model without a command is told how to run it", "[app]") {
    const Result result = Workplace().deltaflow("ball.toml");
    CHECK(result.code == 2);
    CHECK_THAT(result.err, Contains("did you mean run ball.toml?"));
}

TEST_CASE("blocks that go by other names elsewhere are found", "[app]") {
    const Result result = Workplace().deltaflow("blocks dirac");
    CHECK(result.code == 2);
    CHECK_THAT(result.err, Contains("did you mean \"impulse\"?"));
}
