// deltaflow explain: what it tells, in which notation, and what it says where there is nothing to tell.
#include "tests/app/program.hpp"
#include "tests/paths.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace {

const std::string diagrams = deltaflow::test::project_folder() + "/diagrams/";

std::string told(const std::string& arguments) {
    const Workplace place;
    const Result result = place.deltaflow("explain " + arguments);
    INFO(result.err);
    REQUIRE(result.code == 0);
    return result.out;
}

void check_lines(const std::string& text, const std::vector<std::string>& lines) {
    INFO(text);
    std::size_t at = 0;
    for (const std::string& line : lines) {
        CAPTURE(line);
        const std::size_t found = text.find(line, at);
        CHECK(found != std::string::npos);
        if (found != std::string::npos) at = found;
    }
}

std::size_t longest_line(const std::string& text) {
    std::size_t longest = 0, begin = 0;
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
        longest = std::max(longest, end - begin);
        begin = end + 1;
    }
    return longest;
}

std::size_t count(const std::string& text, const std::string& word) {
    std::size_t n = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
    return n;
}

// Braces that are not escaped close as they open.
bool is_balanced(const std::string& text) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size() && depth >= 0; ++i) {
        if (text[i] == '\\')
            ++i;
        else
            depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
    }
    return depth == 0;
}

}  // namespace

TEST_CASE("explain works a bounce block by block, in the order of evaluation", "[app]") {
    const std::string text = told(diagrams + "bouncing_ball.toml --event 1");
    check_lines(text,
                {"the instant at t = 1.42784312 (event 1)", "y  0, slope -14.0071",
                 "hit = crossing(y), falling", "(003:5)", "y is 0 and its slope is -14.0071 just before",
                 "F = -1.8 pre(v) hit", "(003:31)", "= -1.8 * (-14.0071) * delta = 25.2129 delta",
                 "a = -9.81 + F", "(003:18)", "= -9.81 + 25.2129 delta", "v = integral of a", "(003:30)",
                 "v_right = v_left + a[-1] = -14.0071 + 25.2129 = 11.2057", "y = integral of v",
                 "v has no delta, so it stays 0", "Committed", "v: -14.0071 -> 11.2057", "F: 25.2129 delta"});
}

TEST_CASE("explain shows the derivatives that an impulse meets", "[app]") {
    check_lines(
        told(diagrams + "product_rule.toml --event 1"),
        {"delta'' meets U = -14.1264, U' = -9.81, U'' = 0", "U delta'' = U delta'' - 2 U' delta' + U'' delta",
         "= -14.1264 delta'' - 2 * (-9.81) * delta' + 0 delta",
         "and 20 times that is 392.4 delta' - 282.528 delta''"});
    check_lines(told(diagrams + "derivative_rule.toml --event 1"),
                {"U jumps from -14.62 to 14.62, which gives (14.62 - (-14.62)) delta = 29.24 delta",
                 "impulses of Y fall a rung: 29.24 delta'"});
}

TEST_CASE("explain shows the equations of a loop and their solution", "[app]") {
    check_lines(told(diagrams + "algebraic_loop_with_impulse.toml --event 1"),
                {"a loop: 2 linear equations", "x = f - 2 y", "x_right = 3 - 2 y_right",
                 "y_right = 0.5 x_right + 0.841471", "solution: x_right = 0.658529, y_right = 1.17074",
                 "z[-1] = 8 - z[-1] + 2", "solution: z[-1] = 5"});
    check_lines(told(diagrams + "two_capacitors_blocks.toml --event 1"),
                {"q1_right = 10 - i[-1]", "i[-1]    = 4 vb_right",
                 "solution: q1_right = 2, vb_right = 2, i[-1] = 8"});
}

TEST_CASE("explain tells guards, modes, momentum and energy of a bond graph", "[app]") {
    check_lines(told(diagrams + "two_body_collision.toml --event 1"),
                {"touch: apart -> together", "the difference is 0 (the root that was",
                 "mode: touch = together; on: contact", "body1.momentum_right = 6 + b1.effort[-1]",
                 "body2     momentum                 1             3", "the sum of the momenta is 7",
                 "stored energy 9.5 before, 8.5 after; contact dissipated 1", "Solve <2 + eps, 0>",
                 "touch: together -> apart", "No signal jumps"});
    check_lines(told(diagrams + "cradle_with_rider.toml --at 1"),
                {"Solve <1, 0>", "The mode is mythical",
                 "abs(impulse(b8.effort)) > F_th holds: the difference is 0.1", "Solve <1, 1>",
                 "the same left limits, in the new mode", "hit dissipated 0.09"});
}

TEST_CASE("explain tells what clocks do", "[app]") {
    check_lines(
        told(diagrams + "sampled_pid.toml --at 1/10"),
        {"e_before = unit_delay(error)", "it gives what it took of error a tick ago, 1", "e = hold(error)",
         "it takes the value of error just after, 0.747819", "s = s_before + 0.1 e"});
}

TEST_CASE("explain finds every instant under the time that run prints", "[app]") {
    const Workplace place;
    const std::string model = diagrams + "bouncing_ball.toml";
    const std::string summary = place.deltaflow("run " + model).out;
    std::size_t events = 0;
    for (std::size_t at = summary.find("\n  "); at != std::string::npos; at = summary.find("\n  ", at + 1)) {
        const std::string time = summary.substr(at + 3, summary.find(' ', at + 3) - at - 3);
        CAPTURE(time);
        CHECK(place.deltaflow("explain " + model + " --at " + time).code == 0);
        ++events;
    }
    CHECK(events > 1);
}

TEST_CASE("explain says what there is where nothing happens", "[app]") {
    const Workplace place;
    place.write("ball.toml", ball);
    Result result = place.deltaflow("explain ball.toml --at 1");
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    check_lines(result.err, {"nothing happens at t = 1", "--at 1.42784312   (event 1)"});
    result = place.deltaflow("explain ball.toml --event 99");
    CHECK(result.code == 2);
    check_lines(result.err, {"there is no event 99; the run has"});
    for (const std::string wrong : {"explain ball.toml", "explain ball.toml --at x",
                                    "explain ball.toml --event 0", "explain ball.toml --at 1 --event 1"})
        CHECK(place.deltaflow(wrong).code == 2);
    CHECK(place.deltaflow("explain ball.toml --event 1 --set simulation.impulses=numeric").code == 2);
    CHECK(place.deltaflow("explain none.toml --event 1").code == 6);
}

TEST_CASE("explain ends with the exit code of the run where the run ends", "[app]") {
    const Workplace place;
    place.write("m.toml", R"([blocks]
p = { type = "impulse", at = 1, size = 2 }
q = { type = "impulse", at = 1, size = 3, order = 1 }
s = { type = "step", at = "1/2" }
y = { type = "product", in = ["p", "q"] }
x = "s + y"
)");
    const Result result = place.deltaflow("explain m.toml --at 1");
    CHECK(result.code == 4);
    check_lines(result.out, {"Here it ends", "y = p q", "(003:31)", "p = 2 delta", "q = 3 delta'",
                             "delta times delta' at the same instant is not defined", "what to do"});
    check_lines(result.err, {"m.toml:5:1: at t = 1:"});
    CHECK(place.deltaflow("explain m.toml --at 1/2").code == 0);
}

TEST_CASE("explain keeps to the page, and its LaTeX closes what it opens", "[app]") {
    for (const char* model : {"bouncing_ball", "product_rule", "algebraic_loop_with_impulse",
                              "two_capacitors", "two_body_collision", "cradle_with_rider", "falling_rod",
                              "sampled_pid", "improper_transfer_function", "vacuum_chamber"}) {
        CAPTURE(model);
        CHECK(longest_line(told(diagrams + model + ".toml --event 1")) <= 100);
        const std::string latex = told(diagrams + model + ".toml --event 1 --latex");
        INFO(latex);
        CHECK(is_balanced(latex));
        for (const std::string environment : {"align*", "itemize", "tabular"})
            CHECK(count(latex, "\\begin{" + environment + "}") == count(latex, "\\end{" + environment + "}"));
        CHECK(count(latex, "$") % 2 == 0);
        CHECK(count(latex, "\\left(") == count(latex, "\\right)"));
        CHECK(latex.find("\\section*{") != std::string::npos);
        CHECK(latex.rfind("\\documentclass{article}\n", 0) == 0);
        CHECK(latex.ends_with("\\end{document}\n"));
        CHECK(count(latex, "\\begin{document}") == 1);
    }
    check_lines(told(diagrams + "bouncing_ball.toml --event 1 --latex"),
                {"F &= -1.8 \\cdot \\left(-14.0071\\right) \\cdot \\delta \\\\", "&= 25.2129\\,\\delta",
                 "v^{+} &= v^{-} + a_{[-1]} \\\\"});
    check_lines(told(diagrams + "bouncing_ball.toml --event 1 --latex"),
                {"$y$ is $0$ and its slope is $-14.0071$ just before: it passes zero",
                 "the $\\delta$ in $a$ makes it jump:"});
    check_lines(told(diagrams + "product_rule.toml --event 1 --latex"), {"$\\delta''$ meets $U = -14.1264$"});
}

TEST_CASE("explain writes its numbers as JSON", "[app]") {
    const auto json = nlohmann::json::parse(told(diagrams + "two_body_collision.toml --event 1 --json -"));
    CHECK(json["model"] == "Two bodies collide");
    CHECK(json["t"] == 2.0);
    CHECK(json["events"] == nlohmann::json::array({1, 2}));
    REQUIRE(json["solves"].size() == 2);
    const auto& solve = json["solves"][0];
    CHECK(solve["committed"] == true);
    CHECK(solve["modes"]["touch"] == "together");
    CHECK(solve["because"][0]["comparisons"][1]["value"].get<double>() == Approx(2));
    CHECK(solve["signals"]["body1.momentum"]["right"].get<double>() == Approx(4));
    CHECK(solve["signals"]["contact.effort"]["impulses"][0].get<double>() == Approx(2));
    CHECK(solve["energy"]["dissipated"]["contact"].get<double>() == Approx(1));
    CHECK(solve["steps"][0]["loop"].size() == 6);
    const auto bounce = nlohmann::json::parse(told(diagrams + "bouncing_ball.toml --event 1 --json -"));
    const auto& force = bounce["solves"][0]["steps"][1];
    CHECK(force["signal"] == "F");
    CHECK(force["definition"] == "-1.8 pre(v) hit");
    CHECK(force["rules"] == nlohmann::json::array({31}));
    CHECK(force["impulses"][0].get<double>() == Approx(1.8 * std::sqrt(2 * 9.81 * 10)));
}

TEST_CASE("signs that mean something in LaTeX may stand in the name of a model", "[app]") {
    const Workplace place;
    place.write("m.toml",
                "name = 'delta^(n) & {a_b} \\ ~ 5%'\n[blocks]\nx_1 = { type = \"impulse\", at = 1 }\n");
    const std::string name =
        "delta\\textasciicircum{}(n) \\& \\{a\\_b\\} \\textbackslash{} "
        "\\textasciitilde{} 5\\%";
    CHECK(place.deltaflow("exact m.toml --latex").out.find("\\section*{" + name + "}") != std::string::npos);
    CHECK(place.deltaflow("explain m.toml --event 1 --latex").out.find("\\section*{" + name) !=
          std::string::npos);
}

TEST_CASE("LaTeX documents are whole, whatever a model is called, and compile where LaTeX is installed",
          "[app][explain]") {
    const Workplace place;
    const std::string title =
        "name = \"Gr\xC3\xB6\xC3\x9F"
        "e \xCE\xB4 \xE4\xB8\xAD \xE2\x89\xA4 100 % of #1_x & {y} ~^\"\n";
    place.write(
        "m.toml",
        title + "[blocks]\nd = { type = \"impulse\", at = 1 }\nx = { type = \"integrator\", in = \"d\" }\n");
    place.write("b.toml", title +
                              "[elements]\ns = { type = \"Se\", effort = 1 }\ni = { type = \"I\", value = 1 "
                              "}\n[bonds]\nb = \"s -> i\"\n");
    for (const std::string command :
         {"explain m.toml --event 1 --latex", "exact m.toml --latex", "hypa b.toml --latex"}) {
        CAPTURE(command);
        const Result result = place.deltaflow(command);
        CHECK(result.code == 0);
        CHECK(result.out.rfind("\\documentclass{article}\n", 0) == 0);
        CHECK(result.out.ends_with("\\end{document}\n"));
        CHECK_THAT(result.out, Catch::Contains("\\ensuremath{\\delta}") && Catch::Contains("U+4E2D"));
        if (std::system("command -v pdflatex > /dev/null 2>&1") != 0) continue;
        place.write("page.tex", result.out);
        const std::string compile =
            "cd " + place.folder().string() +
            " && pdflatex -interaction=nonstopmode -halt-on-error page.tex > log 2>&1";
        CHECK(std::system(compile.c_str()) == 0);
    }
}
