// Listings of models and programs are cut from files, and these files are run: nothing on a page is made up.
#include "engine/simulate.hpp"
#include "tests/docs/replay.hpp"
#include "tests/paths.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace deltaflow::test;
namespace fs = std::filesystem;

namespace {

const fs::path root = deltaflow::test::project_folder();

// Where listings of a language may be cut from.
std::vector<fs::path> files_of(const std::string& language) {
    static const std::vector<std::pair<std::string, std::string>> kinds = {
        {"toml", ".toml"}, {"cpp", ".cpp"}, {"cpp", ".hpp"}, {"cmake", ".txt"}, {"text", ".txt"}};
    std::vector<fs::path> result;
    for (const char* folder :
         {"docs", "diagrams", "examples", "tests", "signal", "blocks", "bonds", "engine"})
        if (fs::exists(root / folder))
            for (const auto& entry : fs::recursive_directory_iterator(root / folder))
                if (std::count(kinds.begin(), kinds.end(),
                               std::pair(language, entry.path().extension().string())) > 0)
                    result.push_back(entry.path());
    return result;
}

bool stands_for_any_lines(const std::string& line) {
    return line.find_first_not_of(' ') != std::string::npos &&
           (line.ends_with("// ...") || line.ends_with("# ..."));
}

// Does the cut from line i on stand in the file from line j on, indented by `margin`?
bool stands(const Lines& cut, const Lines& file, std::size_t i, std::size_t j, const std::string& margin) {
    if (i == cut.size()) return true;
    if (stands_for_any_lines(cut[i])) {
        for (; j <= file.size(); ++j)
            if (stands(cut, file, i + 1, j, margin)) return true;
        return false;
    }
    if (j >= file.size() || file[j] != (cut[i].empty() ? "" : margin + cut[i])) return false;
    return stands(cut, file, i + 1, j + 1, margin);
}

bool is_cut_from(const Lines& cut, const Lines& file) {
    for (std::size_t j = 0; j < file.size(); ++j)
        if (file[j].ends_with(cut.front())) {
            const std::string margin = file[j].substr(0, file[j].size() - cut.front().size());
            if (margin.find_first_not_of(' ') == std::string::npos && stands(cut, file, 0, j, margin))
                return true;
        }
    return false;
}

bool is_cut(const Listing& listing) {
    const auto files = files_of(listing.language);
    return std::any_of(files.begin(), files.end(), [&](const fs::path& file) {
        return is_cut_from(listing.lines, split(text_of(file.string())));
    });
}

bool is_shown(const std::string& model) {
    for (const fs::path& page : manual())
        for (const Shown& shown : shown_commands(text_of(page.string())))
            if (shown.command.find(model) != std::string::npos) return true;
    return false;
}

}  // namespace

TEST_CASE("listings of models and programs are cut from files", "[docs]") {
    for (const fs::path& page : manual())
        for (const Listing& listing : listings(text_of(page.string()))) {
            const std::string& language = listing.language;
            if (language != "toml" && language != "cpp" && language != "cmake" && language != "text")
                continue;
            INFO(page << ":" << listing.line << ": put this into a file (models: docs/models/):\n"
                      << joined(listing.lines));
            CHECK(is_cut(listing));
        }
}

TEST_CASE("models below docs are right, unless a page shows what is wrong with them", "[docs]") {
    for (const auto& entry : fs::recursive_directory_iterator(root / "docs")) {
        if (entry.path().extension() != ".toml") continue;
        CAPTURE(entry.path());
        if (!is_shown(entry.path().lexically_relative(root).string()))
            CHECK_NOTHROW(deltaflow::load_model(entry.path().string()));
    }
}

TEST_CASE("listings begin at the left margin, where these tests see them", "[docs]") {
    for (const fs::path& page : manual())
        for (const std::string& line : split(text_of(page.string()))) {
            CAPTURE(page, line);
            const std::size_t fence = line.find("```");
            CHECK((fence == std::string::npos || fence == 0 || line.find_first_not_of(' ') < fence));
        }
}
