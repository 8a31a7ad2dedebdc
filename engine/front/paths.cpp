#include "engine/front/paths.hpp"

#include <filesystem>

namespace deltaflow {

namespace fs = std::filesystem;

std::string plain_path(const std::string& path) {
    std::error_code error;
    const fs::path whole = fs::absolute(path, error);
    if (error) return path;
    const fs::path canonical = fs::weakly_canonical(whole, error);
    return (error ? whole.lexically_normal() : canonical).string();
}

std::string path_beside(const std::string& file, const std::string& name) {
    return (fs::path(file).parent_path() / name).lexically_normal().string();
}

bool stands_below(const std::string& path, const std::string& folder) {
    const fs::path relative = fs::path(path).lexically_relative(folder);
    return !relative.empty() && *relative.begin() != "..";
}

}  // namespace deltaflow
