// Reads a file and those that it uses.
#include "engine/front/paths.hpp"
#include "report/editor/names.hpp"

#include <algorithm>

namespace deltaflow::editor {

namespace {

constexpr std::size_t most_files = 64;

std::vector<std::string> used_names(const Node& root) {
    std::vector<std::string> names;
    const Member* use = root.find("use");
    if (!use) return names;
    if (use->value.kind == Node::Kind::string) names.push_back(use->value.text);
    for (const Node& item : use->value.items)
        if (item.kind == Node::Kind::string) names.push_back(item.text);
    return names;
}

}  // namespace

Project open_project(const std::string& path, Text text, const FileReader& read) {
    Project project;
    const auto add = [&](const std::string& where, Text of) {
        Syntax syntax = read_syntax(of.string());
        project.documents.push_back({where, std::move(of), std::move(syntax), {}});
    };
    const std::string root = plain_path(path_beside(path, "."));
    add(path, std::move(text));
    for (std::size_t i = 0; i < project.documents.size(); ++i) {
        for (const std::string& name : used_names(project.documents[i].syntax.root)) {
            const std::string beside = path_beside(project.documents[i].path, name);
            const std::string wanted = plain_path(beside);
            if (!stands_below(wanted, root)) continue;
            const auto known = std::find_if(project.documents.begin(), project.documents.end(),
                                            [&](const Document& d) { return plain_path(d.path) == wanted; });
            auto index = static_cast<std::size_t>(known - project.documents.begin());
            if (known == project.documents.end()) {
                if (project.documents.size() >= most_files) continue;
                auto used = read(beside);
                if (!used) continue;
                add(beside, Text(std::move(*used)));
            }
            project.documents[i].uses.push_back(index);
        }
    }
    return project;
}

}  // namespace deltaflow::editor
