// Files that must not be replaced.
#include "tests/app/program.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace deltaflow::test;

TEST_CASE("an output never replaces a file that is read", "[app]") {
    const Workplace place;
    const std::string part =
        "[diagrams.twice]\ninputs = [\"u\"]\noutputs = [\"y\"]\n[diagrams.twice.blocks]\ny = \"2*u\"\n";
    const std::string model = "use = [\"part.toml\"]\n[blocks]\na = { type = \"twice\", u = \"t\" }\n";
    place.write("part.toml", part);
    place.write("m.toml", model);
    REQUIRE(place.deltaflow("run m.toml --csv out.csv --quiet").code == 0);
    std::filesystem::create_symlink("m.toml", place.folder() / "link");
    std::filesystem::create_hard_link(place.folder() / "m.toml", place.folder() / "hard");
    for (const char* output :
         {"run m.toml --svg m.toml", "run m.toml --csv ./m.toml", "run m.toml --json link",
          "run m.toml --jsonl hard", "run m.toml --svg part.toml", "run m.toml --checkpoint m.toml",
          "check m.toml --json m.toml", "compare m.toml --svg part.toml", "exact m.toml --json m.toml",
          "show m.toml --svg m.toml", "sweep m.toml --over simulation.stop=1,2 --csv m.toml",
          "explain m.toml --json m.toml"}) {
        INFO(output);
        CHECK(place.deltaflow(output).code == 2);
        CHECK(place.read("m.toml") == model);
        CHECK(place.read("part.toml") == part);
    }
}

TEST_CASE("two outputs are two files, by any spelling", "[app]") {
    const Workplace place;
    place.write("m.toml", "[blocks]\ny = \"t\"\n");
    CHECK(place.deltaflow("run m.toml --csv out --json ./out").code == 2);
    CHECK(place.file_count() == 1);
    place.write("old", "kept");
    std::filesystem::create_symlink("old", place.folder() / "link");
    CHECK(place.deltaflow("run m.toml --csv old --json link").code == 2);
    CHECK(place.read("old") == "kept");
}
