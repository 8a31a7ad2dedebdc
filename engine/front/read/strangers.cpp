// Looks at first bytes and at folders.
#include "engine/front/read/text.hpp"

#include "blocks/spelling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace deltaflow::front {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t looked_at = 4096, most_files = 10'000, shown_files = 5;

// Text has no zeros, and hardly any other control characters but tabs and the ends of lines.
bool is_binary(std::string_view start) {
    const auto is_control = [](char c) {
        return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
    };
    const auto count = std::count_if(start.begin(), start.end(), is_control);
    return start.find('\0') != start.npos || static_cast<std::size_t>(count) > start.size() / 32 + 1;
}

std::string_view without_blanks(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    return text;
}

// Names of the model files of a folder, sorted.
std::vector<std::string> models_in(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code error;
    fs::directory_iterator entry(folder.empty() ? fs::path(".") : folder, error);
    for (std::size_t i = 0; !error && i < most_files && entry != fs::directory_iterator(); ++i) {
        if (entry->path().extension() == ".toml") names.push_back(entry->path().filename().string());
        entry.increment(error);
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace

std::string stranger(std::string_view text) {
    const std::string_view start = text.substr(0, looked_at), words = without_blanks(start);
    if (words.starts_with("t,epsilon,index,side")) return "a trace (CSV), as `run --csv` writes it";
    if (words.starts_with("{") || words.starts_with("[{"))
        return words.find("\"samples\"") != words.npos && words.find("\"signals\"") != words.npos
                   ? "a trace (JSON), as `run --json` writes it"
                   : "JSON";
    if (words.starts_with("<svg")) return "a picture (SVG)";
    if (words.starts_with("<")) return "XML";
    return is_binary(start) ? "no text at all" : "";
}

std::vector<std::string> advice_for_missing(const std::string& path) {
    const fs::path wanted = path;
    const std::vector<std::string> names = models_in(wanted.parent_path());
    const std::string found = nearest_name(wanted.stem().string() + ".toml", {names.begin(), names.end()});
    if (found.empty()) return {};
    return {fmt::format("did you mean {}?", (wanted.parent_path() / found).string())};
}

std::vector<std::string> advice_for_folder(const std::string& path) {
    const std::vector<std::string> names = models_in(path);
    if (names.empty()) return {"there is none in it"};
    std::string list;
    for (std::size_t i = 0; i < std::min(names.size(), shown_files); ++i)
        list += (i > 0 ? ", " : "") + names[i];
    if (names.size() > shown_files) list += fmt::format(", ... {} more", names.size() - shown_files);
    return {"in it: " + list, "for example: " + (fs::path(path) / names.front()).string()};
}

}  // namespace deltaflow::front
