// The files that an editor has open, and those beside them.
#pragma once

#include "report/editor/editor.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace deltaflow::app {

// file:///home/me/my%20ball.toml and its path; other addresses are their own paths.
std::string path_of(const std::string& uri);
std::string uri_of(const std::string& path);

struct OpenFile {
    editor::Text text;
    std::optional<std::int64_t> version;
};

class Workspace {
public:
    void set_folders(std::vector<std::string> folders) { folders_ = std::move(folders); }

    // By address; the text as the editor has it.
    std::map<std::string, OpenFile>& files() { return files_; }
    const OpenFile* find(const std::string& uri) const;

    // The file and those that it uses: open ones as they are in the editor. Nothing for an unknown address,
    // or a text too large to be looked at between two keys.
    std::optional<editor::Project> project(const std::string& uri) const;
    // Other projects that have this file: of the folders that are open, or of the folder that it stands in.
    std::vector<editor::Project> users_of(const std::string& uri) const;

private:
    std::optional<std::string> read(const std::string& path) const;

    std::map<std::string, OpenFile> files_;
    std::vector<std::string> folders_;
};

}  // namespace deltaflow::app
