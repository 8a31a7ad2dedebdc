// What holds for all pages: links lead somewhere, and the reference knows every block.
#include "blocks/catalogue.hpp"
#include "tests/docs/markdown.hpp"
#include "tests/paths.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>

using namespace deltaflow::test;
namespace fs = std::filesystem;

namespace {

const fs::path root = deltaflow::test::project_folder();

std::vector<fs::path> pages() {
    std::vector<fs::path> result;
    for (const char* folder : {"", "signal", "blocks", "engine", "app", "diagrams", "tests", "bench", "docs"})
        if (fs::is_directory(root / folder))
            for (const auto& entry : fs::directory_iterator(root / folder))
                if (entry.path().extension() == ".md") result.push_back(entry.path());
    std::sort(result.begin(), result.end());
    return result;
}

bool is_elsewhere(const std::string& link) { return link.find("://") != std::string::npos; }

// The page that a link leads to, and the heading on it, if it names one.
void follow(const fs::path& page, const std::string& link) {
    const std::size_t hash = std::min(link.find('#'), link.size());
    const fs::path target = hash == 0 ? page : page.parent_path() / link.substr(0, hash);
    CAPTURE(page, link);
    CHECK(fs::exists(target));
    if (hash == link.size() || !fs::is_regular_file(target)) return;
    const auto known = anchors(text_of(target.string()));
    CHECK(std::count(known.begin(), known.end(), link.substr(hash + 1)) == 1);
}

// The row of a table that begins with `type` or has it among the names of its first cell.
std::string row_of(const std::vector<std::string>& lines, std::string_view type) {
    const std::string name = "`" + std::string(type) + "`";
    for (const std::string& line : lines)
        if (line.rfind("| `", 0) == 0 && line.substr(0, line.find('|', 2)).find(name) != std::string::npos)
            return line;
    return {};
}

}  // namespace

TEST_CASE("links of every page lead somewhere", "[docs]") {
    for (const fs::path& page : pages())
        for (const std::string& link : links(text_of(page.string())))
            if (!is_elsewhere(link)) follow(page, link);
}

TEST_CASE("the reference has a row for every block type, with all of its parameters", "[docs]") {
    const std::string text = text_of((root / "docs/reference.md").string());
    const auto lines = split(text.substr(text.find("\n## Block types")));
    for (const deltaflow::BlockType& type : deltaflow::catalogue()) {
        CAPTURE(std::string(type.type));
        const std::string row = row_of(lines, type.type);
        REQUIRE_FALSE(row.empty());
        for (const auto& parameter : type.parameters)
            CHECK_THAT(row, Catch::Contains(std::string(parameter.name)));
        for (const auto& port : type.inputs) CHECK_THAT(row, Catch::Contains(std::string(port.name)));
    }
}
