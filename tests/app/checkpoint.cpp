// Runs that are taken up again.
#include "tests/app/program.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace deltaflow::test;

namespace {

// Long enough to be interrupted on any machine, and then to come to its end.
const char* const oscillator =
    "[blocks]\n"
    "x = { type = \"integrator\", in = \"y\", initial = 2 }\n"
    "y = { type = \"integrator\", in = \"10*(1 - x^2)*y - x + 0.1*sin(3*t)\" }\n"
    "n = { type = \"integrator\", in = \"hit\" }\n"
    "hit = { type = \"crossing\", in = \"x\", direction = \"rising\" }\n"
    "[simulation]\nstop = 60000\nevery = 3\nrecord = [\"x\", \"n\"]\n";

nlohmann::json trace_of(const std::string& text) {
    auto trace = nlohmann::json::parse(text);
    trace["statistics"].erase("seconds");
    return trace;
}

}  // namespace

TEST_CASE("a run goes on from its checkpoint as if it had not been interrupted", "[app][slow]") {
    const Workplace place;
    place.write("m.toml", oscillator);
    REQUIRE(place.deltaflow("run m.toml --json whole.json --csv whole.csv --quiet").code == 0);
    const auto cut = place.interrupted(
        "run m.toml --json part.json --csv part.csv --checkpoint state --every-seconds 0.05 --quiet", 0.4);
    if (cut.code == 0) return;  // it was faster than that
    REQUIRE(cut.code == 130);
    const auto rest = place.deltaflow("run m.toml --json rest.json --csv rest.csv --resume state --quiet");
    REQUIRE(rest.code == 0);
    CHECK(trace_of(place.read("rest.json")) == trace_of(place.read("whole.json")));
    const std::string second = place.read("rest.csv");
    CHECK(place.read("part.csv") + second.substr(second.find('\n') + 1) == place.read("whole.csv"));
}

TEST_CASE("what is no checkpoint of this run is refused", "[app]") {
    const Workplace place;
    place.write("m.toml", "[blocks]\ny = \"t\"\n");
    CHECK(place.deltaflow("run m.toml --resume missing").code == 6);
    const auto wrong = place.deltaflow("run m.toml --resume m.toml");
    CHECK(wrong.code == 2);
    CHECK_THAT(wrong.err, Catch::Contains("m.toml: this is no saved state"));
    for (const char* seconds : {"0", "-1", "nan", "often"})
        CHECK(place.deltaflow(std::string("run m.toml --checkpoint state --every-seconds ") + seconds).code ==
              2);
    CHECK(place.deltaflow("run m.toml --checkpoint -").code == 2);
    CHECK(place.deltaflow("run m.toml --resume .").code == 6);
}
