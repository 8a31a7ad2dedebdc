// Help, wrong usage, and the exit code of every kind of end.
#include "tests/app/program.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using Catch::Matchers::Contains;

namespace {

// The last lines of a trace: how it ended, and what it cost.
std::string ending(const std::string& trace) {
    return trace.substr(std::min(trace.size(), trace.rfind("\"end\"")));
}

}  // namespace

TEST_CASE("help and version are there for every command", "[app]") {
    const Workplace place;
    CHECK_THAT(place.deltaflow("--version").out, Catch::Matchers::StartsWith("deltaflow "));
    for (const std::string command :
         {"", "run ", "check ", "show ", "explain ", "sweep ", "blocks ", "new ", "completion ", "man "}) {
        const Result result = place.deltaflow(command + "--help");
        CHECK(result.code == 0);
        CHECK_THAT(result.out, Contains("Examples:"));
        CHECK(result.err.empty());
    }
}

TEST_CASE("wrong usage exits with 2 and says what is wrong", "[app]") {
    const Workplace place;
    place.write("ball.toml", ball);
    const auto [arguments, text] = GENERATE(table<std::string, std::string>({
        {"rnu ball.toml", "did you mean run?"},
        {"run", "MODEL is required"},
        {"run ball.toml --jsn x", "did you mean --json?"},
        {"run ball.toml other.toml", "other.toml"},
        {"run ball.toml --stop soon", "\"soon\" is not a number"},
        {"run ball.toml --step 0", "not positive"},
        {"run ball.toml --every -1/2", "not positive"},
        {"run ball.toml --method magic", "rosenbrock4"},
        {"run ball.toml --impulses loud", "symbolic, numeric"},
        {"run ball.toml --set e", "name=value"},
        {"run ball.toml --at 1,x", "\"x\" is not a number"},
        {"run ball.toml --at 99", "the run goes from 0 to 4"},
        {"run ball.toml --csv - --json -", "standard output"},
        {"run ball.toml --plot - --json -", "standard output"},
        {"run ball.toml --plot y --json -", "standard output"},
        {"run ball.toml --plot ,;", "no signal is given"},
        {"new", "FILE is required"},
        {"new x.toml --template house", "\"house\" is none of ball"},
        {"completion tcsh", "\"tcsh\" is none of bash, zsh, fish"},
        {"run ball.toml --max-blocks many", "--max-blocks"},
        {"blocks prodct", "did you mean \"product\"?"},
        {"blocks product --schema", "do not go together"},
    }));
    CAPTURE(arguments);
    const Result result = place.deltaflow(arguments);
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, Contains(text));
}

TEST_CASE("a wrong model exits with 3 and shows the place", "[app]") {
    const Workplace place;
    place.write("wrong.toml", "[blocks]\ny = { type = \"integratr\", in = \"u\" }\n");
    for (const std::string command : {"run", "check"}) {
        const Result result = place.deltaflow(command + " wrong.toml --json out.json");
        CHECK(result.code == 3);
        CHECK(result.out.empty());
        CHECK_THAT(result.err,
                   Contains("wrong.toml:2:") && Contains("did you mean \"integrator\"?") && Contains("^~"));
        CHECK_FALSE(place.has("out.json"));
    }
}

TEST_CASE("files that cannot be read or written exit with 6", "[app]") {
    const Workplace place;
    place.write("ball.toml", ball);
    CHECK(place.deltaflow("run missing.toml").code == 6);
    CHECK_THAT(place.deltaflow("run missing.toml").err, Contains("missing.toml"));
    for (const std::string option : {"--csv", "--json", "--svg"}) {
        const Result result = place.deltaflow("run ball.toml " + option + " missing/out");
        CHECK(result.code == 6);
        CHECK_THAT(result.err, Contains("missing/out") && Contains("No such file or directory"));
        CHECK(result.out.empty());
        CHECK_THAT(place.deltaflow("run ball.toml " + option + " .").err, Contains("Is a directory"));
        CHECK_THAT(place.deltaflow("run ball.toml " + option + " /dev/full").err, Contains("No space left"));
    }
    CHECK(place.deltaflow("check ball.toml --json missing/out").code == 6);
}

TEST_CASE("each error of the run has its exit code, and what was simulated is written", "[app]") {
    struct Case {
        int code;
        std::string model;
    };
    const auto [code, model] = GENERATE(values<Case>({
        {4, "d = { type = \"impulse\", at = 1 }\ny = \"d * d\"\n"},
        {5, ball.substr(ball.find("a   =")) + "zeno = \"error\"\n"},
        {7, "y = \"1 / (1 - t)\"\n"},
        {8, "y = { type = \"assert\", in = \"1 - t\", message = \"late\" }\n"},
    }));
    CAPTURE(code, model);
    const Workplace place;
    place.write("model.toml", "[parameters]\ne = 0.8\n[blocks]\n" + model);
    const Result result = place.deltaflow("run model.toml --stop 20 --json out.json");
    CHECK(result.code == code);
    CHECK_FALSE(result.err.empty());
    CHECK_THAT(place.read("out.json"),
               Contains(code == 5 ? "\"reason\": \"zeno\"" : "\"reason\": \"error\""));
}

TEST_CASE("an interrupted run exits with 130 and writes what there is", "[app]") {
    const Workplace place;
    place.write("long.toml",
                "[blocks]\nv = { type = \"integrator\", in = \"-x\", initial = 1 }\n"
                "x = { type = \"integrator\", in = \"v\" }\n"
                "[simulation]\nmethod = \"rk4\"\nstep = \"1/1000000\"\nstop = 100000\nevery = 1000\n");
    const Result result = place.interrupted("run long.toml --quiet --json out.json", 1.0);
    CHECK(result.code == 130);
    CHECK_THAT(ending(place.read("out.json")), Contains("\"reason\": \"interrupted\""));
}
