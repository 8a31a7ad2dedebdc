// Many runs over ranges of parameters.
#include "tests/app/program.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

std::vector<std::vector<std::string>> rows_of(const std::string& csv) {
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line);) {
        rows.emplace_back();
        std::istringstream cells(line);
        for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
    }
    return rows;
}

std::size_t lines_of(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_CASE("a sweep has a row a run, with what the run itself ends with", "[app][sweep]") {
    const Workplace place;
    place.write("ball.toml", ball);
    const Result result = place.deltaflow("sweep ball.toml --over e=0.7:0.9:0.05 --csv -");
    CHECK(result.code == 0);
    CHECK(result.err.empty());
    const auto rows = rows_of(result.out);
    REQUIRE(rows.size() == 6);
    CHECK(rows[0].front() == "e");
    CHECK(std::vector<std::string>(rows[0].end() - 2, rows[0].end()) ==
          std::vector<std::string>{"events", "end"});
    for (std::size_t i = 1; i < rows.size(); ++i) {
        CAPTURE(i);
        const json run =
            json::parse(place.deltaflow("run ball.toml --quiet --json - --set e=" + rows[i][0]).out);
        CHECK(std::stod(rows[i][0]) == Approx(0.65 + 0.05 * static_cast<double>(i)).epsilon(1e-15));
        for (std::size_t s = 1; s + 2 < rows[0].size(); ++s)
            CHECK(std::stod(rows[i][s]) == run["samples"][rows[0][s]].back().get<double>());
        CHECK(std::stoul(rows[i][rows[i].size() - 2]) == run["events"].size());
        CHECK(rows[i].back() == "stop");
    }
}

TEST_CASE("ranges count in fractions, both ends included", "[app][sweep]") {
    const Workplace place;
    place.write("line.toml", "[parameters]\na = 1\n[blocks]\ny = \"a*t\"\n[simulation]\nstop = 2\n");
    CHECK(lines_of(place.deltaflow("sweep line.toml --over a=0:1:0.01 --csv -").out) == 102);
    CHECK(place.deltaflow("sweep line.toml --over a=1:-1:-1,1/4 --csv -").out ==
          "a,y,events,end\n1,2,0,stop\n0,0,0,stop\n-1,-2,0,stop\n0.25,0.5,0,stop\n");
    CHECK(place.deltaflow("sweep line.toml --over a=1:2:0.75").out ==
          "   a    y  events   end\n   1    2       0  stop\n1.75  3.5       0  stop\n2 runs: 2 stop\n");
}

TEST_CASE("several ranges are combined, the last one fastest, whatever the number of threads",
          "[app][sweep]") {
    const Workplace place;
    place.write("line.toml",
                "[parameters]\na = 1\nb = 0\n[blocks]\ny = \"a*t + b\"\n[simulation]\nstop = 2\n");
    const std::string over = "sweep line.toml --over a=1,2 --over b=0:2:1 --csv - --jobs ";
    const Result one = place.deltaflow(over + "1"), many = place.deltaflow(over + "7");
    CHECK(one.out ==
          "a,b,y,events,end\n1,0,2,0,stop\n1,1,3,0,stop\n1,2,4,0,stop\n"
          "2,0,4,0,stop\n2,1,5,0,stop\n2,2,6,0,stop\n");
    CHECK(many.out == one.out);
}

TEST_CASE("runs that end early have their rows, with the last values they had", "[app][sweep]") {
    const Workplace place;
    place.write("kick.toml",
                "[parameters]\nn = 1\n[blocks]\nd = { type = \"impulse\", at = 1 }\nv = { type = "
                "\"integrator\", in = \"d\", initial = 5 }\n"
                "y = \"n*d*step1*step1\"\nstep1 = { type = \"step\", at = \"2 - n\" }\n[simulation]\n"
                "stop = 3\nrecord = [\"v\", \"y\"]\n");
    const Result result = place.deltaflow("sweep kick.toml --over n=0.5,1 --csv -");
    CHECK(result.code == 0);
    const auto rows = rows_of(result.out);
    REQUIRE(rows.size() == 3);
    CHECK(rows[1] == std::vector<std::string>{"0.5", "6", "0", "2", "stop"});
    CHECK(rows[2] == std::vector<std::string>{"1", "5", "0", "0", "error"});
    CHECK_THAT(result.err, Contains("with n = 1:\nkick.toml:6:"));
}

TEST_CASE("a run that ends within a step shows what it had come to", "[app][sweep]") {
    const Workplace place;
    // Islands that share nothing: x ends the run, the others have gone further or not as far.
    const std::string blocks =
        "[parameters]\na = 1\n[blocks]\ny = { type = \"integrator\", in = \"2*t\" }\n"
        "x = { type = \"integrator\", in = \"1\" }\nz = \"3*t\"\n";
    const std::string stop = "[simulation]\nstop = 2\nrecord = [\"x\", \"y\", \"z\"]\n";
    place.write("bound.toml", blocks + "ok = { type = \"assert\", in = \"a - x\" }\n" + stop);
    const auto rows = rows_of(place.deltaflow("sweep bound.toml --over a=0.5:3:1 --csv -").out);
    REQUIRE(rows.size() == 4);
    CHECK(rows[1] == std::vector<std::string>{"0.5", "0.5", "0.25", "1.5", "0", "error"});
    CHECK(rows[2] == std::vector<std::string>{"1.5", "1.5", "2.25", "4.5", "0", "error"});
    CHECK(rows[3] == std::vector<std::string>{"2.5", "2", "4", "6", "0", "stop"});

    place.write("blow.toml", blocks + "w = { type = \"integrator\", in = \"w*w\", initial = \"a\" }\n" +
                                 "[simulation]\nstop = 2\n");
    const json blown = json::parse(place.deltaflow("sweep blow.toml --over a=1 --json -").out)["rows"][0];
    CHECK(blown["end"]["t"].get<double>() == Approx(1));
    CHECK(blown["signals"]["w"].get<double>() > 1000);
    CHECK(blown["signals"]["y"].get<double>() == Approx(1).epsilon(1e-9));
}

TEST_CASE("a sweep may give what the file leaves wrong, and reads each file once", "[app][sweep]") {
    const Workplace place;
    place.write("part.toml",
                "[diagrams.half]\nparameters = { k = 1 }\ninputs = [\"u\"]\noutputs = [\"y\"]\n"
                "[diagrams.half.blocks]\ny = \"u / k\"\n");
    place.write("whole.toml",
                "use = \"part.toml\"\n[parameters]\na = 0\nb = \"2*a\"\n[blocks]\n"
                "h = { type = \"half\", u = \"t\", k = \"b\" }\n[simulation]\nstop = 2\n");
    CHECK(place.deltaflow("run whole.toml").code == 3);
    CHECK(place.deltaflow("sweep whole.toml --over a=0,1,b --csv -").out ==
          "a,h.y,events,end\n0,,0,error\n1,1,0,stop\nb,,0,error\n");
}

TEST_CASE("a sweep tells of mistakes once, where they were made", "[app][sweep]") {
    const Workplace place;
    place.write("ball.toml", ball);
    const Result wrong = place.deltaflow("sweep ball.toml --over ee=0:1:0.1");
    CHECK(wrong.code == 2);
    CHECK_THAT(wrong.err, Contains("--over:1:1: the model has no parameter \"ee\"; did you mean \"e\"?"));
    CHECK(place.deltaflow("sweep nothing.toml --over e=0:1:0.1").code == 6);
    CHECK(place.deltaflow("sweep ball.toml --over e=0:1:0.5 --csv no/such.csv").code == 6);
    const auto [over, text] = GENERATE(table<std::string, std::string>({
        {"", "--over is required"},
        {"--over e", "name=from:to:step"},
        {"--over e=", "has no values"},
        {"--over e=0:1", "from:to:step"},
        {"--over e=0:one:1", "\"one\" is not a number"},
        {"--over e=0:1:0", "is 0"},
        {"--over e=1:0:0.1", "wrong sign"},
        {"--over e=0:1:1e-9", "more than"},
        {"--over e=0:1:0.001 --over simulation.stop=1:2:0.001", "runs; at most"},
        {"--over e=0:1:0.1 --over e=1", "given twice"},
        {"--over e=0:1:0.1 --jobs 0", "--jobs"},
        {"--over e=0:1:0.1 --csv - --json -", "standard output"},
    }));
    CAPTURE(over);
    const Result usage = place.deltaflow("sweep ball.toml " + over);
    CHECK(usage.code == 2);
    CHECK_THAT(usage.err, Contains(text));
}

TEST_CASE("values of a sweep may be words, and its runs may record different signals", "[app][sweep]") {
    const Workplace place;
    place.write("ball.toml", ball);
    const json methods = json::parse(
        place.deltaflow("sweep ball.toml --over simulation.method=taylor,rk4 --step 1/1000 --json -").out);
    REQUIRE(methods["rows"].size() == 2);
    CHECK(methods["rows"][1]["parameters"]["simulation.method"] == "rk4");
    CHECK(methods["rows"][1]["signals"]["y"].get<double>() ==
          Approx(methods["rows"][0]["signals"]["y"].get<double>()).epsilon(1e-9));
    CHECK(methods["rows"][0]["end"]["t"] == 4);

    place.write("row.toml",
                "[parameters]\nn = 1\n[diagrams.one]\noutputs = [\"y\"]\n[diagrams.one.blocks]\ny = 1\n"
                "[blocks]\na = { type = \"one\", count = \"n\" }\n[simulation]\nstop = 1\n");
    CHECK(place.deltaflow("sweep row.toml --over n=1:2:1 --csv -").out ==
          "n,a[0].y,a[1].y,events,end\n1,1,,0,stop\n2,1,1,0,stop\n");
}

TEST_CASE("an interrupted sweep exits with 130 and writes the rows there are", "[app][sweep]") {
    const Workplace place;
    place.write(
        "long.toml",
        "[parameters]\nx0 = 1\n[blocks]\nv = { type = \"integrator\", in = \"-x\", initial = \"x0\" }\n"
        "x = { type = \"integrator\", in = \"v\" }\n"
        "[simulation]\nmethod = \"rk4\"\nstep = \"1/1000000\"\nstop = 100000\nevery = 1000\n");
    const Result result = place.interrupted(
        "sweep long.toml --over x0=1:100:1 --over simulation.stop=0.001,100000 --csv out.csv", 1.0);
    CHECK(result.code == 130);
    const std::string csv = place.read("out.csv");
    CHECK_THAT(csv, Contains("stop\n"));
    CHECK(lines_of(csv) < 20);
}
