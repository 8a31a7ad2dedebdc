// Addresses, and files beside those that are open.
#include "app/server/workspace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>

namespace deltaflow::app {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view scheme = "file://";
constexpr std::size_t largest_text = std::size_t{4} << 20;
constexpr std::size_t most_looked_at = 5000, most_users = 200;

std::optional<char> from_percent(std::string_view text) {
    unsigned value = 0;
    if (text.size() < 3 || text[0] != '%') return std::nullopt;
    const auto [end, error] = std::from_chars(text.data() + 1, text.data() + 3, value, 16);
    if (error != std::errc() || end != text.data() + 3) return std::nullopt;
    return static_cast<char>(value);
}

bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._~/").find(c) != std::string_view::npos;
}

bool is_same(const std::string& a, const std::string& b) {
    std::error_code error;
    return fs::weakly_canonical(a, error) == fs::weakly_canonical(b, error);
}

}  // namespace

std::string path_of(const std::string& uri) {
    if (!uri.starts_with(scheme)) return uri;
    std::string path;
    for (std::size_t at = std::min(uri.find('/', scheme.size()), uri.size()); at < uri.size(); ++at) {
        const auto c = from_percent(std::string_view(uri).substr(at));
        path += c ? *c : uri[at];
        if (c) at += 2;
    }
    return path;
}

std::string uri_of(const std::string& path) {
    if (!path.starts_with("/")) return path;
    std::string uri(scheme);
    for (const char c : path)
        uri += is_plain(c) ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    return uri;
}

const OpenFile* Workspace::find(const std::string& uri) const {
    const auto found = files_.find(uri);
    return found == files_.end() ? nullptr : &found->second;
}

std::optional<std::string> Workspace::read(const std::string& path) const {
    for (const auto& [uri, file] : files_)
        if (path_of(uri) == path) return file.text.string();
    std::error_code error;
    if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > largest_text || error)
        return std::nullopt;
    std::ifstream stream(path, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(stream), {});
    return stream ? std::optional(std::move(text)) : std::nullopt;
}

std::optional<editor::Project> Workspace::project(const std::string& uri) const {
    const OpenFile* file = find(uri);
    if (!file || file->text.string().size() > largest_text) return std::nullopt;
    return editor::open_project(path_of(uri), file->text,
                                [this](const std::string& path) { return read(path); });
}

std::vector<editor::Project> Workspace::users_of(const std::string& uri) const {
    const std::string path = path_of(uri), name = fs::path(path).filename().string();
    std::vector<std::string> folders = folders_;
    if (folders.empty()) folders.push_back(fs::path(path).parent_path().string());
    std::vector<editor::Project> users;
    std::size_t looked_at = 0;
    for (const std::string& folder : folders) {
        std::error_code error;
        fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
        for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
            if (++looked_at > most_looked_at || users.size() >= most_users) return users;
            if (entry.depth() > 6) entry.disable_recursion_pending();
            const std::string other = entry->path().string();
            if (entry->path().extension() != ".toml" || is_same(other, path)) continue;
            auto text = read(other);
            if (!text || text->find(name) == std::string::npos) continue;
            editor::Project project = editor::open_project(other, editor::Text(std::move(*text)),
                                                           [this](const std::string& p) { return read(p); });
            const auto has = [&](const editor::Document& d) { return is_same(d.path, path); };
            if (std::any_of(project.documents.begin(), project.documents.end(), has))
                users.push_back(std::move(project));
        }
    }
    return users;
}

}  // namespace deltaflow::app
