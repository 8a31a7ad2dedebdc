// `deltaflow new`: writes a small model to begin with.
#include "app/commands/commands.hpp"
#include "app/commands/starters.hpp"
#include "app/files.hpp"
#include "engine/model/source.hpp"

#include <algorithm>
#include <filesystem>

namespace deltaflow::app {

namespace {

const Starter& starter(const std::string& name) {
    const auto all = starters();
    return *std::find_if(all.begin(), all.end(), [&](const Starter& s) { return s.name == name; });
}

// The model speaks of itself by the name it is written to.
std::string named(std::string text, const std::string& path) {
    const std::size_t at = text.find("FILE");
    return at == std::string::npos ? text
                                   : text.replace(at, 4, path == "-" ? "model.toml" : clean_text(path));
}

}  // namespace

int make_new(const NewOptions& options) {
    std::error_code ignored;
    if (options.path != "-" && !options.force && std::filesystem::exists(options.path, ignored))
        throw OutputError(options.path +
                          " is already there; take another name, or write over it with --force");
    const Starter& chosen = starter(options.kind);
    write_file(options.path,
               [&](Output& output) { output.write(named(std::string(chosen.text), options.path)); });
    if (options.path == "-") return 0;
    write_file("-", [&](Output& output) {
        const std::string name = clean_text(options.path);
        output.print("wrote {}: {}\n", name, chosen.about);
        output.print("  deltaflow run {} --plot -\n", name);
    });
    return 0;
}

}  // namespace deltaflow::app
