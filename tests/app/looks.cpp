// What people would misread in pictures: what is cut off, what overlaps, what is not said.
#include "tests/app/program.hpp"
#include "tests/paths.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <regex>

using Catch::Matchers::Contains;

namespace {

namespace fs = std::filesystem;
const std::string diagrams = deltaflow::test::project_folder() + "/diagrams/";

std::string drawn(const std::string& arguments) {
    const Workplace place;
    const Result result = place.deltaflow(arguments);
    INFO(arguments << "\n" << result.err);
    REQUIRE(result.code == 0);
    return result.out;
}

std::string picture(const std::string& model, const std::string& options = "") {
    return drawn("run " + diagrams + model + ".toml --quiet --svg - " + options);
}

std::size_t count(const std::string& text, const std::string& what) {
    std::size_t n = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
    return n;
}

// All numbers that an expression finds, its groups one after the other.
std::vector<std::vector<double>> numbers(const std::string& svg, const std::string& expression) {
    const std::regex regex(expression);
    std::vector<std::vector<double>> result;
    for (std::sregex_iterator at(svg.begin(), svg.end(), regex), none; at != none; ++at) {
        result.emplace_back();
        for (std::size_t i = 1; i < at->size(); ++i) result.back().push_back(std::stod((*at)[i]));
    }
    return result;
}

const std::string number = "([-0-9.]+)";

struct Frame {
    double left, upper, width, height;
    bool holds(double x, double y) const {
        return x >= left - 0.5 && x <= left + width + 0.5 && y >= upper - 0.5 && y <= upper + height + 0.5;
    }
};
std::vector<Frame> frames(const std::string& svg) {
    std::vector<Frame> result;
    for (const auto& n : numbers(svg, "class=\"frame\" x=\"" + number + "\" y=\"" + number + "\" width=\"" +
                                          number + "\" height=\"" + number))
        result.push_back({n[0], n[1], n[2], n[3]});
    return result;
}

}  // namespace

TEST_CASE("values and impulses of modes that last no time are inside a frame", "[app][looks]") {
    for (const char* model : {"clutch", "cradle_with_rider", "falling_rod", "stiction_breakaway"}) {
        CAPTURE(model);
        const std::string svg = picture(model);
        const auto panels = frames(svg);
        const auto in_a_frame = [&](double x, double y) {
            return std::any_of(panels.begin(), panels.end(), [&](const Frame& f) { return f.holds(x, y); });
        };
        const auto ghosts = numbers(svg, "<circle class=\"s0 ghost\" cx=\"" + number + "\" cy=\"" + number);
        CHECK_FALSE(ghosts.empty());
        for (const auto& g : ghosts) CHECK(in_a_frame(g[0], g[1]));
        for (const auto& tip : numbers(svg, "class=\"[^\"]*hollow\" d=\"M" + number + " " + number + "l"))
            CHECK(in_a_frame(tip[0], tip[1]));
    }
    // As many as the trace has: none is left out.
    const auto trace =
        nlohmann::json::parse(drawn("run " + diagrams + "cradle_with_rider.toml --quiet --json -"));
    std::size_t values = 0, impulses = 0;
    for (const auto& event : trace["events"])
        if (!event["committed"].get<bool>())
            for (const auto& signal : event["signals"]) ++values, impulses += !signal["impulses"].empty();
    REQUIRE(impulses > 0);
    const std::string svg = picture("cradle_with_rider");
    CHECK(count(svg, "<circle class=\"s0 ghost\"") == values);
    CHECK(count(svg, "ghost hollow\"") == impulses);
}

TEST_CASE("where a curve moves there are three ticks at least, on the page and in the terminal",
          "[app][looks]") {
    for (const char* model : {"block_on_an_incline", "capacitor_doubler", "clutch", "vacuum_chamber",
                              "h_bridge", "rocking_block", "rectifier"}) {
        const std::string svg = picture(model);
        const auto panels = frames(svg);
        const auto labels = numbers(svg, "<text class=\"right\" x=\"" + number + "\" y=\"" + number + "\">");
        for (const Frame& f : panels) {
            const auto ticks = std::count_if(labels.begin(), labels.end(), [&](const auto& at) {
                return at[1] > f.upper && at[1] < f.upper + f.height + 8;
            });
            // A panel without curves that move shows one number, or two beside impulses.
            CAPTURE(model, f.upper);
            CHECK(ticks != 0);
            if (std::string(model) == "rectifier" || std::string(model) == "h_bridge") CHECK(ticks >= 3);
        }
    }
    const Workplace place;
    place.write("m.toml", "[blocks]\ny = \"1.05 + 0.93*sin(t)\"\nz = \"17*t\"\nw = \"-3 + 0.011*t\"\n");
    const std::string plot = place.deltaflow("run m.toml --quiet --plot -").out;
    CHECK(count(plot, "┤") >= 9);
}

TEST_CASE("each order of impulses has its scale", "[app][looks]") {
    const std::string svg = picture("derivative_chain", "--plot w5");
    CHECK_THAT(svg, Contains("class=\"prime scale\""));
    std::size_t axes = count(svg, "class=\"prime axis\"") + count(svg, "class=\"delta axis\"");
    CHECK(axes == 1);  // the first stands on the frame itself
    const std::string mixed = picture("improper_transfer_function", "--plot y5");
    CHECK(count(mixed, " axis\"") == 3);  // four orders
    for (const auto& at : numbers(mixed, " scale\" x=\"" + number + "\"")) CHECK(at[0] < 720 - 20);
}

TEST_CASE("of two arrows at one time each has its label on its own side", "[app][looks]") {
    const std::string svg = picture("falling_rod", "--plot Fn,Fx");
    CHECK_THAT(svg, Contains("class=\"halo s0 right\""));
    CHECK_THAT(svg, Contains("class=\"halo s1\""));
}

TEST_CASE("many events are ticks at the edge, not a curtain", "[app][looks]") {
    const std::string many = picture("buck_converter"), few = picture("bouncing_ball");
    const std::string line = "<path class=\"event\"";
    CHECK(count(many, line) == 0);
    CHECK(count(many, "<path class=\"event crowd\"") > 100);
    CHECK(count(few, line) == 2 * frames(few).size());
    // Single ones of a cluster keep their distance.
    auto lines = numbers(picture("debounced_button", "--plot contact"), line + " d=\"M" + number);
    CHECK(lines.size() > 2);
    for (std::size_t i = 1; i < lines.size(); ++i) CHECK(lines[i][0] - lines[i - 1][0] > 5.9);
}

TEST_CASE("triangles stand inside the frame, clear of names", "[app][looks]") {
    const std::string svg = picture("cradle_with_rider");
    const auto triangles = numbers(svg, "<path class=\"dense\" d=\"M" + number + " " + number);
    REQUIRE_FALSE(triangles.empty());
    for (const auto& at : triangles) CHECK(at[1] - 5.5 >= frames(svg)[0].upper);
}

TEST_CASE("long names are cut to fit, in the middle", "[app][looks]") {
    const Workplace place;
    const std::string name(150, 'n'), title(200, 'W');
    place.write("m.toml", "name = \"" + title + "\"\n[blocks]\n" + name + " = \"sin(t)\"\n");
    const std::string svg = place.deltaflow("run m.toml --quiet --svg -").out;
    CHECK_THAT(svg, Contains("…"));
    CHECK_THAT(svg, !Contains(">" + name + "<") && !Contains("\">" + title + "</text>"));
    CHECK_THAT(svg, Contains("<title>" + title + "</title>"));  // in full for those who ask
    const std::string plot = place.deltaflow("run m.toml --quiet --plot -").out;
    CHECK_THAT(plot, Contains("nnn…nnn"));
    const std::string ascii = place.deltaflow("run m.toml --quiet --plot -", {{"LC_ALL", "C"}}).out;
    CHECK_THAT(ascii, Contains("nnn...nnn"));
}

TEST_CASE("pictures show a part of the run, in any size, on logarithmic axes", "[app][looks]") {
    const std::string part = picture("bouncing_ball", "--from 1.4 --to 1.5 --size 1000x500");
    CHECK_THAT(part, Contains("viewBox=\"0 0 1000 500\"") && Contains(">1.42<"));
    CHECK(count(part, "class=\"event\"") == frames(part).size());  // one bounce of two
    CHECK_THAT(part, !Contains(">3.5<"));
    const Workplace place;
    place.write("m.toml", "[blocks]\ny = \"exp(-t)\"\n[simulation]\nstop = 20\n");
    const std::string log = place.deltaflow("run m.toml --quiet --svg - --log y").out;
    CHECK_THAT(log, Contains(">10⁻⁶<"));
    // A decay is a straight line there: two points.
    const auto points = numbers(
        log, "<path class=\"s0\" d=\"M" + number + " " + number + " " + number + " " + number + " \"");
    CHECK(points.size() == 1);
    CHECK_THAT(place.deltaflow("run m.toml --quiet --svg - --log t").out, Contains(">0.1<"));
    for (const char* wrong : {"--size 10", "--size big", "--from 3 --to 2", "--log x", "--from later"})
        CHECK(place.deltaflow(std::string("run m.toml --svg - ") + wrong).code == 2);
}

TEST_CASE("a logarithmic axis draws nothing where there is no logarithm", "[app][looks]") {
    const std::string force = picture("bouncing_ball", "--log y --record F");
    CHECK_THAT(force, Contains(">F (above 0, without impulses)<"));
    CHECK(count(force, "<path class=\"s0\"") == 0);
    const std::string speed = picture("bouncing_ball", "--log y --record v");
    CHECK_THAT(speed, Contains(">v (above 0)<"));
    CHECK(count(speed, "<path class=\"s0\"") == 2);  // up, and up again
    const Workplace place;
    place.write("ball.toml", ball);
    CHECK_THAT(place.deltaflow("run ball.toml --plot - --log y --quiet").out, Contains("v (above 0)"));
}

TEST_CASE("a phase plane goes over a signal", "[app][looks]") {
    const Workplace place;
    place.write("m.toml",
                "[blocks]\nx = { type = \"integrator\", in = \"v\", initial = 1 }\n"
                "v = { type = \"integrator\", in = \"-x\" }\n[simulation]\nstop = 7\nrecord = [\"x\"]\n");
    const std::string svg = place.deltaflow("run m.toml --quiet --svg - --plot x:v").out;
    CHECK_THAT(svg, Contains(">v</text>") && Contains(">x</text>") && !Contains(">t</text>"));
    const Frame f = frames(svg).at(0);
    // A circle: it begins and ends near the right end, and reaches the left one.
    std::smatch path;
    REQUIRE(std::regex_search(svg, path, std::regex("<path class=\"s0\" d=\"M([^\"]*)\"")));
    std::istringstream stream(path[1].str());
    std::vector<double> x, y;
    for (double a = 0, b = 0; stream >> a >> b;) x.push_back(a), y.push_back(b);
    const auto share = [&](double at) { return (at - f.left) / f.width; };
    CHECK(share(x.front()) == Approx(1 - 0.04 / 1.08).margin(0.002));
    CHECK(share(*std::min_element(x.begin(), x.end())) == Approx(0.04 / 1.08).margin(0.002));
    CHECK(x.size() > 40);
    CHECK(place.deltaflow("run m.toml --quiet --plot x:v").code == 0);
    CHECK(place.deltaflow("run m.toml --plot x:v,x").code == 2);
    CHECK(place.deltaflow("run m.toml --plot x:zz").code == 2);
    // Where a signal jumps the line is broken.
    const std::string ball = picture("bouncing_ball", "--plot y:v");
    CHECK(count(ball, "<path class=\"s0\" d=\"M") == 3);
}

TEST_CASE("several runs share a picture", "[app][looks]") {
    const std::string svg = picture("bouncing_ball", "--plot y --set e=0.8 --also e=0.5 --also e=0.9,g=1.62");
    CHECK_THAT(svg,
               Contains(">y, e = 0.8<") && Contains(">y, e = 0.5<") && Contains(">y, e = 0.9, g = 1.62<"));
    CHECK(count(svg, "<path class=\"s2\"") >= 1);
    const Workplace place;
    CHECK(place.deltaflow("run " + diagrams + "bouncing_ball.toml --also e=0.5").code == 2);
    CHECK(place.deltaflow("run " + diagrams + "bouncing_ball.toml --plot - --also e").code == 2);
}

TEST_CASE("pictures are converted where a program is there, and else it says what is missing",
          "[app][looks]") {
    const Workplace place;
    place.write("m.toml", "[blocks]\ny = \"sin(t)\"\n");
    fs::create_directory(place.path("bin"));
    const Environment nothing{{"PATH", place.path("bin").string()}};
    const Result none = place.deltaflow("run m.toml --quiet --svg m.png", nothing);
    CHECK(none.code == 6);
    CHECK_THAT(none.err, Contains("rsvg-convert") && Contains("m.png"));
    CHECK_FALSE(place.has("m.png"));
    place.write("bin/rsvg-convert", "#!/bin/sh\necho converted \"$@\"\n");
    fs::permissions(place.path("bin/rsvg-convert"), fs::perms::all);
    CHECK(place.deltaflow("run m.toml --quiet --svg m.png", nothing).code == 0);
    CHECK_THAT(place.read("m.png"), Contains("converted --format png"));
    CHECK(place.deltaflow("run m.toml --quiet --svg m.pdf", nothing).code == 0);
    CHECK_THAT(place.read("m.pdf"), Contains("--format pdf"));
}

TEST_CASE("an instant is a picture: rows in hyperdense time, hollow where nothing was kept", "[app][looks]") {
    const std::string svg = drawn("explain " + diagrams + "cradle_with_rider.toml --event 1 --svg -");
    CHECK_THAT(svg, Contains(">&lt;1, 0&gt;<") && Contains(">mythical<") && Contains(">committed<") &&
                        Contains("since") && Contains(">before<"));
    CHECK(count(svg, "class=\"bar mythical\"") > 0);
    CHECK(count(svg, "class=\"mythical-head\"") > 0);
    CHECK(count(svg, "class=\"head\"") > 0);
    const std::string ball = drawn("explain " + diagrams + "bouncing_ball.toml --event 1 --svg -");
    CHECK_THAT(ball, Contains("25.21 δ") && Contains(">11.2057<") && Contains(">hit<"));
    CHECK(count(ball, "class=\"bar mythical\"") == 0);
    const Workplace place;
    CHECK(place.deltaflow("explain " + diagrams + "bouncing_ball.toml --event 1 --svg a.svg --json a.svg")
              .code == 2);
}

TEST_CASE("an instant tells each impulse whole, keeps words in their column, and is never empty",
          "[app][looks]") {
    const auto instant = [](const std::string& model) {
        return drawn("explain " + diagrams + model + ".toml --event 1 --svg -");
    };
    CHECK_THAT(instant("product_rule"), Contains(">392.4 δ′<") && Contains(">-282.5 δ″<"));
    for (const char* model : {"cradle_with_rider", "collision", "product_rule"}) {
        CAPTURE(model);
        const std::string svg = instant(model);
        CHECK(numbers(svg, "viewBox=\"0 0 " + number)[0][0] < 1250);
        const std::regex words("<text class=\"why\" x=\"24[^>]*>([^<]*)<");
        for (std::sregex_iterator at(svg.begin(), svg.end(), words), none; at != none; ++at)
            CHECK((*at)[1].length() < 45);
    }
    CHECK(count(instant("collision"), "class=\"bar before\"") == 10);
    CHECK(count(instant("block_on_an_incline"), "class=\"bar") > 0);
}

TEST_CASE("compare looks at what impulses reach, and says what it leaves out", "[app][looks]") {
    const auto compared = [](const std::string& arguments) {
        return nlohmann::json::parse(drawn("compare " + diagrams + arguments + " --json -"));
    };
    CHECK(compared("step_differentiated.toml --steps 1/100")["signal"] == "S1");
    CHECK(compared("bouncing_ball.toml --steps 1/100")["signal"] == "y");
    const auto c = compared("derivative_kick.toml --steps 1/100");
    CHECK(c["signal"] != "r");
    CHECK_FALSE(c["not_compared"].empty());
    for (const auto& row : c["rows"]) CHECK(row["samples"] > row["left_out"]);
    const std::string text = drawn("compare " + diagrams + "bouncing_ball.toml --steps 1/100");
    CHECK_THAT(text, Contains("Not compared: v, F") && Contains("left out"));
}

TEST_CASE("a jump that comes a step late is never no error", "[app][looks]") {
    const Workplace place;
    place.write("m.toml",
                "[blocks]\nd = { type = \"impulse\", at = 1 }\nx = { type = \"integrator\", in = \"d\" }\n"
                "[simulation]\nstop = 2\nrecord = [\"x\"]\n");
    const Result result = place.deltaflow("compare m.toml --steps 1/10,1/100 --json - --svg m.svg");
    const auto rows = nlohmann::json::parse(result.out)["rows"];
    for (const auto& row : rows) {
        CAPTURE(row.dump());
        const double late = row["late"], h = row["step"];
        CHECK(late == Approx(row["riemann"] == "left" ? h : 0).margin(1e-9));
    }
    CHECK_THAT(place.read("m.svg"), Contains("no error but for jumps that come up to 1 h late"));
    CHECK_THAT(result.out, Contains("right sum"));  // the sum that is in time is the better one
}

TEST_CASE("compare obeys an interrupt and keeps the rows that were done", "[app][looks]") {
    const Workplace place;
    const Result result = place.interrupted(
        "compare " + diagrams + "bouncing_ball.toml --steps 1/100,1/10000000 --json rows.json", 0.7);
    CHECK(result.code == 130);
    CHECK(nlohmann::json::parse(place.read("rows.json"))["rows"].size() == 2);
}

TEST_CASE("shapes move with signals and are drawn at chosen times", "[app][looks]") {
    const Workplace place;
    const std::string blocks =
        "name = \"shapes\"\n[parameters]\nr = 0.5\n[blocks]\ny = \"2*t\"\n[simulation]\nstop = "
        "2\n[animation]\n";
    place.write("m.toml",
                blocks +
                    "mark = { shape = \"ball\", x = 0, y = \"y\", size = \"r/2\" }\n"
                    "floor = { shape = \"ground\", y = 0 }\nside = { shape = \"wall\", x = -2 }\n"
                    "bar = { shape = \"box\", x = 0, y = 1, width = 1, height = 0.2, angle = \"pi/2\" }\n"
                    "coil = { shape = \"spring\", x = 0, y = 0, x2 = 0, y2 = \"y\" }\n"
                    "rod = { shape = \"line\", x = 0, y = 0, x2 = 1, y2 = 1 }\n"
                    "height = { shape = \"label\", x = 0, y = 3, value = \"y\" }\n");
    const Result result = place.deltaflow("show m.toml --at 1,0,2 --svg -");
    INFO(result.err);
    REQUIRE(result.code == 0);
    const auto balls = numbers(result.out, "<circle class=\"solid-shape c-blue\" cx=\"" + number +
                                               "\" cy=\"" + number + "\" r=\"" + number);
    REQUIRE(balls.size() == 3);
    const double unit = balls[0][2] / 0.25;  // pixels
    CHECK(balls[0][1] - balls[1][1] == Approx(2 * unit).margin(0.05));
    CHECK(balls[0][1] - balls[2][1] == Approx(4 * unit).margin(0.05));
    CHECK_THAT(result.out, Contains(">t = 1<") && Contains(">height = 2<") && Contains("rotate(-90.000)"));
    CHECK(count(result.out, "class=\"ground\"") == 6);
    // They are no part of the model: nothing is recorded, drawn or counted because of them.
    place.write("plain.toml", blocks.substr(0, blocks.find("[animation]")));
    const auto without_times = [&](const std::string& arguments, const std::string& model) {
        const std::string text = place.deltaflow(arguments + " " + model).out;
        return std::regex_replace(text, std::regex("[0-9.e-]+ s\n"), "");
    };
    for (const char* command : {"run --quiet --csv -", "run", "show", "show --dot -"}) {
        CAPTURE(command);
        CHECK(without_times(command, "m.toml") == without_times(command, "plain.toml"));
    }
    CHECK(place.deltaflow("show m.toml --at 1").code == 2);
    CHECK(place.deltaflow("show m.toml --at 3 --svg -").code == 2);
    CHECK(place.deltaflow("show plain.toml --at 1 --svg -").code == 2);
}

TEST_CASE("expressions of shapes are checked when a model is loaded", "[app][looks]") {
    const Workplace place;
    const auto drawn_shape = [&](const std::string& shape) {
        place.write("m.toml", "[blocks]\ny = \"2*t\"\n[animation]\n" + shape + "\n");
        return place.deltaflow("show m.toml --at 0 --svg -");
    };
    CHECK(drawn_shape("a = { shape = \"ball\", y = \"y\" }").code == 0);
    CHECK(drawn_shape("a = { shape = \"bal\", y = \"y\" }").code == 3);
    const Result unknown = drawn_shape("a = { shape = \"ball\", y = \"yy\" }");
    CHECK(unknown.code == 3);
    CHECK_THAT(unknown.err, Contains("m.toml:4:28: ") && Contains("yy"));
    CHECK(place.deltaflow("check m.toml").err == unknown.err);
    CHECK(drawn_shape("a = { shape = \"ball\", y = \"y +\" }").code == 3);
    CHECK(drawn_shape("a = { shape = \"ground\" }").code == 0);
}

TEST_CASE("all models that ship with shapes can be drawn", "[app][looks]") {
    std::size_t drawn_ones = 0;
    for (const auto& file : fs::directory_iterator(diagrams)) {
        if (file.path().extension() != ".toml") continue;
        const Workplace place;
        const Result result = place.deltaflow("show " + file.path().string() + " --at 0 --svg -");
        CAPTURE(file.path().string(), result.err);
        if (result.code == 2 && result.err.find("no shapes") != std::string::npos) continue;
        CHECK(result.code == 0);
        ++drawn_ones;
    }
    CHECK(drawn_ones >= 5);
}

TEST_CASE("block diagrams have signs that people know", "[app][looks]") {
    const Workplace place;
    place.write(
        "m.toml",
        "[parameters]\nk = 3\n[blocks]\nr = { type = \"step\", at = 1 }\ne = \"r - y\"\ng = \"k*e\"\n"
        "y = { type = \"integrator\", in = \"g\" }\np = \"e*y\"\nd = \"der(p)\"\n"
        "s = { type = \"sum\", in = [\"r\", \"-y\"] }\nx = { type = \"product\", in = [\"r\", \"y\"] }\n"
        "w = { type = \"delay\", in = \"y\", by = 1 }\nh = { type = \"hysteresis\", in = \"y\", low = 0, "
        "high = 1 }\n");
    const std::string svg = place.deltaflow("show m.toml --svg -").out;
    CHECK(count(svg, ">Σ</text>") == 2);
    CHECK(count(svg, ">×</text>") == 2);
    CHECK(count(svg, ">∫</text>") == 1);
    CHECK(count(svg, ">d/dt</text>") == 1);
    CHECK(count(svg, ">e⁻ˢᵀ</text>") == 1);
    CHECK(count(svg, "<circle class=\"box") == 4);
    CHECK(count(svg, ">−</text>") == 2);  // where e and s subtract
    CHECK(count(svg, "class=\"sign-path\"") == 2);
    CHECK_THAT(svg, !Contains(">integrator<") && !Contains(">delay<"));
    CHECK_THAT(svg, Contains("@media screen and (prefers-color-scheme: dark)"));  // paper is white
}

TEST_CASE("feedback comes back below, and regularity is said where it changes", "[app][looks]") {
    const std::string svg = drawn("show " + diagrams + "bouncing_ball.toml --svg -");
    double lowest = 0;
    for (const auto& box : numbers(svg, "<rect class=\"box\" x=\"" + number + "\" y=\"" + number +
                                            "\" width=\"" + number + "\" height=\"" + number))
        lowest = std::max(lowest, box[1] + box[3]);
    // The impulse F goes back to a: its wire has a level stretch below all boxes.
    std::smatch wire;
    const std::regex back(
        "<title>F -> a[^<]*</title>\\s*<path class=\"impulse\" d=\"([^\"]*)\"|<title>F -&gt; "
        "a[^<]*</title>\\s*<path class=\"impulse\" d=\"([^\"]*)\"");
    REQUIRE(std::regex_search(svg, wire, back));
    double deepest = 0;
    std::string path = wire[1].str() + wire[2].str();
    std::replace_if(
        path.begin(), path.end(), [](char c) { return c == 'M' || c == 'C'; }, ' ');
    std::istringstream stream(path);
    for (double x = 0, y = 0; stream >> x >> y;) deepest = std::max(deepest, y);
    CHECK(deepest > lowest + 4);
    CHECK(count(svg, ">jump</text>") == 1);   // v, said once, though two read it
    CHECK(count(svg, ">delta</text>") == 1);  // hit brings it, F and a pass it on
}

namespace {

struct Place {
    double x, y;
};

// Points along a path of cubic curves.
std::vector<Place> along(const std::string& d) {
    std::string text = d;
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == 'M' || c == 'C'; }, ' ');
    std::istringstream stream(text);
    std::vector<Place> p, points;
    for (Place at{}; stream >> at.x >> at.y;) p.push_back(at);
    for (std::size_t i = 0; i + 3 < p.size(); i += 3)
        for (int k = 0; k <= 20; ++k) {
            const double t = k / 20.0, s = 1 - t, a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t,
                         e = t * t * t;
            points.push_back({a * p[i].x + b * p[i + 1].x + c * p[i + 2].x + e * p[i + 3].x,
                              a * p[i].y + b * p[i + 1].y + c * p[i + 2].y + e * p[i + 3].y});
        }
    return points;
}

}  // namespace

TEST_CASE("no wire goes over a box, in any model that ships", "[app][looks][slow]") {
    for (const auto& file : fs::directory_iterator(diagrams)) {
        if (file.path().extension() != ".toml") continue;
        CAPTURE(file.path().filename().string());
        const std::string svg = drawn("show " + file.path().string() + " --svg -");
        std::vector<Frame> boxes;
        for (const auto& n :
             numbers(svg, "<rect class=\"(?:box|element|junction|automaton|terminal)[^\"]*\" x=\"" + number +
                              "\" y=\"" + number + "\" width=\"" + number + "\" height=\"" + number))
            boxes.push_back({n[0] + 3, n[1] + 3, n[2] - 6, n[3] - 6});
        const auto distance = [](const Frame& f, const Place& p) {
            return std::hypot(std::max({0.0, f.left - p.x, p.x - f.left - f.width}),
                              std::max({0.0, f.upper - p.y, p.y - f.upper - f.height}));
        };
        const std::regex wire("<path class=\"(?:link|impulse|loop|bond|bond-impulse)\" d=\"(M[^\"LlZ]*)\"");
        std::size_t over = 0;
        for (std::sregex_iterator at(svg.begin(), svg.end(), wire), none; at != none; ++at) {
            const auto points = along((*at)[1]);
            if (points.empty()) continue;
            for (const Frame& f : boxes) {
                if (distance(f, points.front()) < 16 || distance(f, points.back()) < 16) continue;
                over += std::any_of(points.begin(), points.end(),
                                    [&](const Place& p) { return distance(f, p) == 0; });
            }
        }
        CHECK(over == 0);
    }
}

TEST_CASE("each term of a sum has its own end, and each bond its own line", "[app][looks]") {
    const auto apart = [](const Place& a, const Place& b) { return std::hypot(a.x - b.x, a.y - b.y); };
    for (const char* model :
         {"ball_on_stairs", "lc_step", "derivative_kick", "newtons_cradle", "cockcroft_walton"}) {
        CAPTURE(model);
        const std::string svg = drawn("show " + diagrams + model + ".toml --svg -");
        std::vector<Place> signs, middles;
        for (const auto& n :
             numbers(svg, "<text class=\"label halo bold\" x=\"" + number + "\" y=\"" + number))
            signs.push_back({n[0], n[1]});
        const std::regex bond("<path class=\"bond(?:-impulse)?\" d=\"(M[^\"LlZ]*C[^\"LlZ]*)\"");
        for (std::sregex_iterator at(svg.begin(), svg.end(), bond), none; at != none; ++at)
            middles.push_back(along((*at)[1])[10]);
        CHECK(signs.size() + middles.size() > 1);
        for (const auto& places : {signs, middles})
            for (std::size_t i = 0; i < places.size(); ++i)
                for (std::size_t j = 0; j < i; ++j) CHECK(apart(places[i], places[j]) > 8);
    }
}

TEST_CASE("labels of a diagram stand inside the picture", "[app][looks]") {
    for (const char* model : {"stick_slip", "boost", "clutch", "woodpecker"}) {
        CAPTURE(model);
        const std::string svg = drawn("show " + diagrams + model + ".toml --svg -");
        const double width = numbers(svg, "viewBox=\"0 0 " + number)[0][0];
        const std::regex label("<text class=\"label[^\"]*\" x=\"" + number + "\"[^>]*>([^<]*)<");
        for (std::sregex_iterator at(svg.begin(), svg.end(), label), none; at != none; ++at) {
            const double x = std::stod((*at)[1]), half = 2.5 * static_cast<double>((*at)[2].length());
            CAPTURE((*at)[2].str());
            CHECK(x - half >= 0);
            CHECK(x + half <= width);
        }
    }
}

TEST_CASE("labels of lines stand apart", "[app][looks]") {
    for (const char* model : {"h_bridge", "bridge_rectifier_rl", "falling_rod", "six_pulse_rectifier"}) {
        CAPTURE(model);
        const std::string svg = drawn("show " + diagrams + model + ".toml --svg -");
        const std::regex label("<text class=\"label halo(?: impulse)?\" x=\"" + number + "\" y=\"" + number +
                               "\"[^>]*>([^<]*)<");
        std::vector<Frame> all;
        for (std::sregex_iterator at(svg.begin(), svg.end(), label), none; at != none; ++at) {
            const double half = 2.5 * static_cast<double>((*at)[3].length());
            all.push_back({std::stod((*at)[1]) - half, std::stod((*at)[2]) - 7, 2 * half, 7});
        }
        REQUIRE(all.size() > 5);
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                const Frame &a = all[i], &b = all[j];
                const bool apart = a.left + a.width <= b.left || b.left + b.width <= a.left ||
                                   a.upper + 7 <= b.upper || b.upper + 7 <= a.upper;
                CHECK(apart);
            }
    }
}

TEST_CASE("no wire goes through the symbol of a diode", "[app][looks]") {
    for (const char* model : {"boost", "buck", "relay_coil", "bridge_rectifier"}) {
        CAPTURE(model);
        const std::string svg = drawn("show " + diagrams + model + ".toml --svg -");
        const auto symbols = numbers(svg, "class=\"link\" transform=\"translate\\(" + number + " " + number);
        CHECK(!symbols.empty());
        const std::regex wire("<path class=\"(?:link|impulse|loop|bond|bond-impulse)\" d=\"(M[^\"LlZ]*)\"");
        for (std::sregex_iterator at(svg.begin(), svg.end(), wire), none; at != none; ++at)
            for (const Place& p : along((*at)[1]))
                for (const auto& symbol : symbols) CHECK(std::hypot(p.x - symbol[0], p.y - symbol[1]) > 8);
    }
}

TEST_CASE("a box has no port for an input that is not given", "[app][looks]") {
    const std::string svg = drawn("show " + diagrams + "traffic_light.toml --svg -");
    CHECK_THAT(svg, Contains(">reset</text>"));
    CHECK_THAT(svg, !Contains(">to</text>") && !Contains("to = "));
}

TEST_CASE("every model that ships records something that moves", "[app][looks][slow]") {
    for (const auto& file : fs::directory_iterator(diagrams)) {
        if (file.path().extension() != ".toml") continue;
        CAPTURE(file.path().filename().string());
        const auto trace = nlohmann::json::parse(drawn("run " + file.path().string() + " --json -"));
        bool moves = false;
        for (const auto& [name, values] : trace["samples"].items()) {
            if (name == "t") continue;
            for (std::size_t i = 2; i < values.size(); ++i) moves = moves || values[i] != values[1];
        }
        for (const auto& event : trace["events"]) moves = moves || event["t"] > trace["samples"]["t"][0];
        CHECK(moves);
    }
}
