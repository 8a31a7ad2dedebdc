// The README shows a model and what the program prints for it: both must be true.
#include "tests/app/program.hpp"
#include "tests/paths.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

namespace {

std::string file(const std::string& name) {
    std::ifstream stream(deltaflow::test::project_folder() + "/" + name);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

// What stands between a line that begins with `from` and the end of the listing.
std::string listing(const std::string& text, const std::string& from) {
    const std::size_t mark = text.find(from);
    const std::size_t begin = text.find('\n', mark) + 1;
    return text.substr(begin, text.find("```", begin) - begin);
}

}  // namespace

TEST_CASE("the model in the README is the one that ships", "[app]") {
    const std::string model = listing(file("README.md"), "```toml");
    REQUIRE(model.size() > 100);
    CHECK_THAT(file("diagrams/bouncing_ball.toml"), Catch::Matchers::EndsWith(model));
}

TEST_CASE("the output in the README is what the program prints", "[app]") {
    const Workplace place;
    const std::string shown = listing(file("README.md"), "$ deltaflow run");
    const Result result =
        place.deltaflow("run " + deltaflow::test::project_folder() + "/diagrams/bouncing_ball.toml");
    CHECK_THAT(result.out, Catch::Matchers::StartsWith(shown));
}
