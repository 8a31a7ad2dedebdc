// What holds for all pages: links lead somewhere, and what the catalogue prints is up to date.
#include "bonds/catalogue.hpp"
#include "tests/docs/replay.hpp"
#include "tests/paths.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>

using namespace deltaflow::test;
namespace fs = std::filesystem;

namespace {

const fs::path root = deltaflow::test::project_folder();

// The manual, and what each folder says of itself.
std::vector<fs::path> pages() {
    std::vector<fs::path> result = manual();
    for (const auto& folder : fs::directory_iterator(root))
        if (fs::exists(folder.path() / "README.md") && folder.path().filename() != "docs")
            result.push_back(folder.path() / "README.md");
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
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

}  // namespace

TEST_CASE("links of every page lead somewhere", "[docs]") {
    for (const fs::path& page : pages())
        for (const std::string& link : links(text_of(page.string())))
            if (!is_elsewhere(link)) follow(page, link);
}

TEST_CASE("the page of blocks and elements is printed from the catalogue", "[docs]") {
    const std::string path = (root / "docs/blocks.md").string();
    const std::string printed = deltaflow::bonds::manual_page();
    if (refreshing()) write(path, printed);
    INFO("./dev docs, or: deltaflow blocks --markdown > docs/blocks.md");
    CHECK((text_of(path) == printed));
}

TEST_CASE("every chapter of the course has a model, a picture, exercises and answers", "[docs]") {
    int chapters = 0;
    for (const fs::path& page : manual()) {
        if (page.parent_path().filename() != "course" || page.filename() == "README.md") continue;
        CAPTURE(page);
        ++chapters;
        const std::string text = text_of(page.string());
        CHECK_FALSE(pictures(text).empty());
        for (const char* part : {"\n```toml\n", "\n$ deltaflow run ", "\n## Exercises\n", "\n1. ", "\n2. ",
                                 "<summary>Answers</summary>", "\n**1.** ", "\n**2.** "})
            CHECK_THAT(text, Catch::Contains(part));
    }
    CHECK(chapters >= 10);
}
