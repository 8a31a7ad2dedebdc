// Sweeps that measure, draw and leave values to chance.
#include "tests/app/program.hpp"
#include "tests/paths.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <numbers>
#include <sstream>

using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

const std::string diagrams = deltaflow::test::project_folder() + "/diagrams/";

json rows_of(const Workplace& place, const std::string& arguments) {
    const Result result = place.deltaflow("sweep " + arguments + " --json -");
    INFO(result.err);
    REQUIRE(result.code == 0);
    return json::parse(result.out)["rows"];
}

double measured(const json& row, const std::string& name) { return row["measures"][name].get<double>(); }

std::vector<double> column(const json& rows, const std::string& name) {
    std::vector<double> values;
    for (const auto& row : rows) values.push_back(row["parameters"][name].get<double>());
    return values;
}

}  // namespace

TEST_CASE("measures of a bouncing ball have their closed forms", "[app][sweep]") {
    const Workplace place;
    const json rows = rows_of(place, diagrams +
                                         "bouncing_ball.toml --over e=0.5:0.9:0.2 --measure max(y),min(y) "
                                         "--measure max(v) --measure min(v) --measure first(hit) "
                                         "--measure count(hit) --measure final(y) --measure mean(F)");
    REQUIRE(rows.size() == 3);
    const double g = 9.81, fall = std::sqrt(20 / g), speed = g * fall;
    for (const auto& row : rows) {
        const double e = row["parameters"]["e"];
        CAPTURE(e);
        CHECK(measured(row, "max(y)") == Approx(10).epsilon(1e-12));
        CHECK(measured(row, "min(y)") == Approx(0).margin(1e-9));
        CHECK(measured(row, "max(v)") == Approx(e * speed).epsilon(1e-10));
        CHECK(measured(row, "min(v)") == Approx(-speed).epsilon(1e-10));
        CHECK(measured(row, "first(hit)") == Approx(fall).epsilon(1e-12));
        CHECK(measured(row, "final(y)") == row["signals"]["y"].get<double>());
        int bounces = 0;
        double change = 0;
        for (double t = fall, v = speed; t <= 4; v *= e, t += 2 * v / g) ++bounces, change += (1 + e) * v;
        CHECK(measured(row, "count(hit)") == bounces);
        CHECK(measured(row, "mean(F)") == Approx(change / 4).epsilon(1e-10));  // what the impulses bring
    }
}

TEST_CASE("extremes between samples and means of smooth signals are exact to ten digits", "[app][sweep]") {
    const Workplace place;
    place.write("wave.toml",
                "[parameters]\nw = 1\n[blocks]\ny = \"exp(-t/5)*sin(w*t)\"\nx = \"2 + cos(w*t)\"\n"
                "z = \"abs(x - 2)\"\n[simulation]\nstop = 20\nrecord = [\"y\"]\n");
    const json rows =
        rows_of(place, "wave.toml --over w=1,2.5 --measure max(y) --measure mean(x) --measure min(z)");
    for (const auto& row : rows) {
        const double w = row["parameters"]["w"], top = std::atan(5 * w) / w;
        CAPTURE(w);
        CHECK(measured(row, "max(y)") == Approx(std::exp(-top / 5) * std::sin(w * top)).epsilon(1e-10));
        CHECK(measured(row, "mean(x)") == Approx(2 + std::sin(20 * w) / (20 * w)).epsilon(1e-10));
        CHECK(measured(row, "min(z)") >= 0);  // never beyond a corner
        CHECK(measured(row, "min(z)") < 0.02);
        CHECK(row["signals"].size() == 1);  // what is measured is not recorded by that
    }
}

TEST_CASE("corners at events are measured where they are", "[app][sweep]") {
    const Workplace place;
    // A triangle wave of 3000 periods: far more corners than samples.
    place.write(
        "saw.toml",
        "[parameters]\nf = 1\n[blocks]\ny = { type = \"integrator\", in = \"1 - 2*up\" }\n"
        "up = { type = \"pulse\", at = \"1/(3*f)\", width = \"1/(3*f)\", size = 1, period = \"2/(3*f)\" }\n"
        "[simulation]\nstop = 10\nrecord = [\"y\"]\n");
    const json rows =
        rows_of(place, "saw.toml --over f=300 --measure max(y) --measure min(y) --measure mean(y)");
    CHECK(measured(rows[0], "max(y)") == Approx(1.0 / 900).epsilon(1e-9));
    CHECK(measured(rows[0], "min(y)") == Approx(0).margin(1e-12));
    CHECK(measured(rows[0], "mean(y)") == Approx(0.5 / 900).epsilon(1e-6));
}

TEST_CASE("what never happens has no first time and is counted zero times", "[app][sweep]") {
    const Workplace place;
    const Result csv = place.deltaflow("sweep " + diagrams +
                                       "bouncing_ball.toml --over e=0.5 --stop 1 --record y "
                                       "--measure first(hit) --measure count(hit) --csv -");
    CHECK(csv.code == 0);
    std::istringstream lines(csv.out);
    std::string head, row;
    std::getline(lines, head);
    std::getline(lines, row);
    CHECK(head == "e,y,first(hit),count(hit),events,end");
    CHECK_THAT(row, Contains(",,0,0,stop"));
    const json rows =
        rows_of(place, diagrams + "two_body_collision.toml --over e=0.5 --measure count(touch)");
    CHECK(measured(rows[0], "count(touch)") >= 1);  // an automaton is no signal, but a cause
}

TEST_CASE("a measure that makes no sense is refused", "[app][sweep]") {
    const Workplace place;
    place.write("ball.toml", ball);
    const auto code = [&](const std::string& what) {
        return place.deltaflow("sweep ball.toml --over e=0.5 " + what).code;
    };
    for (const char* wrong : {"--measure top(y)", "--measure max", "--measure max()", "--measure 'max(y'"})
        CHECK(code(wrong) == 2);
    const Result unknown = place.deltaflow("sweep ball.toml --over e=0.5 --measure max(yy)");
    CHECK(unknown.code == 2);
    CHECK_THAT(unknown.err, Contains("--measure") && Contains("yy"));
    for (const char* wrong : {"--over g=log:0:1:3", "--over g=log:1:10", "--over g=log:1:10:1.5",
                              "--over g=normal:1", "--over g=normal:1:-1", "--over g=uniform:2:1",
                              "--over g=1,normal:1:1", "--runs 5", "--over g=normal:1:1 --runs 0"})
        CHECK(code(wrong) == 2);
}

TEST_CASE("powers have both ends and the same factor between", "[app][sweep]") {
    const Workplace place;
    place.write("line.toml", "[parameters]\nk = 1\n[blocks]\ny = \"k*t\"\n[simulation]\nstop = 1\n");
    const auto k = column(rows_of(place, "line.toml --over k=log:1:1000:7"), "k");
    REQUIRE(k.size() == 7);
    for (std::size_t i = 0; i < 7; ++i)
        CHECK(k[i] == Approx(std::pow(10, static_cast<double>(i) / 2)).epsilon(1e-14));
    CHECK(k.front() == 1);
    CHECK(k.back() == 1000);
}

TEST_CASE("chance comes from the seed alone", "[app][sweep]") {
    const Workplace place;
    place.write("line.toml",
                "[parameters]\nm = 1\nu = 0\na = 1\n[blocks]\ny = \"a*m*t + u\"\n[simulation]\nstop = 1\n");
    const std::string over = "line.toml --over m=normal:1:0.1 --over u=uniform:2:4 ";
    const json one = rows_of(place, over + "--runs 2000 --seed 7"),
               same = rows_of(place, over + "--runs 2000 --seed 7 --jobs 1");
    CHECK(one == same);
    const auto m = column(one, "m"), u = column(one, "u");
    REQUIRE(m.size() == 2000);
    double mean = 0, square = 0, low = 9, high = 0, middle = 0, both = 0;
    for (std::size_t i = 0; i < m.size(); ++i) {
        mean += m[i] / 2000;
        square += (m[i] - 1) * (m[i] - 1) / 2000;
        middle += u[i] / 2000;
        both += (m[i] - 1) * (u[i] - 3) / 2000;
        low = std::min(low, u[i]);
        high = std::max(high, u[i]);
    }
    CHECK(mean == Approx(1).margin(0.01));
    CHECK(std::sqrt(square) == Approx(0.1).margin(0.006));
    CHECK(middle == Approx(3).margin(0.05));
    CHECK(std::abs(both) < 0.01);  // the two have nothing to do with each other
    CHECK(low >= 2);
    CHECK(high <= 4);
    // Fewer runs are the first of more; another seed gives others; grids are combined with all draws.
    const auto few = column(rows_of(place, over + "--runs 3 --seed 7"), "m");
    CHECK(few == std::vector<double>(m.begin(), m.begin() + 3));
    CHECK(column(rows_of(place, over + "--runs 3 --seed 8"), "m") != few);
    const auto grid = rows_of(place, over + "--over a=1,2 --runs 3 --seed 7");
    REQUIRE(grid.size() == 6);
    CHECK(column(grid, "m")[4] == few[1]);
    CHECK(column(grid, "a") == std::vector<double>{1, 1, 1, 2, 2, 2});
    CHECK(rows_of(place, "line.toml --over m=normal:1:0.1").size() == 100);
}

TEST_CASE("a sweep is drawn: measures over the parameter with the most values", "[app][sweep]") {
    const Workplace place;
    place.write("line.toml",
                "[parameters]\na = 1\nb = 0\n[blocks]\ny = \"a*t + b\"\n[simulation]\nstop = 2\n");
    const std::string svg =
        place.deltaflow("sweep line.toml --over a=0:1:0.1 --over b=1,5 --measure max(y) --svg - --quiet").out;
    CHECK_THAT(svg, Contains(">max(y), b = 1<") && Contains(">max(y), b = 5<") && Contains(">a</text>"));
    CHECK_THAT(svg, !Contains(">t</text>"));
    const Result plot = place.deltaflow("sweep line.toml --over a=0:1:0.1 --measure max(y) --plot - --quiet");
    CHECK(plot.code == 0);
    CHECK_THAT(plot.out, Contains("max(y)"));
    const std::string log = place.deltaflow("sweep line.toml --over a=log:1:10000:9 --svg - --quiet").out;
    CHECK_THAT(log, Contains(">10⁴<") && Contains(">final y<"));
    const std::string cloud =
        place.deltaflow("sweep line.toml --over a=normal:1:1 --runs 50 --svg - --quiet").out;
    std::size_t dots = 0;
    for (auto at = cloud.find("<circle"); at != std::string::npos; at = cloud.find("<circle", at + 1)) ++dots;
    CHECK(dots == 50);
    CHECK(place.deltaflow("sweep line.toml --over a=1 --plot y").code == 2);
}
