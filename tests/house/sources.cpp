// Reads the sources line by line; their layout is clang-format's, so that is enough.
#include "tests/house/sources.hpp"

#include "tests/paths.hpp"

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

namespace deltaflow::house {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> lines_of(const fs::path& path) {
    std::ifstream file(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

// The bodies of classes at the left margin, by name.
std::vector<std::pair<std::string, std::vector<std::string>>> class_bodies(const Source& source) {
    static const std::regex head(R"(^(?:template <.*> )?class (\w+)[^;]*\{$)");
    std::vector<std::pair<std::string, std::vector<std::string>>> all;
    bool inside = false;
    for (const std::string& line : source.lines) {
        std::smatch match;
        if (!inside && std::regex_match(line, match, head)) {
            all.push_back({match[1], {}});
            inside = true;
        } else if (inside && line.rfind("};", 0) == 0) {
            inside = false;
        } else if (inside) {
            all.back().second.push_back(line);
        }
    }
    return all;
}

// Lines of a class that declare something: four columns in, and no more.
bool is_member(const std::string& line) {
    return line.size() > 4 && line.compare(0, 4, "    ") == 0 && line[4] != ' ' && line[4] != '/' &&
           line[4] != '}';
}

std::vector<Part> count_members(const Source& source, const std::regex& pattern) {
    std::vector<Part> all;
    for (const auto& [name, body] : class_bodies(source)) {
        Part part{source.path + ": " + name};
        for (const std::string& line : body) {
            const std::string code = line.substr(0, line.find("//"));
            if (is_member(line))
                part.size += static_cast<std::size_t>(std::distance(
                    std::sregex_iterator(code.begin(), code.end(), pattern), std::sregex_iterator()));
        }
        all.push_back(part);
    }
    return all;
}

}  // namespace

std::vector<Source> sources() {
    const fs::path root = test::project_folder();
    std::vector<Source> all;
    for (const char* const top :
         {"include", "signal", "blocks", "bonds", "engine", "report", "app", "python/source"}) {
        if (!fs::exists(root / top)) continue;
        for (const auto& file : fs::recursive_directory_iterator(root / top))
            if (file.path().extension() == ".hpp" || file.path().extension() == ".cpp")
                all.push_back({fs::relative(file.path(), root).generic_string(), lines_of(file.path())});
    }
    std::sort(all.begin(), all.end(), [](const Source& a, const Source& b) { return a.path < b.path; });
    return all;
}

std::vector<std::string> includes(const Source& source) {
    static const std::regex include(R"re(^#include "([^"]+)")re");
    std::vector<std::string> all;
    for (const std::string& line : source.lines) {
        std::smatch match;
        if (std::regex_search(line, match, include)) all.push_back(match[1]);
    }
    return all;
}

std::string room_of(const std::string& file) {
    const std::string folder = file.substr(0, file.find_last_of('/'));
    if (folder == "deltaflow") return "include/deltaflow";
    return folder.starts_with("app/") ? "app" : folder;
}

std::vector<Part> functions(const Source& source) {
    static const std::regex head(
        R"(^[A-Za-z].*\)( const| noexcept| override)*( -> .*)? \{$|^    .*\)( const)? \{$)");
    std::vector<Part> all;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < source.lines.size(); ++i) {
        const std::string& line = source.lines[i];
        if (!line.empty() && line[0] != ' ' && line[0] != '}' && line[0] != '#' && line[0] != '/') begin = i;
        if (line != "}") continue;
        const std::string& name = source.lines[begin];
        if (name.find('(') != std::string::npos) all.push_back({source.path + ": " + name, i - begin + 1});
    }
    return all;
}

std::vector<Part> fields(const Source& source) {
    static const std::regex field(R"(\b[a-z]\w*_(?=;| = |\{| = |,|\[))");
    return count_members(source, field);
}

std::vector<Part> methods(const Source& source) {
    static const std::regex method(R"(^    [^=]*?\b\w+\()");
    return count_members(source, method);
}

std::size_t count_matches(const Source& source, const std::string& pattern) {
    const std::regex wanted(pattern);
    std::size_t count = 0;
    for (const std::string& line : source.lines)
        count += static_cast<std::size_t>(
            std::distance(std::sregex_iterator(line.begin(), line.end(), wanted), std::sregex_iterator()));
    return count;
}

std::vector<std::vector<std::string>> table(const std::string& file) {
    std::vector<std::vector<std::string>> rows;
    for (const std::string& line : lines_of(fs::path(test::project_folder()) / file)) {
        std::istringstream words(line.substr(0, line.find('#')));
        std::vector<std::string> row;
        for (std::string word; words >> word;) row.push_back(word);
        if (!row.empty()) rows.push_back(row);
    }
    return rows;
}

}  // namespace deltaflow::house
