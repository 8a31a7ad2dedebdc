// `deltaflow blocks`: the catalogue prints itself.
#include "app/commands/commands.hpp"
#include "app/files.hpp"
#include "blocks/catalogue.hpp"
#include "blocks/spelling.hpp"
#include "bonds/catalogue.hpp"
#include "report/text/notation.hpp"

namespace deltaflow::app {

using namespace report;

namespace {

int unknown_type(const std::string& name) {
    std::vector<std::string_view> known;
    for (const BlockType& type : catalogue()) known.push_back(type.type);
    for (const auto& type : bonds::elements()) known.push_back(type.type);
    const std::string_view usual = usual_name(name);
    const std::string found = find_block_type(usual) ? std::string(usual) : nearest(name, known);
    fmt::print(stderr, "there is no block type \"{}\"{}\n", name,
               found.empty() ? "" : fmt::format("; did you mean \"{}\"?", found));
    return 2;
}

void print(const std::string& text) {
    write_file("-", [&](Output& output) { output.write(line_text(text)); });
}

}  // namespace

int blocks(const BlocksOptions& options) {
    if (options.schema) return print(bonds::model_schema()), 0;
    if (options.markdown) return print(bonds::manual_page()), 0;
    if (options.name.empty()) return print(describe_catalogue() + "\n" + bonds::describe_elements()), 0;
    if (const BlockType* type = find_block_type(options.name)) return print(describe_block_type(*type)), 0;
    if (const auto* type = bonds::find_element_type(options.name))
        return print(bonds::describe_element_type(*type)), 0;
    return unknown_type(options.name);
}

}  // namespace deltaflow::app
