// Bond graphs printed as constitutive hybrid processes: beside each model of tests/report/hypa/ stands its
// text.
#include "report/hypa/hypa.hpp"

#include "engine/model/model.hpp"
#include "report/hypa/linear.hpp"
#include "tests/docs/markdown.hpp"
#include "tests/paths.hpp"

#include <Eigen/Dense>
#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <random>

using namespace deltaflow;
namespace fs = std::filesystem;

namespace {

const fs::path folder = fs::path(test::project_folder()) / "tests/report/hypa";

std::string printed(const fs::path& path, report::HypaOptions options = {}) {
    const FlatModel model = load_model(path.string());
    options.is_block = [](const std::string& name) { return name == "x"; };
    return report::hybrid_processes(model.graph, model.name, options);
}

template <class... Folder>
std::vector<fs::path> models(const Folder&... folders) {
    std::vector<fs::path> result;
    for (const fs::path& folder : {folders...})
        for (const auto& entry : fs::directory_iterator(folder))
            if (entry.path().extension() == ".toml") result.push_back(entry.path());
    std::sort(result.begin(), result.end());
    return result;
}

}  // namespace

TEST_CASE("models are printed as the texts beside them", "[bonds][hypa]") {
    REQUIRE(models(folder).size() == 8);
    for (const fs::path& path : models(folder)) {
        CAPTURE(path.stem());
        CHECK(printed(path) == test::text_of(fs::path(path).replace_extension("txt").string()));
    }
}

TEST_CASE("a process of too many modes is not written out", "[bonds][hypa]") {
    const std::string text =
        printed(folder / "newtons_cradle.toml", {.latex = false, .most_modes = 3, .is_block = {}});
    CHECK_THAT(text, Catch::EndsWith(
                         "The composed process\n\n  It is not written out (4 modes; the limit is 3).\n"));
}

namespace {

void check_latex(const std::string& text) {
    const auto count = [&](const std::string& word) {
        std::size_t n = 0;
        for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
        return n;
    };
    CHECK(std::count(text.begin(), text.end(), '{') == std::count(text.begin(), text.end(), '}'));
    CHECK(count("\\begin{") == count("\\end{"));
    CHECK(count("\\left") == count("\\right"));
    CHECK(count("\\[\n") == count("\\]\n"));
    CHECK(std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 128; }));
}

}  // namespace

TEST_CASE("every bond graph can be printed, and LaTeX closes what it opens", "[bonds][hypa]") {
    std::size_t graphs = 0;
    for (const fs::path& path : models(folder, fs::path(test::project_folder()) / "diagrams")) {
        CAPTURE(path.stem());
        const FlatModel model = load_model(path.string());
        const auto& elements = model.graph.elements;
        if (elements.empty() || std::any_of(elements.begin(), elements.end(),
                                            [](const bonds::Element& e) { return e.law_of_effort; }))
            continue;
        ++graphs;
        CHECK_THAT(report::hybrid_processes(model, false), Catch::Contains("\nThe composed process\n"));
        check_latex(report::hybrid_processes(model, true));
    }
    CHECK(graphs > 20);
}

TEST_CASE("ideal elements are printed as pairs, of which one is zero", "[bonds][hypa]") {
    const auto text_of = [](const std::string& text) {
        return report::hybrid_processes(load_model_text("model.toml", text), false);
    };
    const std::string circuit = text_of(R"toml(
[parameters]
U = 0.7
[circuit]
u = { type = "voltage",  between = "a ground", value = "sin(t)" }
d = { type = "diode",    between = "a b", drop = "U" }
r = { type = "resistor", between = "b ground", value = 2 }
)toml");
    CHECK_THAT(circuit, Catch::Contains("Diode_4(U) ≈"));
    for (const char* line : {"f_4 ≥ 0", "e_4 ≤ U", "f_4·(U - e_4) = 0", "p'_4·q'_4 = 0", "E'_4 = U·q'_4"})
        CHECK_THAT(circuit, Catch::Contains(line));
    CHECK(circuit.find("Automaton") == std::string::npos);
    const std::string bodies = text_of(R"toml(
[mechanics]
m = { type = "mass", at = "x", value = 2, position = 1, velocity = 3 }
k = { type = "contact", between = "x ground", restitution = 0.5 }
f = { type = "friction", between = "x ground", level = 4, static = 5 }
s = { type = "stop", between = "x ground", low = -1, high = 6 }
)toml");
    for (const char* word : {"Contact_", "Friction_", "Stop_", "≠ 0 ⇒ ", "= 4·sgn(", "≤ 5", "-1 ≤ q_"})
        CHECK_THAT(bodies, Catch::Contains(word));
}

TEST_CASE("LaTeX writes fractions, indices and marks", "[bonds][hypa]") {
    const std::string text =
        printed(folder / "collision.toml", {.latex = true, .most_modes = 16, .is_block = {}});
    CHECK_THAT(text, Catch::Contains("E'_{1} = \\frac{(p_{1}^+)^2 - (p_{1}^-)^2}{2 \\cdot m_{1}}"));
    CHECK_THAT(text,
               Catch::Contains("\\oplus (d_{s} \\wedge [\\mathit{touch.apart}^- \\wedge g_{1}]) \\gg c_{a}"));
    CHECK_THAT(text, Catch::Contains("g_{2} = [f_{1}^- < f_{2}^-]"));
}

namespace {

using namespace report::hypa;

Eigen::MatrixXd matrix(const std::vector<Form>& equations, int columns) {
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(std::max<int>(1, static_cast<int>(equations.size())), columns);
    for (std::size_t i = 0; i < equations.size(); ++i)
        for (const auto& [v, c] : equations[i])
            m(static_cast<int>(i), static_cast<int>(v.bond)) = c.terms.begin()->second;
    return m;
}

// All that a summary says, as equations.
std::vector<Form> equations_of(const Summary& summary) {
    std::vector<Form> equations = summary.sums;
    for (const Variable v : summary.zeros) equations.push_back(one_of(v));
    for (const auto& members : summary.classes)
        for (std::size_t i = 1; i < members.size(); ++i)
            equations.push_back(one_of(members[0].first) - one_of(members[i].first, members[i].second));
    return equations;
}

}  // namespace

TEST_CASE("eliminated variables leave the same solutions for the others", "[bonds][hypa]") {
    std::mt19937 random(2004);
    constexpr int all = 9, kept = 5;
    const Symbols symbols;
    for (int trial = 0; trial < 300; ++trial) {
        Relations relations(symbols);
        for (int i = std::uniform_int_distribution(1, 8)(random); i > 0; --i) {
            Form form;
            for (std::uint32_t v = 0; v < all; ++v)
                add(form, one_of({Quantity::effort, Mark::none, v}),
                    Coefficient::number(std::max(-1, std::uniform_int_distribution(-3, 1)(random) % 2)));
            if (!form.empty()) relations.equal(form);
        }
        const Eigen::MatrixXd before = matrix(relations.equations, all);
        relations.eliminate([](Variable v) { return v.bond >= kept; });
        const Eigen::MatrixXd after = matrix(equations_of(summarize(relations, {}, symbols)), all);
        // The kernel, cut down to the variables that are kept.
        const Eigen::MatrixXd kernel = Eigen::FullPivLU<Eigen::MatrixXd>(before).kernel();
        const Eigen::MatrixXd shadow = kernel.topRows(kept);
        CHECK((after.leftCols(kept) * shadow).norm() < 1e-9);
        CHECK(after.rightCols(all - kept).norm() == 0);
        CHECK(Eigen::FullPivLU<Eigen::MatrixXd>(shadow).rank() ==
              kept - Eigen::FullPivLU<Eigen::MatrixXd>(after.leftCols(kept)).rank());
    }
}
