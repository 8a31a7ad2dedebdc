// `deltaflow blocks`: the catalogue prints itself.
#include "app/commands/commands.hpp"
#include "app/files.hpp"
#include "app/interrupt.hpp"
#include "blocks/catalogue.hpp"
#include "blocks/spelling.hpp"
#include "bonds/poles.hpp"
#include "report/text/notation.hpp"

namespace deltaflow::app {

using namespace report;

namespace {

int unknown_type(const std::string& name) {
    std::vector<std::string_view> known;
    for (const BlockType& type : catalogue()) known.push_back(type.type);
    for (const auto& type : bonds::elements()) known.push_back(type.type);
    for (const auto& type : bonds::poles()) known.push_back(type.type);
    const std::string_view usual = usual_name(name);
    const std::string found = find_block_type(usual) ? std::string(usual) : nearest(name, known);
    tell(fmt::format("there is no block type \"{}\"{}\n", name,
                     found.empty() ? "" : fmt::format("; did you mean \"{}\"?", found)));
    return 2;
}

void print(const std::string& text) {
    write_file("-", [&](Output& output) { output.write(line_text(text)); });
}

// All that goes by the name: a switch is a block and a two-pole.
std::string describe(const std::string& name) {
    std::string text;
    const auto add = [&](const std::string& page) { text += (text.empty() ? "" : "\n") + page; };
    if (const BlockType* type = find_block_type(name)) add(describe_block_type(*type));
    if (const auto* type = bonds::find_element_type(name)) add(bonds::describe_element_type(*type));
    for (const auto& type : bonds::poles())
        if (type.type == name) add(bonds::describe_pole_type(type));
    return text;
}

}  // namespace

int blocks(const BlocksOptions& options) {
    if (options.schema) return print(bonds::model_schema()), 0;
    if (options.markdown) return print(bonds::manual_page()), 0;
    if (options.name.empty())
        return print(describe_catalogue() + "\n" + bonds::describe_elements() + "\n" +
                     bonds::describe_poles()),
               0;
    const std::string text = describe(options.name);
    if (text.empty()) return unknown_type(options.name);
    return print(text), 0;
}

}  // namespace deltaflow::app
