// A file is read if it is a regular one of bounded size below one of the model's folders.
#include "engine/front/read/reach.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::front {

namespace fs = std::filesystem;

namespace {

fs::path real_path(const fs::path& path) {
    std::error_code error;
    const fs::path found = fs::weakly_canonical(fs::absolute(path, error), error);
    return error ? fs::path() : found;
}

bool lies_below(const fs::path& file, const fs::path& folder) {
    const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
    return end == folder.end() || (end->empty() && std::next(end) == folder.end());
}

// Those of the model, which may be a link, and those beside it.
std::vector<fs::path> real_folders(const std::vector<std::string>& folders) {
    if (folders.empty()) return {};
    const fs::path model = folders.front(), own = model.parent_path();
    std::vector<fs::path> real{real_path(own.empty() ? fs::path(".") : own), real_path(model).parent_path()};
    for (std::size_t i = 1; i < folders.size(); ++i) real.push_back(real_path(folders[i]));
    return real;
}

}  // namespace

std::vector<std::string> readable_folders(const std::string& model, const std::vector<std::string>& allow) {
    std::vector<std::string> folders{model};
    folders.insert(folders.end(), allow.begin(), allow.end());
    return folders;
}

std::optional<Refusal> refusal(const Sources& sources, const fs::path& file, std::uintmax_t most_bytes) {
    const fs::path found = real_path(file);
    const auto has_it = [&](const fs::path& folder) { return !folder.empty() && lies_below(found, folder); };
    const std::vector<fs::path> folders = real_folders(sources.folders);
    if (found.empty() || std::none_of(folders.begin(), folders.end(), has_it))
        return Refusal{
            fmt::format("{} does not lie below the folder of the model, and is not read", file.string()),
            {"what to do: put it there, or allow its folder: --allow PATH"}};
    std::error_code error;
    const fs::file_status status = fs::status(found, error);
    if (!fs::exists(status)) return std::nullopt;
    if (fs::is_directory(status)) return Refusal{fmt::format("{} is not a file", file.string()), {}};
    if (!fs::is_regular_file(status))
        return Refusal{fmt::format("{} is not a file, but a device or a pipe", file.string()), {}};
    if (fs::file_size(found, error) > most_bytes)
        return Refusal{fmt::format("{} is larger than {} MB", file.string(), most_bytes >> 20), {}};
    return std::nullopt;
}

}  // namespace deltaflow::front
