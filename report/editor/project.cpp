// Reads a file and those that it uses.
#include "report/editor/names.hpp"

#include <algorithm>
#include <filesystem>

namespace deltaflow::editor {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 64;

std::string plain_path(const fs::path& path) {
    std::error_code error;
    const fs::path canonical = fs::weakly_canonical(path, error);
    return (error ? path.lexically_normal() : canonical).string();
}

std::vector<std::string> used_names(const Node& root) {
    std::vector<std::string> names;
    const Member* use = root.find("use");
    if (!use) return names;
    if (use->value.kind == Node::Kind::string) names.push_back(use->value.text);
    for (const Node& item : use->value.items)
        if (item.kind == Node::Kind::string) names.push_back(item.text);
    return names;
}

// As the engine has it: a model uses files below its own folder.
bool stands_below(const std::string& path, const std::string& folder) {
    const fs::path relative = fs::path(path).lexically_relative(folder);
    return !relative.empty() && *relative.begin() != "..";
}

}  // namespace

Project open_project(const std::string& path, Text text, const FileReader& read) {
    Project project;
    const auto add = [&](const std::string& where, Text of) {
        Syntax syntax = read_syntax(of.string());
        project.documents.push_back({where, std::move(of), std::move(syntax), {}});
    };
    const std::string root = plain_path(fs::absolute(fs::path(path)).parent_path());
    add(path, std::move(text));
    for (std::size_t i = 0; i < project.documents.size(); ++i) {
        const fs::path folder = fs::path(project.documents[i].path).parent_path();
        for (const std::string& name : used_names(project.documents[i].syntax.root)) {
            const std::string wanted = plain_path(fs::absolute(folder / name));
            if (!stands_below(wanted, root)) continue;
            const auto known =
                std::find_if(project.documents.begin(), project.documents.end(),
                             [&](const Document& d) { return plain_path(fs::absolute(d.path)) == wanted; });
            auto index = static_cast<std::size_t>(known - project.documents.begin());
            if (known == project.documents.end()) {
                if (project.documents.size() >= most_files) continue;
                auto used = read((folder / name).lexically_normal().string());
                if (!used) continue;
                add((folder / name).lexically_normal().string(), Text(std::move(*used)));
            }
            project.documents[i].uses.push_back(index);
        }
    }
    return project;
}

}  // namespace deltaflow::editor
