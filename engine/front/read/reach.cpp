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

}  // namespace

std::vector<std::string> readable_folders(const std::string& model, const std::vector<std::string>& allow) {
    const fs::path own = fs::path(model).parent_path();
    std::vector<std::string> folders{real_path(own.empty() ? fs::path(".") : own).string(),
                                     real_path(model).parent_path().string()};  // it may be a link
    for (const std::string& path : allow) folders.push_back(real_path(path).string());
    return folders;
}

std::optional<Refusal> refusal(const Sources& sources, const fs::path& file, std::uintmax_t most_bytes) {
    const fs::path found = real_path(file);
    const auto has_it = [&](const std::string& folder) {
        return !folder.empty() && lies_below(found, folder);
    };
    if (found.empty() || std::none_of(sources.folders.begin(), sources.folders.end(), has_it))
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
