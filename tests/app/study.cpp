// Studies that are too long to lose: rows as they end, parts, going on after a kill.
#include "tests/app/program.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>

using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

const char* const line = "[parameters]\na = 1\nb = 0\n[blocks]\ny = \"a*t + b\"\n[simulation]\nstop = 2\n";

// The file as a kill may have left it: so many bytes of it.
void tear(const Workplace& place, const std::string& name, std::size_t bytes) {
    place.write(name, place.read(name).substr(0, bytes));
}

// Which study it is, as the program writes it: what it says of one part, said of the whole.
std::string record_of(const Workplace& place, const std::string& sweep) {
    place.deltaflow(sweep + " --shard 1/2 --csv half.csv --quiet");
    std::string record = place.read("half.csv.study");
    const std::size_t end = record.find("shard 1 of 2");
    REQUIRE(end != std::string::npos);
    return record.replace(end, std::string::npos, "shard 1 of 1\n");
}

}  // namespace

TEST_CASE("parts of a sweep, put together, are the whole, byte by byte", "[app][sweep][study]") {
    const Workplace place;
    place.write("ball.toml", ball);
    const std::string sweep =
        "sweep ball.toml --over e=0.5:0.9:0.05 --over simulation.stop=3,4 --quiet --measure \"max(v)\" ";
    for (const std::string kind : {"csv", "jsonl"}) {
        CHECK(place.deltaflow(sweep + "--" + kind + " whole." + kind).code == 0);
        CHECK_FALSE(place.has("whole." + kind + ".study"));
        std::string parts;
        for (const std::string k : {"1", "2", "3"}) {
            CHECK(place.deltaflow(sweep + "--shard " + k + "/3 --" + kind + " part" + k).code == 0);
            parts = " part" + k + parts;
        }
        const Result merged = place.deltaflow("sweep merge" + parts + " --output merged." + kind);
        CHECK(merged.code == 0);
        CHECK(place.read("merged." + kind) == place.read("whole." + kind));
        CHECK(place.deltaflow("merge" + parts).out == place.read("whole." + kind));
    }
    const json row = json::parse(place.read("whole.jsonl").substr(0, place.read("whole.jsonl").find('\n')));
    CHECK(row["run"] == 0);
    CHECK(row["parameters"]["simulation.stop"] == 3);

    CHECK_THAT(place.deltaflow("sweep merge part1 part3").err, Contains("part 2 of 3 is missing"));
    CHECK_THAT(place.deltaflow("sweep merge part1 part1 part3").err, Contains("the same part"));
    place.deltaflow("sweep ball.toml --over e=0.5:0.9:0.05 --shard 2/3 --jsonl other --quiet");
    CHECK_THAT(place.deltaflow("sweep merge part1 other part3").err, Contains("another study"));
    CHECK(place.deltaflow("sweep merge part1 part2 part3 --output part2").code == 2);
    CHECK_THAT(place.deltaflow("sweep merge whole.jsonl").err, Contains("whole.jsonl.study"));
    tear(place, "part2", place.read("part2").size() - 3);
    CHECK_THAT(place.deltaflow("sweep merge part1 part2 part3").err, Contains("--resume"));
}

TEST_CASE("parts without a run are put together with the others", "[app][sweep][study]") {
    const Workplace place;
    place.write("line.toml", line);
    for (const std::string kind : {"csv", "jsonl"}) {
        CAPTURE(kind);
        const std::string sweep = "sweep line.toml --over a=1,2 --quiet ", out = " --" + kind + " ";
        CHECK(place.deltaflow(sweep + out + "whole." + kind).code == 0);
        for (const std::string k : {"1", "2", "3"})
            CHECK(place.deltaflow(sweep + "--shard " + k + "/3" + out + "part" + k).code == 0);
        CHECK(place.deltaflow("sweep merge part3 part2 part1").out == place.read("whole." + kind));
    }
}

TEST_CASE("a study goes on wherever it was torn, and comes out the same", "[app][sweep][study]") {
    const Workplace place;
    place.write("line.toml", line);
    const std::string sweep = "sweep line.toml --over a=1:9:1 ";
    REQUIRE(place.deltaflow(sweep + "--csv out.csv").code == 0);
    const std::string whole = place.read("out.csv"), record = record_of(place, sweep);
    REQUIRE(std::count(whole.begin(), whole.end(), '\n') == 10);
    for (std::size_t bytes = 0; bytes <= whole.size(); bytes += 5) {
        CAPTURE(bytes);
        place.write("out.csv", whole.substr(0, bytes));
        // One early row, one that was interrupted, and half of one.
        place.write("out.csv.study", record + "5 6,12,0,stop\n6 7,,0,interrupted\n7 8,16");
        const Result result = place.deltaflow(sweep + "--csv out.csv --resume");
        CHECK(result.code == 0);
        CHECK(place.read("out.csv") == whole);
        CHECK_FALSE(place.has("out.csv.study"));
    }
    // It is complete: nothing is run again.
    CHECK_THAT(place.deltaflow(sweep + "--csv out.csv --resume").out, Contains("0 runs"));
    // Nothing is there yet: it begins.
    CHECK(place.deltaflow(sweep + "--csv new.csv --resume").code == 0);
    CHECK(place.read("new.csv") == whole);
}

TEST_CASE("a study does not go on with what belongs to another", "[app][sweep][study]") {
    const Workplace place;
    place.write("line.toml", line);
    const std::string sweep = "sweep line.toml --over a=1:9:1 ";
    const std::string record = record_of(place, sweep);
    place.write("out.csv", "a,y,events,end\n1,2,0,stop\n");
    const auto refused = [&](const std::string& arguments, const std::string& words) {
        const Result result = place.deltaflow(arguments + " --csv out.csv --resume");
        CAPTURE(arguments);
        CHECK(result.code == 2);
        CHECK_THAT(result.err, Contains(words));
        CHECK(place.read("out.csv") == "a,y,events,end\n1,2,0,stop\n");
    };
    refused(sweep, "out.csv.study");
    place.write("out.csv.study", record);
    refused("sweep line.toml --over a=1:8:1", "another study");
    refused(sweep + "--set b=1", "another study");
    refused(sweep + "--stop 3", "another study");
    refused(sweep + "--measure \"max(y)\"", "another study");
    refused(sweep + "--shard 1/2", "another study");
    place.write("line.toml", std::string(line) + "every = 0.5\n");
    refused(sweep, "another study");
    CHECK(place.deltaflow(sweep + "--resume").code == 2);
    CHECK(place.deltaflow(sweep + "--resume --csv out.csv --svg out.svg").code == 2);
    CHECK(place.deltaflow(sweep + "--resume --csv -").code == 2);
}

TEST_CASE("what an interrupt cut short is run again, what came behind it is not", "[app][sweep][study]") {
    const Workplace place;
    place.write(
        "long.toml",
        "[parameters]\nx0 = 1\nlast = 1\n[blocks]\nv = { type = \"integrator\", in = \"-x\", initial = "
        "\"x0\" }\nx = { type = \"integrator\", in = \"v\" }\n[simulation]\nmethod = \"rk4\"\nstep = "
        "\"1/1000000\"\nstop = \"last\"\nevery = 1000\n");
    const std::string sweep = "sweep long.toml --over x0=1:4:1 --over last=0.001,20 --csv out.csv";
    CHECK(place.interrupted(sweep, 1.0).code == 130);
    const std::string cut = place.read("out.csv");
    CHECK_THAT(cut, Contains("interrupted\n"));
    CHECK(place.has("out.csv.study"));
    CHECK(place.interrupted(sweep + " --resume", 1.0).code == 130);
    const std::string again = place.read("out.csv");
    CHECK(again.substr(0, again.find("20,")) == cut.substr(0, cut.find("20,")));
}

TEST_CASE("a study goes on where nothing was left to begin, but all was cut short", "[app][sweep][study]") {
    const Workplace place;
    place.write("long.toml",
                "[parameters]\nlast = 1\n[blocks]\nx = { type = \"integrator\", in = \"-x\", initial = 1 }\n"
                "[simulation]\nmethod = \"rk4\"\nstep = \"1/1000000\"\nstop = \"last\"\nevery = 1000\n");
    const std::string first = "sweep long.toml --over last=20,21 --jobs 2 --csv ";
    for (const std::string shard : {"", " --shard 1/1"}) {
        CAPTURE(shard);
        CHECK(place.interrupted(first + "out.csv" + shard, 1.0).code == 130);
        CHECK_THAT(place.read("out.csv"), Contains("interrupted\n"));
        REQUIRE(place.has("out.csv.study"));
        CHECK_THAT(place.deltaflow("merge out.csv").err, Contains("0 of 2 rows"));
        CHECK(place.interrupted(first + "out.csv --resume" + shard, 1.0).code == 130);
    }
}

TEST_CASE("runs that record more make room in rows that are there", "[app][sweep][study]") {
    const Workplace place;
    place.write("row.toml",
                "[parameters]\nn = 1\n[diagrams.one]\noutputs = [\"y\"]\n[diagrams.one.blocks]\ny = 1\n"
                "[blocks]\na = { type = \"one\", count = \"n\" }\n[simulation]\nstop = 1\n");
    const std::string whole =
        "n,a[0].y,a[1].y,a[2].y,events,end\n1,1,,,0,stop\n2,1,1,,0,stop\n3,1,1,1,0,stop\n";
    CHECK(place.deltaflow("sweep row.toml --over n=1:3:1 --csv out.csv").code == 0);
    CHECK(place.read("out.csv") == whole);
    for (const std::string k : {"1", "2", "3"})
        place.deltaflow("sweep row.toml --over n=1:3:1 --shard " + k + "/3 --csv part" + k);
    CHECK(place.deltaflow("merge part1 part2 part3").out == whole);
}

TEST_CASE("points of a study may stand in a file", "[app][sweep][study]") {
    const Workplace place;
    place.write("line.toml", line);
    place.write("points.csv", "b;a\n1; 2\n\n3;1/2\n");
    CHECK(place.deltaflow("sweep line.toml --over @points.csv --csv -").out ==
          "b,a,y,events,end\n1,2,5,0,stop\n3,0.5,4,0,stop\n");
    place.write("points.csv", "b;a\n1;2\n3\n");
    const Result torn = place.deltaflow("sweep line.toml --over @points.csv --csv -");
    CHECK(torn.code == 2);
    CHECK_THAT(torn.err, Contains("points.csv:3"));
    CHECK(place.deltaflow("sweep line.toml --over @none.csv").code == 6);
    CHECK(place.deltaflow("sweep line.toml --over @points.csv --csv points.csv").code == 2);
}

TEST_CASE("a program without MPI does not run as several copies that write one file", "[app][sweep][study]") {
    const Workplace place;
    place.write("line.toml", line);
    const Result result =
        place.deltaflow("sweep line.toml --over a=1,2 --csv out.csv", {{"OMPI_COMM_WORLD_SIZE", "2"}});
    CHECK(result.code == 2);
    CHECK_THAT(result.err, Contains("--shard K/N"));
    CHECK_FALSE(place.has("out.csv"));
}
