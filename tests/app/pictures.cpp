// What pictures show, on the page and in the terminal.
#include "tests/app/program.hpp"
#include "tests/paths.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <regex>
#include <sstream>

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

const std::string diagrams = deltaflow::test::project_folder() + "/diagrams/";

std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> result;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) result.push_back(line);
    return result;
}

std::size_t count(const std::string& text, const std::string& what) {
    std::size_t n = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
    return n;
}

std::string picture(const std::string& model, const std::string& options = "") {
    const Workplace place;
    place.write("model.toml", model);
    const Result result = place.deltaflow("run model.toml --quiet --svg - " + options);
    CHECK(result.code == 0);
    CHECK(result.err.empty());
    return result.out;
}

struct Point {
    double x, y;
};

// The points of each path of a kind.
std::vector<std::vector<Point>> paths(const std::string& svg, const std::string& kind) {
    const std::regex regex("<path class=\"" + kind + "\" d=\"M([^\"a-zA-Z]*)\"");
    std::vector<std::vector<Point>> result;
    for (std::sregex_iterator at(svg.begin(), svg.end(), regex), none; at != none; ++at) {
        std::istringstream numbers((*at)[1]);
        result.emplace_back();
        for (Point p{}; numbers >> p.x >> p.y;) result.back().push_back(p);
    }
    return result;
}

// Where the heads of arrows of a kind begin: at their tips.
std::vector<Point> tips(const std::string& svg, const std::string& kind) {
    const std::regex regex("<path class=\"" + kind + "\" d=\"M([-0-9.]+) ([-0-9.]+)l");
    std::vector<Point> result;
    for (std::sregex_iterator at(svg.begin(), svg.end(), regex), none; at != none; ++at)
        result.push_back({std::stod((*at)[1]), std::stod((*at)[2])});
    return result;
}

// Where a line of a kind begins.
Point foot(const std::string& svg, const std::string& kind) {
    std::smatch found;
    std::regex_search(svg, found,
                      std::regex("<line class=\"" + kind + "\" x1=\"([-0-9.]+)\" y1=\"([-0-9.]+)\""));
    REQUIRE(found.size() == 3);
    return {std::stod(found[1]), std::stod(found[2])};
}

// Characters, not bytes.
std::size_t width(const std::string& line) {
    return static_cast<std::size_t>(
        std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

const std::string chain = R"([blocks]
s = { type = "step", at = 1 }
d0 = { type = "derivative", in = "s" }
d1 = { type = "derivative", in = "d0" }
d2 = { type = "derivative", in = "d1" }
[simulation]
stop = 2
)";

}  // namespace

TEST_CASE("a jump is drawn from its left limit to its right limit, never slanted", "[app]") {
    const std::string svg = picture(kick, "--record x");
    const auto pieces = paths(svg, "s0");
    REQUIRE(pieces.size() == 2);
    CHECK(pieces[0].back().x == pieces[1].front().x);
    for (const auto& piece : pieces)
        for (const Point& p : piece) CHECK(p.y == piece.front().y);
    CHECK(pieces[0].front().y > pieces[1].front().y + 50);
}

TEST_CASE("a sample that rounding puts just before a jump is drawn and written after it", "[app]") {
    const std::string model =
        "[blocks]\ns = { type = \"step\", at = 0.0061 }\n[simulation]\nstop = 0.01\nrecord = [\"s\"]\n";
    CHECK(paths(picture(model), "s0").size() == 2);
    const Workplace place;
    place.write("model.toml", model);
    const std::string csv = place.deltaflow("run model.toml --csv -").out;
    CHECK_THAT(csv, Contains("right,1\n0.0060999999999999995,0,0,sample,1\n"));
}

TEST_CASE("a corner is drawn where the event is, not where samples happen to be", "[app]") {
    const std::string svg = picture(ball, "--record y,F --plot y");
    const double floor = foot(svg, "zero").y;
    const auto curve = paths(svg, "s0").at(0);
    const auto at_floor = std::count_if(curve.begin(), curve.end(),
                                        [&](const Point& p) { return std::abs(p.y - floor) < 0.02; });
    CHECK(at_floor == 2);
    CHECK(picture(ball, "--record y,F --plot y --every 1") == svg);
}

TEST_CASE("a spike of one sample among a million is seen", "[app]") {
    // 1 at t = 0.777777 alone, and next to nothing elsewhere.
    const std::string model =
        "[blocks]\ny = \"if(1e-7 - abs(t - 0.777777), 1, 0.001*sin(t))\"\n[simulation]\nstop = 1\nevery = "
        "\"1/1000000\"\nmethod = \"rk4\"\nstep = \"1/100\"\nimpulses = \"symbolic\"\n";
    const std::string svg = picture(model);
    const auto curves = paths(svg, "s0");
    double low = 1e9, high = -1e9, at = 0;
    for (const auto& curve : curves)
        for (const Point& p : curve) {
            if (p.y < low) low = p.y, at = p.x;
            high = std::max(high, p.y);
        }
    CHECK(high - low > 150);
    CHECK(at == Approx(70 + 0.777777 * (720 - 28 - 70)).margin(1.5));
    CHECK(svg.size() < 300'000);
}

TEST_CASE("a picture changes nothing of a trace, and needs no second run", "[app]") {
    const Workplace place;
    for (const std::string model : {"bouncing_ball", "buck_converter", "rectifier", "clutch", "neuron"}) {
        CAPTURE(model);
        const std::string run = "run " + diagrams + model + ".toml --quiet --csv ";
        place.deltaflow(run + "plain.csv --json plain.json");
        place.deltaflow(run + "drawn.csv --json drawn.json --svg drawn.svg");
        CHECK(place.read("plain.csv") == place.read("drawn.csv"));
        const auto without_costs = [&](const std::string& file) {
            const std::string text = place.read(file);
            return text.substr(0, text.find("\"statistics\""));
        };
        CHECK(without_costs("plain.json") == without_costs("drawn.json"));
    }
}

TEST_CASE("an arrow is as high as its coefficient", "[app]") {
    const std::string svg = picture(ball, "--record F");
    const auto heads = tips(svg, "head");
    REQUIRE(heads.size() == 2);
    const double base = foot(svg, "delta solid").y;
    CHECK((base - heads[1].y) / (base - heads[0].y) == Approx(0.8).epsilon(1e-3));
    CHECK_THAT(svg, Contains(">25.21 δ<") && Contains(">20.17 δ<"));
}

TEST_CASE("an arrow points downwards for a negative coefficient", "[app]") {
    const std::string svg = picture("[blocks]\nd = { type = \"impulse\", at = 1, size = -2 }\n");
    CHECK(tips(svg, "head").at(0).y > foot(svg, "delta solid").y + 30);
}

TEST_CASE("each derivative of an impulse has a head more, and its own label", "[app]") {
    for (const auto& [name, heads, label] : std::vector<std::tuple<std::string, std::size_t, std::string>>{
             {"d1", 2, ">1 δ′<"}, {"d2", 3, ">1 δ″<"}}) {
        const std::string svg = picture(chain, "--record " + name);
        CHECK(tips(svg, "prime open").size() == heads);
        CHECK_THAT(svg, Contains(label) && !Contains("class=\"head\""));
    }
}

TEST_CASE("groups share a panel, and other signals are recorded for it", "[app]") {
    const std::string svg = picture(ball, "--record y --plot \"y,v;F\"");
    CHECK(count(svg, "class=\"frame\"") == 2);
    CHECK(paths(svg, "s1").size() == 3);
    CHECK_THAT(svg, Contains(">25.21 δ<"));
    CHECK(count(picture(ball), "class=\"frame\"") == 3);
    CHECK_THAT(picture(ball, "--plot F,hit"), Contains(">F: 25.21 δ<") && Contains(">hit: 1 δ<"));
}

TEST_CASE("a name may stand for all signals of an instance", "[app]") {
    const std::string model =
        "[diagrams.pair]\noutputs = [\"a\", \"b\"]\n[diagrams.pair.blocks]\na = \"t\"\nb = \"2*t\"\n"
        "[blocks]\nx = { type = \"pair\" }\ny = \"x.a\"\n";
    const std::string svg = picture(model, "--plot \"x.*;y\"");
    CHECK(count(svg, "class=\"frame\"") == 2);
    CHECK_THAT(svg, Contains(">x.a<") && Contains(">x.b<"));
}

TEST_CASE("a signal that does not exist is told to be missing", "[app]") {
    const Workplace place;
    place.write("ball.toml", ball);
    const Result result = place.deltaflow("run ball.toml --plot y,w");
    CHECK(result.code == 2);
    CHECK_THAT(result.err, StartsWith("--plot:") && Contains("there is no \"w\""));
}

TEST_CASE("instants with several modes are marked, and say so", "[app]") {
    const Workplace place;
    const Result result = place.deltaflow("run " + diagrams + "cradle_with_rider.toml --quiet --svg -");
    CHECK_THAT(result.out, Contains("mythical mode") && Contains("several modes at one t"));
    CHECK(count(result.out, "<path class=\"dense\"") == 1);
    CHECK_THAT(picture(ball), !Contains("<path class=\"dense\""));
}

TEST_CASE("a crowd of events is thinned", "[app]") {
    const Workplace place;
    const Result result = place.deltaflow("run " + diagrams + "buck_converter.toml --quiet --svg -");
    CHECK(result.out.size() < 250'000);
    CHECK_THAT(result.out, Contains("class=\"event crowd\""));
}

TEST_CASE("pictures of extreme numbers have numbers in them", "[app]") {
    const std::string model = GENERATE(
        "y = \"1e308*sin(t)\"", "y = \"1e-320*t\"", "y = \"1e12 + 1e-3*sin(t)\"", "y = \"0\"",
        "y = \"-5e200\"", "y = \"0.1 + 1e-17*t\"", "y = { type = \"impulse\", at = 1, size = 1e-300 }",
        "y = { type = \"impulse\", at = 1, size = 1e300, order = 7 }", "y = \"1e-9*t\"\nz = \"1e9*t\"");
    CAPTURE(model);
    for (const std::string options : {"", "--plot y", "--stop 1e-12", "--stop 1e12 --every 1e11"}) {
        CAPTURE(options);
        const std::string svg = picture("[blocks]\n" + model + "\n", options);
        CHECK_THAT(svg, !Contains("nan") && !Contains("inf") && Contains("</svg>"));
    }
}

TEST_CASE("pictures of next to nothing are pictures", "[app]") {
    const std::string options = GENERATE("--at 1", "--record ,", "--record y --stop 1e-300");
    CAPTURE(options);
    const std::string model = "[blocks]\ny = \"t\"\n";
    CHECK_THAT(picture(model, options), Contains("</svg>") && !Contains("nan"));
    const Workplace place;
    place.write("model.toml", model);
    CHECK_FALSE(place.deltaflow("run model.toml --quiet --plot - " + options).out.empty());
}

TEST_CASE("numbers that need it have their power of ten said once", "[app]") {
    CHECK_THAT(picture("[blocks]\ny = \"3e-7*t\"\n"), Contains(">×10⁻⁶<"));
    CHECK_THAT(picture("[blocks]\ny = \"1e8 + t\"\n"), Contains(">scale: 100000000 + <"));
}

TEST_CASE("pictures are for print, light and dark, and their text is text", "[app]") {
    const std::string svg = picture(ball);
    CHECK_THAT(
        svg, Contains("@media screen and (prefers-color-scheme: dark)") && Contains(">Bouncing ball</text>"));
    CHECK(picture(ball) == svg);
}

TEST_CASE("the terminal shows curves, arrows and their coefficients", "[app]") {
    const Workplace place;
    place.write("ball.toml", ball);
    const Result result = place.deltaflow("run ball.toml --plot -");
    CHECK(result.code == 0);
    CHECK_THAT(result.out, StartsWith("Bouncing ball\n") && Contains("↑ 25.21 δ") && Contains("20.17 δ ↑"));
    for (const std::string& line : lines(result.out)) CHECK(width(line) <= 80);
    CHECK_THAT(result.out, !Contains("\033"));
    CHECK(place.deltaflow("run ball.toml --quiet --plot y,v").out ==
          place.deltaflow("run ball.toml --quiet --plot - --plot y,v").out);
}

TEST_CASE("a terminal without Unicode gets ASCII, and COLUMNS is how wide it is", "[app]") {
    const Workplace place;
    place.write("ball.toml", ball);
    const Result result =
        place.deltaflow("run ball.toml --quiet --plot -", {{"LC_ALL", "C"}, {"COLUMNS", "50"}});
    CHECK_THAT(result.out, Contains("^ 25.21 delta"));
    CHECK(std::all_of(result.out.begin(), result.out.end(), [](char c) { return c > 0; }));
    std::size_t widest = 0;
    for (const std::string& line : lines(result.out)) widest = std::max(widest, line.size());
    CHECK(widest == 50);
}

TEST_CASE("overlaid signals are numbered in the terminal", "[app]") {
    const Workplace place;
    place.write("ball.toml", ball);
    const std::string plot = place.deltaflow("run ball.toml --quiet --plot \"y,v;F\"").out;
    CHECK_THAT(plot, Contains("1 y   2 v"));
    CHECK(count(plot, "┤") >= 4);
}

TEST_CASE("of impulses too close to be told apart, the largest on either side is drawn", "[app]") {
    const std::string svg = picture(
        "[blocks]\nd = { type = \"impulse\", train = [{ at = 1, size = 3 }, { at = 1.0001, size = -2 }, "
        "{ at = 1.0002, size = 1 }] }\n");
    const auto heads = tips(svg, "head");
    const double base = foot(svg, "delta solid").y;
    REQUIRE(heads.size() == 2);
    CHECK((base - heads[0].y) / (base - heads[1].y) == Approx(-1.5).epsilon(1e-3));
}

TEST_CASE("impulses that follow each other at one t stand side by side", "[app]") {
    const std::string svg = picture(R"([blocks]
a = { type = "step", at = 1, initial = -1, size = 3 }
b = { type = "crossing", in = "a" }
c = { type = "integrator", in = "b", initial = -0.5 }
d = { type = "crossing", in = "c" }
s = "b + 2*d"
[simulation]
stop = 2
record = ["s"]
)");
    const auto heads = tips(svg, "head");
    REQUIRE(heads.size() == 2);
    CHECK(heads[1].x > heads[0].x + 3);
    CHECK_THAT(svg, Contains(">1 δ<") && Contains(">2 δ<"));
}

TEST_CASE("labels of arrows side by side stand on the side of their arrow", "[app]") {
    const std::string svg = picture(
        "[blocks]\nd = { type = \"impulse\", train = [{ at = 5, size = 3, order = 1 }, { at = 5, size = 1 }] "
        "}\n");
    const auto x_of = [&](const std::string& label) {
        std::smatch found;
        REQUIRE(std::regex_search(svg, found, std::regex("x=\"([0-9.]+)\"[^>]*>" + label + "<")));
        return std::stod(found[1]);
    };
    const std::string inside = svg.substr(svg.find("halo"));
    const double arrow = tips(svg, "head").at(0).x;
    CHECK(inside.find("right\"") != std::string::npos);
    CHECK(x_of("1 δ") < arrow);
    CHECK(x_of("3 δ′") > arrow);
}

TEST_CASE("names of overlaid signals do not touch", "[app]") {
    const std::string svg = picture("[blocks]\nmammamammmm = \"t\"\nillilli = \"2\"\nmmmmwmmmmwm = \"3\"\n",
                                    "--plot mammamammmm,illilli,mmmmwmmmmwm");
    static const std::regex name("<text class=\"name\" x=\"([0-9.]+)\" y=\"([0-9.]+)\">(mam|ill|mmm)");
    std::vector<double> places;
    for (std::sregex_iterator at(svg.begin(), svg.end(), name), none; at != none; ++at)
        places.push_back(std::stod((*at)[1]));
    REQUIRE(places.size() == 3);
    CHECK(places[1] - places[0] > 8 * 13.5 + 3 * 8.8 + 30 + 8);  // so wide are bold m and a of 13 pixels
    CHECK(places[2] - places[1] < 130);
}
