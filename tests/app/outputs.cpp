// Files that must not be replaced.
#include "tests/app/program.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace deltaflow::test;

TEST_CASE("an output never replaces a file that is read", "[app]") {
    const Workplace place;
    const std::string part =
        "[diagrams.twice]\ninputs = [\"u\"]\noutputs = [\"y\"]\n[diagrams.twice.blocks]\ny = \"2*u\"\n";
    const std::string model =
        "use = [\"part.toml\"]\n[blocks]\na = { type = \"twice\", u = \"t\" }\n"
        "[animation]\nb = { shape = \"ball\", y = \"a\" }\n";
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
          "explain m.toml --json m.toml", "show m.toml --at 0 --svg m.toml", "show m.toml --dot hard"}) {
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

TEST_CASE("an output never replaces the file that standard input comes from", "[app]") {
    const Workplace place;
    const std::string model = "[blocks]\ny = \"t\"\nd = { type = \"impulse\", at = 1 }\n";
    place.write("m.toml", model);
    std::filesystem::create_symlink("m.toml", place.folder() / "link");
    for (const char* output :
         {"run - --csv m.toml", "run - --json link", "run - --svg /dev/stdin", "check - --json m.toml",
          "show - --svg link", "explain - --event 1 --json m.toml", "exact - --json m.toml",
          "compare - --json m.toml", "sweep - --over simulation.stop=1,2 --csv m.toml"}) {
        INFO(output);
        CHECK(place.reading("m.toml", output).code == 2);
        CHECK(place.read("m.toml") == model);
    }
}

TEST_CASE("links in a circle are no place for a file", "[app]") {
    const Workplace place;
    place.write("m.toml", "[blocks]\ny = \"t\"\n");
    std::filesystem::create_symlink("b", place.folder() / "a");
    std::filesystem::create_symlink("a", place.folder() / "b");
    CHECK(place.deltaflow("run m.toml --csv a").code == 6);
    CHECK(std::filesystem::is_symlink(place.folder() / "a"));
}
