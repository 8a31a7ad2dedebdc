// Files on disk: `use`, what cannot be read, and what no reader should see.
#include "engine/front/read/text.hpp"
#include "report/text/exit_code.hpp"
#include "tests/folder.hpp"
#include "tests/load/model_text.hpp"

#include <filesystem>

using namespace deltaflow;
using namespace deltaflow::test;

namespace {

int code_of(const std::string& path) {
    try {
        load_model(path);
        return 0;
    } catch (const ModelError& e) {
        return exit_code(e.kind);
    }
}

std::string repeated(const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
}

}  // namespace

TEST_CASE("diagrams come from other files, relative to the one that uses them") {
    const Folder folder;
    folder.write("parts/gravity.toml", R"toml(
use = ["constants.toml"]
[parameters]
scale = 2
[diagrams.fall]
outputs = ["y"]
parameters = { from = 1 }
[diagrams.fall.blocks]
down = { type = "downwards" }
y = { type = "integrator", in = "scale*down", initial = "from" }
[blocks]
not = "even looked at"
)toml");
    folder.write("parts/constants.toml",
                 "[diagrams.downwards]\noutputs = [\"g\"]\n[diagrams.downwards.blocks]\ng = -9.81\n");
    const std::string path = folder.write("main.toml", R"toml(
use = ["parts/gravity.toml", "parts/constants.toml"]
[parameters]
scale = 1000
[blocks]
stone = { type = "fall", from = 5 }
g = { type = "downwards" }
)toml");
    const FlatModel model = load_model(path);
    CHECK(parameters_of(model, "stone.y") == std::vector<double>{5});
    CHECK(links_of(model, "stone.y") == "stone.y");
    CHECK(render(model.sources, model.naming->place(node(model, "stone.y"))) ==
          (folder.path() / "parts/gravity.toml:10:1").string());
    CHECK(model.sources.files.size() == 3);
}

TEST_CASE("a file that cannot be read has the exit code 6") {
    const Folder folder;
    CHECK(code_of((folder.path() / "nothing.toml").string()) == 6);
    CHECK(code_of(folder.path().string()) == 6);
    CHECK(code_of(folder.write("main.toml", "use = [\"nothing.toml\"]\n[blocks]\na = 1")) == 6);
    CHECK_THROWS_WITH(load_model(folder.path().string()), Catch::Contains("this is a folder"));
}

TEST_CASE("a file of more than 64 MB is refused") {
    const Folder folder;
    const std::string path = folder.write("big.toml", "[blocks]\na = 1\n");
    std::filesystem::resize_file(path, front::largest_file + 1);
    CHECK(code_of(path) == 3);
    CHECK_THROWS_WITH(load_model(path), Catch::Contains("larger than 64 MB"));
    CHECK(message(std::string(front::largest_file + 1, ' ')).find("larger than 64 MB") != std::string::npos);
}

TEST_CASE("brackets and dotted keys may go only so deep") {
    const std::string deep = "levels within each other";
    CHECK(message("a = " + repeated("[", 100000)).find(deep) != std::string::npos);
    CHECK(message(repeated("a.", 100000) + "b = 1").find(deep) != std::string::npos);
    CHECK(message("[" + repeated("a.", 100000) + "b]").find(deep) != std::string::npos);
    CHECK(message("x = " + repeated("{ a.b.c.d.e.f.g.h = ", 50)).find(deep) != std::string::npos);
    CHECK(message("[blocks]\na = \"" + repeated("(", 100000) + "t\"").find("levels within each other") !=
          std::string::npos);
    CHECK(message("[blocks]\na = \"t\" # " + repeated("[", 1000)) == "");
    CHECK(message("about = '''" + repeated("[", 1000) + "'''\n[blocks]\na = \"t\"") == "");
    CHECK(message("[blocks]\np = { type = \"polynomial\", coefficients = [" + repeated("0.5, ", 1000) +
                  "] }") == "");
}

TEST_CASE("broken UTF-8 is found before it is parsed") {
    for (const std::string bytes :
         {"\xFF", "\xC0\x80", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\xE2\x82", "\x80"})
        CHECK(message("a = 1\nb = \"" + bytes).substr(0, 38) == "model.toml:2:6: the file is not UTF-8:");
    CHECK(message("about = \"\xE2\x82\xAC \xF0\x9F\x8E\x88\"\n[blocks]\na = \"t\"") == "");
}

TEST_CASE("malformed files end in an error, not in a crash") {
    for (const std::string text :
         {"", "[[.", "=", "\"", "'''", "[blocks", "a=[[[", "\xEF\xBB\xBF", "[a]\n[a]", "a.b=1\na.b.c=2"})
        CHECK(message(text) != "");
    CHECK(message(std::string("a\0b", 3)) != "");
}

TEST_CASE("all errors of a model are told, sorted, but only a few dozen of them") {
    std::string text = "[blocks]\n";
    for (int i = 0; i < 200; ++i)
        text += "b" + std::to_string(i) + " = \"unknown" + std::to_string(i) + "\"\n";
    try {
        load(text);
        FAIL("no error");
    } catch (const ModelError& e) {
        REQUIRE(e.diagnostics.size() == 50);
        for (std::uint32_t i = 0; i < 50; ++i) CHECK(e.diagnostics[i].place.line == i + 2);
        CHECK(e.diagnostics.back().notes == std::vector<std::string>{"and 150 more errors"});
    }
}

TEST_CASE("a long line is cut around the place") {
    const std::string shown =
        message("[blocks]\na = \"" + repeated("t + ", 1000) + "zz" + repeated(" + t", 1000) + "\"");
    CHECK(shown.find("...") != std::string::npos);
    CHECK(shown.size() < 600);
}
