// The same mistake in every option, models from standard input, help in words of this program.
#include "tests/app/program.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cctype>
#include <vector>

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

// Commands that read a model, with what else they need.
const std::vector<std::string> reading_commands = {"run - --quiet --json -",
                                                   "check -",
                                                   "compare - --steps 1/100",
                                                   "exact -",
                                                   "show -",
                                                   "explain - --event 1",
                                                   "sweep - --over e=0.5,0.8"};

// The longest row of digits.
std::size_t longest_number(const std::string& text) {
    std::size_t longest = 0, here = 0;
    for (const char c : text) {
        here = std::isdigit(static_cast<unsigned char>(c)) ? here + 1 : 0;
        longest = std::max(longest, here);
    }
    return longest;
}

}  // namespace

TEST_CASE("a name that the model does not have is wrong usage in every option", "[app]") {
    const Workplace place;
    place.write("ball.toml", ball);
    for (const std::string arguments :
         {"run ball.toml --set zz=1", "run ball.toml --record zz", "run ball.toml --plot zz",
          "compare ball.toml --signal zz", "sweep ball.toml --over zz=1,2", "show ball.toml --mode zz=on",
          "check ball.toml --set zz=1", "exact ball.toml --record zz", "run ball.toml --set simulation.zz=1",
          "explain ball.toml --event 1 --set zz=1"}) {
        CAPTURE(arguments);
        const Result result = place.deltaflow(arguments);
        CHECK(result.code == 2);
        CHECK(result.out.empty());
        CHECK_THAT(result.err, Contains("zz"));
    }
}

TEST_CASE("a value that makes no sense is wrong usage, by the option or by --set", "[app]") {
    const Workplace place;
    place.write("ball.toml", ball);
    for (const std::string key : {"stop", "step", "every", "method", "impulses"}) {
        CAPTURE(key);
        CHECK(place.deltaflow("run ball.toml --" + key + " x-y").code == 2);
        CHECK(place.deltaflow("run ball.toml --set simulation." + key + "=x-y").code == 2);
    }
    const Result stop = place.deltaflow("run ball.toml --stop -1");
    CHECK(stop.code == 2);
    CHECK_THAT(stop.err,
               StartsWith("--stop:1:1: the stop time -1 must come after the start time 0\n    1 | -1\n"));
    CHECK_THAT(place.deltaflow("run ball.toml --set simulation.stop=-1").err, StartsWith("--set:1:17: "));
}

TEST_CASE("steps and samples that are too short are the mistake of who gave them", "[app]") {
    const Workplace place;
    place.write("ball.toml", ball);
    place.write("plain.toml", "[blocks]\ny = \"t\"\n");
    place.write("step.toml", "[blocks]\ny = \"t\"\n[simulation]\nstep = 1e-300\nmethod = \"rk4\"\n");
    place.write("every.toml", "[blocks]\ny = \"t\"\n[simulation]\nevery = 1e-12\n");
    for (const char* given :
         {"run plain.toml --every 1e-12", "run plain.toml --set simulation.every=1e-12",
          "run plain.toml --method rk4 --step 1e-300", "run plain.toml --impulses numeric --step 1e-12",
          "run step.toml --step 1e-299", "compare ball.toml --steps 1e-12"}) {
        INFO(given);
        CHECK(place.deltaflow(given).code == 2);
    }
    CHECK(place.deltaflow("run step.toml").code == 3);
    CHECK(place.deltaflow("run every.toml").code == 3);
    CHECK(place.deltaflow("run step.toml --step 1/10 --quiet").code == 0);
}

TEST_CASE("a picture of a time that the run does not have is refused", "[app]") {
    const Workplace place;
    place.write("ball.toml", ball);
    for (const char* part : {"--from 100", "--to -1", "--at 100", "--size 600x", "--size x600"}) {
        INFO(part);
        CHECK(place.deltaflow(std::string("run ball.toml --svg a.svg ") + part).code == 2);
    }
    CHECK(place.file_count() == 1);
}

TEST_CASE("a wrong model stays a wrong model beside a wrong option", "[app]") {
    const Workplace place;
    place.write("wrong.toml", "[blocks]\ny = \"u\"\n");
    CHECK(place.deltaflow("run wrong.toml").code == 3);
    CHECK(place.deltaflow("run wrong.toml --set zz=1").code == 3);
}

TEST_CASE("who sets an unknown name is told the parameters", "[app]") {
    const Workplace place;
    place.write("ball.toml", ball);
    place.write("none.toml", "[blocks]\ny = \"t\"\n");
    CHECK_THAT(place.deltaflow("run ball.toml --set zz=1").err, Contains("= its parameters: e\n"));
    CHECK_THAT(place.deltaflow("run none.toml --set zz=1").err, Contains("= it has no parameters at all\n"));
    std::string many = "[parameters]\n";
    for (int i = 0; i < 100; ++i) many += "p" + std::to_string(i) + " = 1\n";
    place.write("many.toml", many + "[blocks]\ny = \"p1\"\n");
    CHECK_THAT(place.deltaflow("run many.toml --set zz=1").err, Contains("p39 and 60 more\n"));
}

TEST_CASE("a dash is a model from standard input, in every command", "[app]") {
    const Workplace place;
    place.write("ball.toml", ball);
    place.write("wrong.toml", "[blocks]\ny = \"u\"\n");
    place.write("empty.toml", "");
    for (const std::string& command : reading_commands) {
        CAPTURE(command);
        const Result result = place.reading("ball.toml", command);
        CHECK(result.code == 0);
        CHECK_THAT(result.out, Contains(command.front() == 's' ? "y" : "Bouncing ball"));
        const Result wrong = place.reading("wrong.toml", command);
        CHECK(wrong.code == 3);
        CHECK_THAT(wrong.err, Contains("standard input:2:6: "));
    }
    CHECK(place.reading("empty.toml", "run -").code == 3);
    CHECK(place.reading(".", "run -").code == 6);
}

TEST_CASE("a model from standard input finds what it uses in the present folder", "[app]") {
    const Workplace place;
    place.write("part.toml", "[diagrams.two]\noutputs = [\"y\"]\n[diagrams.two.blocks]\ny = 2\n");
    place.write("model.toml", "use = [\"part.toml\"]\n[blocks]\nx = { type = \"two\" }\n");
    CHECK_THAT(place.reading("model.toml", "run - --quiet --at 1 --csv -").out,
               Contains("\n1,0,0,sample,2\n"));
}

TEST_CASE("help is a command", "[app]") {
    const Workplace place;
    CHECK(place.deltaflow("help").out == place.deltaflow("--help").out);
    for (const std::string command : {"run", "check", "explain", "sweep", "completion", "help"})
        CHECK(place.deltaflow("help " + command).out == place.deltaflow(command + " --help").out);
    const Result unknown = place.deltaflow("help rnu");
    CHECK(unknown.code == 2);
    CHECK_THAT(unknown.err, Contains("did you mean run?"));
}

TEST_CASE("wrong numbers and flags are told in words of this program", "[app]") {
    const Workplace place;
    place.write("ball.toml", ball);
    const auto [arguments, text] = GENERATE(table<std::string, std::string>({
        {"explain ball.toml --event 0", "--event: 0 is too small; 1 or more is wanted"},
        {"explain ball.toml --event 1.5", "\"1.5\" is not a whole number, 1 or more"},
        {"explain ball.toml --event -1", "\"-1\" is not a whole number, 1 or more"},
        {"explain ball.toml --event 99999999999999999999999", "is too large"},
        {"explain ball.toml --event 1 --at 2", "--at and --event do not go together"},
        {"run ball.toml --threads x", "\"x\" is not a whole number, 0 or more"},
        {"run ball.toml --threads 99999999", "at most 1024"},
        {"run ball.toml --max-blocks 0", "1 or more"},
        {"run ball.toml --checkpoint c --every-seconds 1x", "\"1x\" is not a number"},
        {"show ball.toml --most 5001", "at most 5000"},
        {"hypa ball.toml --compose x", "not a whole number"},
        {"sweep ball.toml --over e=1,2 --jobs 0", "1 or more"},
        {"run ball.toml --json", "--json needs a value: FILE"},
        {"run ball.toml --stop 1 --stop 2", "--stop is given twice"},
        {"run ball.toml --quiet=3", "--quiet takes no value"},
        {"studio --port x", "not a whole number"},
        {"studio --port 70000", "at most 65535"},
        {"completion", "for which shell?"},
    }));
    CAPTURE(arguments);
    const Result result = place.deltaflow(arguments);
    CHECK(result.code == 2);
    CHECK_THAT(result.err, Contains(text) && Contains("Try \"deltaflow "));
    CHECK(longest_number(result.err) < 24);
}

TEST_CASE("the manual page tells of files and of the model format", "[app]") {
    const std::string page = Workplace().deltaflow("man").out;
    for (const std::string part :
         {".SH MODEL FORMAT\n", ".SH FILES\n", "[blocks]", "[parameters]", "checkpoint"})
        CHECK_THAT(page, Contains(part));
}

TEST_CASE("the model of the manual page runs", "[app]") {
    const Workplace place;
    const std::string page = place.deltaflow("man").out;
    const std::size_t begin = page.find("name  = ", page.find(".SH MODEL FORMAT"));
    std::string model = page.substr(begin, page.find(".fi", begin) - begin);
    for (std::size_t at; (at = model.find("\\-")) != std::string::npos;) model.erase(at, 1);
    place.write("model.toml", model);
    place.write("library.toml", "");
    const Result result = place.deltaflow("run model.toml");
    CAPTURE(model, result.err);
    CHECK(result.code == 0);
    CHECK_THAT(result.out, Contains("F: 25.2129 delta"));
}
