// Tables of a model file to declarations.
#include "engine/front/read/declarations.hpp"
#include "engine/front/read/network.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::front {
namespace {

bool expect(const Value& value, Value::Kind kind, std::string_view key, std::string_view wanted,
            Report& report) {
    if (value.kind == kind) return true;
    report.add(value.place, fmt::format("\"{}\" must be {}, not {}", key, wanted, kind_name(value)));
    return false;
}

std::string_view what_is(const BlockDeclaration& block) {
    if (block.network != BlockDeclaration::Network::node) return role_name(block.role);
    return block.readings[0].name == "voltage" ? "a node" : "a point";
}

// Gives a name its meaning; a diagram knows each name once.
bool define(DiagramDeclaration& diagram, std::string_view name, const Place& place, Symbol symbol,
            Report& report) {
    const auto [known, fresh] = diagram.names.emplace(name, symbol);
    if (fresh) return true;
    const Symbol before = known->second;
    const std::string_view what = before.kind == Symbol::Kind::input ? "an input"
                                  : before.kind == Symbol::Kind::parameter
                                      ? "a parameter"
                                      : what_is(diagram.blocks[before.index]);
    report.add(place, fmt::format("\"{}\" is already {} of {}", name, what,
                                  diagram.owner ? "this diagram" : "the model"));
    return false;
}

std::vector<NamedPlace> read_names(const Entry& entry, std::string_view wanted, Report& report) {
    std::vector<NamedPlace> names;
    if (!expect(entry.value, Value::Kind::array, entry.key, wanted, report)) return names;
    for (const auto& item : entry.value.items)
        if (expect(item, Value::Kind::string, entry.key, wanted, report))
            names.push_back({item.text, item.place});
    return names;
}

// Inputs and parameters are keys of an instance, beside these.
void check_key_is_free(std::string_view name, const Place& place, std::string_view what, Report& report) {
    if (name == "type" || name == "count" || name == "guess")
        report.add(place, fmt::format("{} cannot be called \"{}\": every instance has this key", what, name));
}

void declare_inputs(DiagramDeclaration& diagram, const Entry& entry, Report& report) {
    for (const auto& input : read_names(entry, "a list of names", report)) {
        if (!check_name(input.name, input.place, "an input", report)) continue;
        check_key_is_free(input.name, input.place, "an input", report);
        const auto index = static_cast<std::uint32_t>(diagram.inputs.size());
        if (define(diagram, input.name, input.place, {Symbol::Kind::input, index}, report))
            diagram.inputs.push_back(input);
    }
}

void declare_parameters(DiagramDeclaration& diagram, const Entry& entry, Report& report) {
    if (!expect(entry.value, Value::Kind::table, entry.key, "a table of numbers", report)) return;
    for (const auto& parameter : entry.value.entries) {
        if (!check_name(parameter.key, parameter.place, "a parameter", report)) continue;
        if (diagram.owner) check_key_is_free(parameter.key, parameter.place, "a parameter", report);
        const auto index = static_cast<std::uint32_t>(diagram.parameters.size());
        if (!define(diagram, parameter.key, parameter.place, {Symbol::Kind::parameter, index}, report))
            continue;
        Formula formula = read_formula(parameter.value, "a number or an expression of parameters", report);
        diagram.parameters.push_back({parameter.key, parameter.place, std::move(formula)});
    }
}

// The element of that name, if there is one. Its signals and the states of an automaton are told apart, so
// the two may share the name.
BlockDeclaration* find_element(DiagramDeclaration& diagram, std::string_view name) {
    const auto found = diagram.names.find(name);
    if (found == diagram.names.end() || found->second.kind != Symbol::Kind::block) return nullptr;
    BlockDeclaration& block = diagram.blocks[found->second.index];
    return block.role == Role::element ? &block : nullptr;
}

template <Role role>
void declare_members(DiagramDeclaration& diagram, const Entry& entry, Report& report) {
    const std::string wanted = fmt::format("a table of {}", entry.key);
    if (!expect(entry.value, Value::Kind::table, entry.key, wanted, report)) return;
    for (const auto& member : entry.value.entries) declare_member(diagram, member, role, false, report);
}

template <bonds::Domain domain>
void declare_poles(DiagramDeclaration& diagram, const Entry& entry, Report& report) {
    const std::string wanted =
        fmt::format("a table of {}", domain == bonds::Domain::circuit ? "two-poles" : "parts");
    if (expect(entry.value, Value::Kind::table, entry.key, wanted, report))
        declare_network(diagram, entry, domain, report);
}

std::vector<std::string_view> block_names(const DiagramDeclaration& diagram) {
    std::vector<std::string_view> names;
    for (const auto& block : diagram.blocks)
        if (!block.made) names.push_back(block.name);
    return names;
}

void declare_outputs(DiagramDeclaration& diagram, const Entry& entry, Report& report) {
    for (const auto& output : read_names(entry, "a list of names of blocks", report)) {
        const auto found = diagram.names.find(output.name);
        if (found == diagram.names.end() || found->second.kind != Symbol::Kind::block) {
            const std::string hint = report.hint(output.name, block_names(diagram));
            report.add(output.place,
                       fmt::format("there is no block \"{}\" in this diagram{}", output.name, hint));
            continue;
        }
        const auto same = [&](const NamedPlace& other) { return other.name == output.name; };
        if (std::any_of(diagram.outputs.begin(), diagram.outputs.end(), same))
            report.add(output.place, fmt::format("the output \"{}\" is listed twice", output.name));
        diagram.outputs.push_back(output);
        diagram.output_blocks.push_back(found->second.index);
    }
}

void declare_diagrams(DiagramDeclaration& owner, const Entry& entry, Report& report);

bool is_body(std::string_view table) {
    return table == "blocks" || table == "elements" || table == "bonds" || table == "automata" ||
           table == "circuit" || table == "mechanics";
}

// Room for all that a diagram has; models may be large.
void reserve(DiagramDeclaration& diagram, const Value& table) {
    std::size_t members = 1;  // and total
    for (const auto& entry : table.entries)
        if (is_body(entry.key)) members += entry.value.entries.size();
    diagram.blocks.reserve(members);
    diagram.names.reserve(members);
}

void declare_tables(DiagramDeclaration& diagram, const Value& table, Report& report) {
    using Declare = void (*)(DiagramDeclaration&, const Entry&, Report&);
    constexpr std::pair<std::string_view, Declare> parts[] = {
        {"inputs", declare_inputs},
        {"parameters", declare_parameters},
        {"blocks", declare_members<Role::block>},
        {"elements", declare_members<Role::element>},
        {"circuit", declare_poles<bonds::Domain::circuit>},
        {"mechanics", declare_poles<bonds::Domain::mechanics>},
        {"bonds", declare_members<Role::bond>},
        {"automata", declare_members<Role::automaton>},
        {"outputs", declare_outputs},
        {"diagrams", declare_diagrams}};
    diagram.is_joined = diagram.owner || find(table, "bonds");
    const bool of_used_file = !diagram.owner && table.place.file != 0;
    if (!of_used_file) reserve(diagram, table);
    for (const auto& [key, declare] : parts) {
        if (of_used_file && is_body(key)) continue;  // it is checked when that file is run itself
        if (const Entry* entry = find(table, key)) declare(diagram, *entry, report);
    }
}

void declare_diagram(DiagramDeclaration& owner, const Entry& entry, Report& report) {
    auto diagram = std::make_unique<DiagramDeclaration>();
    diagram->name = entry.key;
    diagram->place = entry.place;
    diagram->owner = &owner;
    check_keys(entry.value,
               {"about", "inputs", "outputs", "parameters", "blocks", "elements", "bonds", "automata",
                "circuit", "mechanics", "diagrams"},
               "of a diagram", report);
    declare_tables(*diagram, entry.value, report);
    owner.diagrams.push_back(std::move(diagram));
}

void declare_diagrams(DiagramDeclaration& owner, const Entry& entry, Report& report) {
    if (!expect(entry.value, Value::Kind::table, entry.key, "a table of diagrams", report)) return;
    for (const auto& diagram : entry.value.entries) {
        if (!expect(diagram.value, Value::Kind::table, diagram.key, "a table: a diagram", report)) continue;
        check_name(diagram.key, diagram.place, "a diagram", report);
        if (find_block_type(diagram.key))
            report.add(diagram.place,
                       fmt::format("\"{}\" is a block type; give the diagram another name", diagram.key));
        declare_diagram(owner, diagram, report);
    }
}

}  // namespace

bool declare_member(DiagramDeclaration& diagram, const Entry& entry, Role role, bool made, Report& report) {
    bool good = made || check_name(entry.key, entry.place, role_name(role), report);
    const auto index = static_cast<std::uint32_t>(diagram.blocks.size());
    BlockDeclaration* element = role == Role::automaton ? find_element(diagram, entry.key) : nullptr;
    if (element && !element->namesake)
        element->namesake = index;
    else
        good = define(diagram, entry.key, entry.place, {Symbol::Kind::block, index}, report) && good;
    BlockDeclaration declaration;
    declaration.role = role;
    declaration.name = entry.key;
    declaration.place = entry.place;
    declaration.value = &entry.value;
    declaration.made = made;
    diagram.blocks.push_back(std::move(declaration));
    return good;
}

std::string_view role_name(Role role) {
    constexpr std::string_view names[] = {"a block", "an element", "a bond", "an automaton",
                                          "the energy of the bond graph"};
    return names[static_cast<std::size_t>(role)];
}

bool check_keys(const Value& table, const std::vector<std::string_view>& known, std::string_view where,
                Report& report) {
    bool good = true;
    for (const auto& entry : table.entries) {
        if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
        good = false;
        report.add(entry.place, fmt::format("unknown key \"{}\" {}{}", entry.key, where,
                                            report.key_hint(entry.key, known)));
    }
    return good;
}

namespace {

// What a model says of its pictures, [layout] and [animation]; the run does not depend on it.
struct Shape {
    std::string_view name;
    std::vector<std::string_view> keys;
};

const std::vector<Shape>& shapes() {
    static const std::vector<Shape> all{{"ball", {"x", "y", "size"}},
                                        {"box", {"x", "y", "width", "height", "angle"}},
                                        {"line", {"x", "y", "x2", "y2"}},
                                        {"spring", {"x", "y", "x2", "y2"}},
                                        {"ground", {"y"}},
                                        {"wall", {"x"}},
                                        {"label", {"x", "y", "value"}}};
    return all;
}

// The table of that name, if there is one.
const Value* table_of(const Value& document, std::string_view key, Report& report) {
    const Entry* entry = find(document, key);
    if (!entry || entry->value.kind == Value::Kind::table) return entry ? &entry->value : nullptr;
    report.add(entry->value.place,
               fmt::format("\"{}\" must be a table, not {}", key, kind_name(entry->value)));
    return nullptr;
}

const Shape* find_shape(const Entry& entry, Report& report) {
    const Entry* shape = entry.value.kind == Value::Kind::table ? find(entry.value, "shape") : nullptr;
    std::vector<std::string_view> known;
    for (const Shape& s : shapes()) known.push_back(s.name);
    if (!shape || shape->value.kind != Value::Kind::string) {
        report.add(entry.value.place,
                   fmt::format("\"{}\" takes a table with a shape: {}", entry.key, fmt::join(known, ", ")));
        return nullptr;
    }
    for (const Shape& s : shapes())
        if (s.name == shape->value.text) return &s;
    report.add(shape->value.place, fmt::format("there is no shape \"{}\"{}", shape->value.text,
                                               report.key_hint(shape->value.text, known)));
    return nullptr;
}

void check_shape(const Entry& entry, Report& report) {
    const Shape* shape = find_shape(entry, report);
    if (!shape) return;
    for (const Entry& key : entry.value.entries) {
        if (key.key == "shape") continue;
        if (std::find(shape->keys.begin(), shape->keys.end(), key.key) == shape->keys.end())
            report.add(key.place, fmt::format("unknown key \"{}\" of a {}{}", key.key, shape->name,
                                              report.key_hint(key.key, shape->keys)));
        else if (!key.value.is_number() && key.value.kind != Value::Kind::string)
            report.add(key.value.place, fmt::format("\"{}\" takes a number or an expression", key.key));
    }
}

void check_layout(const Value& document, Report& report) {
    const Value* layout = table_of(document, "layout", report);
    if (!layout) return;
    for (const Entry& entry : layout->entries) {
        const auto& place = entry.value.items;
        if (place.size() != 2 || !place[0].is_number() || !place[1].is_number())
            report.add(entry.value.place,
                       fmt::format("\"{}\" takes two numbers, [x, y]: where a picture has it", entry.key));
    }
}

void check_animation(const Value& document, Report& report) {
    const Value* animation = table_of(document, "animation", report);
    if (!animation) return;
    for (const Entry& entry : animation->entries) check_shape(entry, report);
}

}  // namespace

void declare_file(FileDeclaration& file, Report& report) {
    const Value& document = file.document;
    check_keys(document,
               {"name", "about", "use", "parameters", "diagrams", "blocks", "simulation", "elements", "bonds",
                "automata", "circuit", "mechanics", "layout", "animation"},
               "of a model", report);
    check_layout(document, report);
    check_animation(document, report);
    for (const std::string_view key : {"name", "about"})
        if (const Entry* entry = find(document, key))
            expect(entry->value, Value::Kind::string, key, "a string", report);
    file.body.place = document.place;
    declare_tables(file.body, document, report);
}

}  // namespace deltaflow::front
