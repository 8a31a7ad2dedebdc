// What holds for all models of diagrams/.
#include "tests/diagrams/shipped.hpp"
#include "tests/paths.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace deltaflow;
using namespace deltaflow::test;

namespace {

namespace fs = std::filesystem;

const fs::path root = deltaflow::test::project_folder();

std::string text_of(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

std::vector<fs::path> files(const fs::path& folder, const std::string& extension) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == extension) found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<std::string> shipped() {
    std::vector<std::string> names;
    for (const fs::path& path : files(root / "diagrams", ".toml")) names.push_back(path.stem());
    return names;
}

std::string all_diagram_tests() {
    std::string text;
    for (const fs::path& path : files(root / "tests" / "diagrams", ".cpp")) text += text_of(path);
    return text;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// A bond graph has a line for each element and each bond: two screens, side by side.
std::ptrdiff_t most_lines(const std::string& text) { return contains(text, "elements]\n") ? 115 : 40; }

}  // namespace

TEST_CASE("Every diagram loads, draws no warning and runs to its end", "[diagrams]") {
    for (const std::string& name : shipped()) {
        INFO(name);
        const FlatModel model = load_model(diagram_path(name));
        CHECK_FALSE(model.about.empty());
        const CheckReport report = check(model);
        for (const Diagnostic& warning : report.warnings) FAIL_CHECK(warning.message);
        const Trace trace = run_diagram(name);
        CHECK(trace.end_t == model.settings.stop);
        CHECK_FALSE(trace.events.empty());
    }
}

TEST_CASE("Every diagram is compared with a closed form", "[diagrams]") {
    const std::string tests = all_diagram_tests();
    for (const std::string& name : shipped()) {
        INFO(name << " is run by no test of tests/diagrams");
        CHECK(contains(tests, "run_diagram(\"" + name + "\""));
    }
}

TEST_CASE("Every diagram begins with its equations, fits a screen and has a line in the README",
          "[diagrams]") {
    const std::string readme = text_of(root / "diagrams" / "README.md");
    for (const std::string& name : shipped()) {
        INFO(name);
        const std::string text = text_of(diagram_path(name));
        CHECK(text.starts_with("# "));
        CHECK(std::count(text.begin(), text.end(), '\n') <= most_lines(text));
        CHECK(contains(readme, "[" + name + "](" + name + ".toml)"));
    }
}

TEST_CASE("Every diagram gives the same trace twice, bit by bit", "[diagrams]") {
    for (const std::string& name : shipped()) {
        INFO(name);
        const Trace first = run_diagram(name), second = run_diagram(name);
        CHECK(first.samples == second.samples);
        CHECK(first.impulses == second.impulses);
        CHECK(std::equal(first.events.begin(), first.events.end(), second.events.begin(), second.events.end(),
                         [](const Event& a, const Event& b) { return a.t == b.t; }));
    }
}
