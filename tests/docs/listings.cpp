// The manual is replayed: its commands run, what they print compared, and so are the pictures they draw.
#include "tests/docs/replay.hpp"
#include "tests/paths.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <regex>

using namespace deltaflow::test;
namespace fs = std::filesystem;

namespace {

const fs::path root = deltaflow::test::project_folder();

// Puts the output below the command that printed it.
void put(Lines& page, const Shown& shown, const Lines& output, std::ptrdiff_t& moved) {
    const auto begin = page.begin() + static_cast<std::ptrdiff_t>(shown.line) + moved;
    const auto old = static_cast<std::ptrdiff_t>(shown.output.size());
    page.insert(page.erase(begin, begin + old), output.begin(), output.end());
    moved += static_cast<std::ptrdiff_t>(output.size()) - old;
}

void compare_output(const fs::path& path, Replay& replay) {
    const std::string text = text_of(path.string());
    Lines page = split(text);
    std::ptrdiff_t moved = 0;
    for (const Shown& shown : shown_commands(text)) {
        const Lines printed = replay.run(shown.command);
        const bool same = fits(shown.output, printed);
        INFO("$ " << shown.command << "\n" << joined(printed) << "./dev docs brings pages up to date");
        if (!same && refreshing())
            put(page, shown, brought_up_to_date(shown.output, printed), moved);
        else
            CHECK(same);
    }
    if (refreshing() && joined(page) != text) write(path, joined(page));
}

bool is_drawn(const fs::path& picture) { return picture.extension() == ".svg"; }

// Graphviz has versions and fonts of its own: where it found the places, only kinds and words are compared.
bool is_same_picture(const std::string& drawn, const std::string& known) {
    static const std::regex place(R"re( (d|x|y|x1|y1|x2|y2|rx|width|height|viewBox)="[^"]*")re");
    const bool placed_by_others = drawn.find("<!-- places by Graphviz -->") != std::string::npos;
    if (!placed_by_others || drawn == known) return drawn == known;
    return std::regex_replace(drawn, place, "") == std::regex_replace(known, place, "");
}

void compare_pictures(const fs::path& path, const Replay& replay) {
    for (const std::string& name : pictures(text_of(path.string()))) {
        const fs::path picture = (path.parent_path() / name).lexically_normal();
        if (!is_drawn(picture) || picture.filename() == "rooms.svg") continue;  // tests/house draws the rooms
        const std::string drawn = replay.written(picture.lexically_relative(root).string());
        INFO(picture << ": ./dev docs brings pictures up to date");
        if (refreshing() && !drawn.empty()) write(picture, drawn);
        CHECK_FALSE(drawn.empty());
        CHECK(is_same_picture(drawn, text_of(picture.string())));
    }
}

}  // namespace

TEST_CASE("the manual shows what the program prints and draws", "[docs]") {
    for (const fs::path& page : manual()) DYNAMIC_SECTION(page.lexically_relative(root).string()) {
            Replay replay;
            compare_output(page, replay);
            compare_pictures(page, replay);
        }
}

TEST_CASE("every picture below docs is shown on a page", "[docs]") {
    std::vector<std::string> shown;
    for (const fs::path& page : manual())
        for (const std::string& name : pictures(text_of(page.string())))
            shown.push_back((page.parent_path() / name).lexically_normal().string());
    for (const auto& entry : fs::recursive_directory_iterator(root / "docs"))
        if (is_drawn(entry.path())) {
            CAPTURE(entry.path());
            CHECK(std::count(shown.begin(), shown.end(), entry.path().string()) > 0);
        }
}
