// What `run` and `check` write.
#include "tests/app/program.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <sstream>

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using nlohmann::json;

namespace {

std::vector<std::string> keys(const json& object) {
    std::vector<std::string> names;
    for (const auto& entry : object.items()) names.push_back(entry.key());
    return names;
}

std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> result;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) result.push_back(line);
    return result;
}

}  // namespace

TEST_CASE("a trace in JSON has every field", "[app]") {
    const Workplace place;
    place.write("ball.toml", ball);
    const Result result = place.deltaflow("run ball.toml --json -");
    REQUIRE(result.code == 0);
    CHECK(result.err.empty());
    const json trace = json::parse(result.out);
    CHECK(keys(trace) ==
          std::vector<std::string>{"end", "events", "model", "samples", "signals", "sliding", "statistics"});
    CHECK(trace["model"] == "Bouncing ball");
    CHECK(trace["signals"] == json({"y", "v", "F"}));
    CHECK(keys(trace["samples"]) == std::vector<std::string>{"F", "t", "v", "y"});
    for (const auto& column : trace["samples"]) CHECK(column.size() == 201);
    CHECK(trace["end"] == json({{"t", 4.0}, {"reason", "stop"}}));
    CHECK(keys(trace["statistics"]) == std::vector<std::string>{"evaluations", "events", "seconds", "steps"});
}

TEST_CASE("an event in JSON tells limits, impulses and cause", "[app]") {
    const Workplace place;
    place.write("ball.toml", ball);
    const json trace = json::parse(place.deltaflow("run ball.toml --json -").out);
    REQUIRE(trace["events"].size() == 2);
    const json event = trace["events"][0];
    CHECK(event["t"].get<double>() == Approx(1.4278431229270645).epsilon(1e-14));
    CHECK(event["epsilon"] == 0);
    CHECK(event["index"] == 0);
    CHECK(event["committed"] == true);
    CHECK(event["cause"] == json({"hit"}));
    CHECK(keys(event["signals"]) == std::vector<std::string>{"F", "v"});
    const json &v = event["signals"]["v"], &force = event["signals"]["F"];
    CHECK(v["left"].get<double>() == Approx(-14.007141035914502).epsilon(1e-13));
    CHECK(v["right"].get<double>() == Approx(11.205712828731602).epsilon(1e-13));
    CHECK(v["impulses"] == json::array());
    REQUIRE(force["impulses"].size() == 1);
    CHECK(force["impulses"][0].get<double>() == Approx(25.212853864646103).epsilon(1e-13));
}

TEST_CASE("option --at reports exactly the times it is given, fractions included", "[app]") {
    const Workplace place;
    place.write("ball.toml", ball);
    const json trace = json::parse(place.deltaflow("run --at 1,1/2,0.75 ball.toml --json - --record y").out);
    CHECK(trace["samples"]["t"] == json({0.5, 0.75, 1.0}));
    CHECK(trace["samples"]["y"][0].get<double>() == Approx(8.77375).epsilon(1e-14));
    CHECK(keys(trace["samples"]) == std::vector<std::string>{"t", "y"});
}

TEST_CASE("option --set, --stop and --every change the run", "[app]") {
    const Workplace place;
    place.write("ball.toml", ball);
    const json trace = json::parse(
        place.deltaflow("run ball.toml --set e=1 --stop 2 --every 1/4 --set simulation.start=0 --json -")
            .out);
    CHECK(trace["samples"]["t"].size() == 9);
    CHECK(trace["end"]["t"] == 2.0);
    CHECK(trace["events"][0]["signals"]["v"]["right"].get<double>() ==
          Approx(14.007141035914502).epsilon(1e-13));
}

TEST_CASE("a trace in CSV has a row a sample and two rows an event", "[app]") {
    const Workplace place;
    place.write("kick.toml", kick);
    const Result result = place.deltaflow("run kick.toml --csv - --every 1/2");
    REQUIRE(result.code == 0);
    CHECK(lines(result.out) == std::vector<std::string>{
                                   "t,epsilon,index,side,f,f.delta,x",
                                   "0,0,0,sample,0,,0",
                                   "0.5,0,0,sample,0,,0",
                                   "1,0,0,left,0,,0",
                                   "1,0,0,right,0,2,2",
                                   "1,0,0,sample,0,,2",
                                   "1.5,0,0,sample,0,,2",
                                   "2,0,0,sample,0,,2",
                               });
}

TEST_CASE("the summary tells of jumps, impulses and the end", "[app]") {
    const Workplace place;
    place.write("ball.toml", ball);
    const Result result = place.deltaflow("run ball.toml");
    CHECK(result.code == 0);
    CHECK_THAT(result.out, StartsWith("Bouncing ball\n"));
    CHECK_THAT(result.out, Contains("1.42784312") && Contains("hit") && Contains("v: -14.0071 -> 11.2057"));
    CHECK_THAT(result.out, Contains("F: 25.2129 delta") && Contains("ended at t = 4"));
    CHECK_THAT(place.deltaflow("run ball.toml --table").out, Contains("<1.42784312, 0>"));
}

TEST_CASE("option --quiet prints nothing, and nothing but data goes beside data", "[app]") {
    const Workplace place;
    place.write("ball.toml", ball);
    CHECK(place.deltaflow("run ball.toml --quiet").out.empty());
    CHECK(place.deltaflow("check ball.toml --quiet").out.empty());
    CHECK_NOTHROW(json::parse(place.deltaflow("run ball.toml --json - --table").out));
    CHECK_THAT(place.deltaflow("run ball.toml --svg -").out, StartsWith("<svg "));
    CHECK_NOTHROW(json::parse(place.deltaflow("check ball.toml --json -").out));
}

TEST_CASE("files are written whole and leave nothing beside them", "[app]") {
    const Workplace place;
    place.write("ball.toml", ball);
    place.write("out.json", "old");
    const Result result = place.deltaflow("run ball.toml --csv out.csv --json out.json --svg out.svg");
    CHECK(result.code == 0);
    CHECK(place.file_count() == 4);
    CHECK_NOTHROW(json::parse(place.read("out.json")));
    CHECK_THAT(place.read("out.csv"), StartsWith("t,epsilon,index,side,y,v,F,F.delta\n"));
    CHECK_THAT(place.read("out.svg"), Contains("25.21 δ") && Contains("</svg>"));
}

TEST_CASE("check reports counts, loops and regularity", "[app]") {
    const Workplace place;
    place.write("ball.toml", ball);
    const json report = json::parse(place.deltaflow("check ball.toml --json -").out);
    CHECK(keys(report) == std::vector<std::string>{"blocks", "links", "loops", "signals", "warnings"});
    CHECK(report["blocks"] == 5);
    CHECK(report["loops"] == json::array());
    CHECK(report["signals"] == json({{"F", "delta"}, {"v", "jump"}, {"y", "C0"}}));
    CHECK(report["warnings"] == json::array());
    CHECK_THAT(place.deltaflow("check ball.toml").out, Contains("5 blocks") && Contains("no warnings"));
}

TEST_CASE("the catalogue prints as text and as a JSON schema", "[app]") {
    const Workplace place;
    CHECK_THAT(place.deltaflow("blocks").out, Contains("integrator") && Contains("crossing"));
    CHECK_THAT(place.deltaflow("blocks gain").out, Contains("gain") && Contains("k"));
    const json schema = json::parse(place.deltaflow("blocks --schema").out);
    CHECK(schema.contains("$schema"));
}

TEST_CASE("the same model gives the same bits", "[app]") {
    const Workplace place;
    place.write("ball.toml", ball);
    for (const std::string option : {"--csv", "--svg"}) {
        const std::string once = place.deltaflow("run ball.toml " + option + " -").out;
        CHECK(once == place.deltaflow("run ball.toml " + option + " -").out);
        CHECK_FALSE(once.empty());
    }
}
