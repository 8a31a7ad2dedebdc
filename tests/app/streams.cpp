// What the program writes while a run goes on.
#include "tests/app/program.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <sstream>

using namespace deltaflow::test;

TEST_CASE("a line of JSON for each sample and event, and for the end", "[app]") {
    const Workplace place;
    place.write("m.toml",
                "[blocks]\nd = { type = \"impulse\", at = 1 }\nx = { type = \"integrator\", in = \"d\" }\n"
                "[simulation]\nstop = 2\nevery = \"1/2\"\n");
    const auto result = place.deltaflow("run m.toml --jsonl out.jsonl --csv out.csv --json out.json --quiet");
    REQUIRE(result.code == 0);
    std::istringstream lines(place.read("out.jsonl"));
    std::vector<nlohmann::json> all;
    for (std::string line; std::getline(lines, line);) all.push_back(nlohmann::json::parse(line));
    REQUIRE(all.size() == 8);  // heading, 5 samples, an event, the end
    CHECK(all[0]["signals"] == nlohmann::json({"d", "x"}));
    CHECK(all[1]["sample"]["t"] == 0.0);
    CHECK(all[3]["event"]["signals"]["x"]["right"] == 1.0);
    CHECK(all[4]["sample"]["x"] == 1.0);
    CHECK(all[7]["end"]["reason"] == "stop");
    const auto document = nlohmann::json::parse(place.read("out.json"));
    CHECK(document["events"][0] == all[3]["event"]);
}

TEST_CASE("a stream to standard output is the only one there", "[app]") {
    const Workplace place;
    place.write("m.toml", "[blocks]\ny = \"t\"\n");
    const auto result = place.deltaflow("run m.toml --jsonl - --csv -");
    CHECK(result.code == 2);
    CHECK(result.err.find("two outputs cannot both go to standard output") != std::string::npos);
}

TEST_CASE("a stream that cannot be written does not keep the others from it", "[app]") {
    const Workplace place;
    place.write("m.toml", "[blocks]\ny = \"t\"\n");
    const auto result = place.deltaflow("run m.toml --jsonl /dev/full --csv out.csv --quiet");
    CHECK(result.code == 6);
    CHECK(place.read("out.csv").find("\n10,0,0,sample,10") != std::string::npos);
}
