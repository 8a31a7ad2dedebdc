// report/ by itself: results in, text out.
#include "engine/simulate.hpp"
#include "report/plot/svg.hpp"
#include "report/scheme/svg.hpp"
#include "report/write/csv.hpp"
#include "tests/docs/markdown.hpp"
#include "tests/paths.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <filesystem>
#include <regex>
#include <stdexcept>

using namespace deltaflow;
namespace fs = std::filesystem;

namespace {

FlatModel ball() { return load_model(test::project_folder() + "/diagrams/bouncing_ball.toml"); }

report::scheme::Picture scheme_of(const FlatModel& model) {
    return report::scheme::make_picture(model, report::scheme::read_mode(model.graph, ""), {});
}

// The boxes n0, n1, ... of a graph in a row of some width, as `dot -Tjson0` would say it.
std::string row_of(const std::string& dot, double width) {
    static const std::regex box(R"(\n\s*(n\d+) \[)");
    std::string objects;
    for (auto it = std::sregex_iterator(dot.begin(), dot.end(), box); it != std::sregex_iterator(); ++it)
        objects += fmt::format(R"({}{{"name": "{}", "pos": "{},50", "width": "1", "height": "0.5"}})",
                               objects.empty() ? "" : ", ", (*it)[1].str(), 100 * (it->position() % 5));
    return fmt::format(R"({{"bb": "0,0,{},100", "objects": [{}]}})", width, objects);
}

// A layouter that makes every picture so wide and remembers what it was asked.
struct Placing {
    std::vector<double> widths;
    std::vector<std::string> asked = {};
    std::string operator()(const std::string& dot) {
        asked.push_back(dot);
        return row_of(dot, widths.at(asked.size() - 1));
    }
};

double placed_width(Placing& placing) {
    return report::scheme::lay_out(scheme_of(ball()), std::ref(placing)).width;
}

}  // namespace

TEST_CASE("results become text without a program, a file or a terminal", "[report]") {
    const FlatModel model = ball();
    const Trace trace = simulate(model);
    const std::string picture = report::text_of([&](report::Output& out) {
        report::write_svg(report::picture_of(trace, {}, report::svg_columns), out);
    });
    CHECK(picture.starts_with("<svg"));
    CHECK(picture.ends_with("</svg>\n"));
}

TEST_CASE("text that is handed on in pieces is the text that is kept", "[report]") {
    const Trace trace = simulate(ball());
    const auto write = [&](report::Output& out) {
        for (int i = 0; i < 40; ++i) report::write_csv(trace, out);
    };
    std::string pieces;
    std::size_t count = 0;
    report::Output output([&](std::string_view text) {
        pieces += text;
        ++count;
    });
    write(output);
    output.flush();
    CHECK(count > 1);
    CHECK(output.text().empty());
    CHECK(pieces == report::text_of(write));
}

TEST_CASE("a scheme is placed by whoever is asked, rightwards unless that is very wide", "[report]") {
    Placing narrow{{400}};
    CHECK(placed_width(narrow) == 400);
    CHECK(narrow.asked.size() == 1);
    CHECK(narrow.asked[0].find("rankdir=LR") != std::string::npos);

    Placing much_better{{2000, 500}};
    CHECK(placed_width(much_better) == 500);
    CHECK(much_better.asked.at(1).find("rankdir=LR") == std::string::npos);

    Placing hardly_better{{2000, 1900}};
    CHECK(placed_width(hardly_better) == 2000);
}

TEST_CASE("a scheme is drawn where the layouter put it", "[report]") {
    const report::scheme::Picture picture = scheme_of(ball());
    Placing placing{{600}};
    const auto layout = report::scheme::lay_out(picture, std::ref(placing));
    const std::string drawn =
        report::text_of([&](report::Output& out) { report::scheme::write_svg(picture, layout, out); });
    for (const auto& box : picture.boxes) CHECK(drawn.find(box.title) != std::string::npos);
}

TEST_CASE("an answer of the layouter that cannot be read is an error", "[report]") {
    const auto picture = scheme_of(ball());
    for (const char* answer : {"", "no JSON", "{}", R"({"bb": "0,0"})",
                               R"({"bb": "0,0,9,9", "objects": [{"name": "n999", "pos": "1,1"}]})"})
        CHECK_THROWS_AS(report::scheme::lay_out(picture, [&](const std::string&) { return answer; }),
                        report::scheme::LayoutError);
    const auto refusing = [](const std::string&) -> std::string { throw std::logic_error("not today"); };
    CHECK_THROWS_AS(report::scheme::lay_out(picture, refusing), std::logic_error);
}

TEST_CASE("report/ starts no process, asks no terminal, opens no file and prints nothing", "[report]") {
    static const std::regex outside(
        R"(#include <(cstdio|fstream|iostream|filesystem|thread|unistd\.h|fcntl\.h|spawn\.h|sys/.*)>|fmt::print|getenv|#include "app/)");
    for (const auto& entry : fs::recursive_directory_iterator(test::project_folder() + "/report")) {
        const std::string extension = entry.path().extension();
        if (extension != ".cpp" && extension != ".hpp") continue;
        INFO(entry.path());
        CHECK_FALSE(std::regex_search(test::text_of(entry.path().string()), outside));
    }
}
