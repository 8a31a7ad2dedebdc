// Finds the type of every block and checks what is written to it.
#include "blocks/spelling.hpp"
#include "engine/front/read/declarations.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::front {
namespace {

using Kind = BlockDeclaration::Kind;

const DiagramDeclaration* find_diagram(std::string_view type, const DiagramDeclaration& from,
                                       const FileDeclaration& file) {
    for (const auto* level = &from; level->owner; level = level->owner)
        for (const auto& diagram : level->diagrams)
            if (diagram->name == type) return diagram.get();
    const auto found = file.visible.find(type);
    return found == file.visible.end() ? nullptr : found->second;
}

std::vector<std::string_view> known_types(const DiagramDeclaration& from, const FileDeclaration& file) {
    std::vector<std::string_view> names;
    for (const auto& type : catalogue()) names.push_back(type.type);
    for (const auto* level = &from; level->owner; level = level->owner)
        for (const auto& diagram : level->diagrams) names.push_back(diagram->name);
    const auto fixed = static_cast<std::ptrdiff_t>(names.size());
    for (const auto& [name, diagram] : file.visible) names.push_back(name);
    std::sort(names.begin() + fixed, names.end());
    return names;
}

// Links the blocks of one diagram. A block with a wrong key stays broken: reading it is no further error.
class Linker {
public:
    Linker(DiagramDeclaration& diagram, const FileDeclaration& file, Report& report)
        : diagram_(diagram), file_(file), report_(report) {}

    void link(BlockDeclaration& block) {
        if (!block.value && block.role != Role::total) return;  // reported already
        switch (block.role) {
            case Role::block:
                return block.value->kind == Value::Kind::table ? link_table(block)
                                                               : link_expression(block, *block.value);
            case Role::element:
                return link_member(block);
            case Role::bond:
                return link_bond(block, report_);
            case Role::automaton:
                return link_automaton(block, report_);
            case Role::total:
                block.kind = Kind::total;
        }
    }

private:
    void link_expression(BlockDeclaration& block, const Value& value) {
        Formula formula = read_formula(value, "an expression or a table with a type", report_);
        if (!formula.source) return;
        block.inputs.resize(1);
        block.inputs[0].push_back(std::move(formula));
        block.kind = Kind::expression;
    }

    void link_table(BlockDeclaration& block) {
        const Entry* type = find(*block.value, "type");
        const Entry* expression = find(*block.value, "expression");
        if (expression && !type) return link_long_expression(block, *expression);
        if (!type) return report_.add(block.place, fmt::format("block \"{}\" has no type", block.name));
        if (type->value.kind != Value::Kind::string)
            return report_.add(type->value.place,
                               fmt::format("\"type\" must be a string, not {}", kind_name(type->value)));
        link_type(block, type->value);
    }

    // An element, or a diagram of elements.
    void link_member(BlockDeclaration& block) {
        const Entry* type = block.value->kind == Value::Kind::table ? find(*block.value, "type") : nullptr;
        if (!type || type->value.kind != Value::Kind::string) return link_element(block, report_);
        if (const auto* diagram = find_diagram(type->value.text, diagram_, file_))
            return link_instance(block, *diagram);
        link_element(block, report_);
    }

    // { expression = "cos(x)", guess = 0.7 }
    void link_long_expression(BlockDeclaration& block, const Entry& expression) {
        bool good = true;
        for (const auto& entry : block.value->entries)
            if (&entry != &expression) good = read_common(block, entry, {"expression", "guess"}) && good;
        if (good) link_expression(block, expression.value);
    }

    void link_type(BlockDeclaration& block, const Value& name) {
        if (const BlockType* type = find_block_type(name.text)) return link_catalogue(block, *type);
        if (const auto* diagram = find_diagram(name.text, diagram_, file_))
            return link_instance(block, *diagram);
        const std::string_view usual = usual_name(name.text);
        const std::string hint = bonds::find_element_type(name.text) ? "; elements stand under [elements]"
                                 : find_block_type(usual)
                                     ? fmt::format("; did you mean \"{}\"?", usual)
                                     : report_.hint(name.text, known_types(diagram_, file_));
        report_.add(name.place, fmt::format("there is no block type \"{}\"{}", name.text, hint));
    }

    void link_catalogue(BlockDeclaration& block, const BlockType& type) {
        block.type = &type;
        block.inputs.resize(type.inputs.size());
        bool good = true;
        for (const auto& entry : block.value->entries) good = read_key(block, type, entry) && good;
        for (std::size_t i = 0; i < type.inputs.size(); ++i)
            good = check_port(block, type.inputs[i], i) && good;
        for (std::size_t i = 0; i < type.parameters.size(); ++i)
            good = check_parameter(block, type, i) && good;
        if (good) block.kind = Kind::catalogue;
    }

    bool read_key(BlockDeclaration& block, const BlockType& type, const Entry& entry) {
        if (entry.key == "type") return true;
        for (std::size_t i = 0; i < type.inputs.size(); ++i)
            if (type.inputs[i].name == entry.key) return read_port(block.inputs[i], type.inputs[i], entry);
        for (std::size_t i = 0; i < type.parameters.size(); ++i)
            if (type.parameters[i].name == entry.key)
                return read_argument(block, static_cast<std::uint32_t>(i), entry,
                                     type.parameters[i].kind == ParameterKind::number);
        return read_common(block, entry, keys_of(type));
    }

    static std::vector<std::string_view> keys_of(const BlockType& type) {
        std::vector<std::string_view> keys;
        for (const auto& port : type.inputs) keys.push_back(port.name);
        for (const auto& parameter : type.parameters) keys.push_back(parameter.name);
        keys.insert(keys.end(), {"type", "guess"});
        return keys;
    }

    bool read_port(std::vector<Formula>& signals, const Port& port, const Entry& entry) {
        if (entry.value.kind != Value::Kind::array) return read_signal(signals, entry.value);
        if (!port.many) {
            report_.add(entry.value.place, fmt::format("\"{}\" takes one signal, not a list", port.name));
            return false;
        }
        bool good = true;
        for (const auto& item : entry.value.items) good = read_signal(signals, item) && good;
        return good;
    }

    bool read_signal(std::vector<Formula>& signals, const Value& value) {
        signals.push_back(read_formula(value, "a signal (a name, an expression or a number)", report_));
        return signals.back().source != nullptr;
    }

    bool read_argument(BlockDeclaration& block, std::uint32_t parameter, const Entry& entry, bool number) {
        Formula formula;
        if (number) formula = read_formula(entry.value, "a number or an expression of parameters", report_);
        block.arguments.push_back({parameter, &entry, std::move(formula)});
        return !number || block.arguments.back().formula.source != nullptr;
    }

    // Keys that every block has; what is left is unknown.
    bool read_common(BlockDeclaration& block, const Entry& entry,
                     const std::vector<std::string_view>& known) {
        if (entry.key == "guess" && !block.diagram) {
            block.guess = &entry.value;
            return true;
        }
        report_.add(entry.place, unknown_key(block, entry.key) + report_.key_hint(entry.key, known));
        return false;
    }

    static std::string unknown_key(const BlockDeclaration& block, std::string_view key) {
        if (block.diagram)
            return fmt::format("the diagram \"{}\" has no input or parameter \"{}\"", block.diagram->name,
                               key);
        if (!block.type) return fmt::format("an expression has no key \"{}\"", key);
        return fmt::format("a block of type \"{}\" has no key \"{}\"", block.type->type, key);
    }

    bool check_port(const BlockDeclaration& block, const Port& port, std::size_t index) {
        const auto given = static_cast<int>(block.inputs[index].size());
        if (given >= port.at_least) return true;
        const Entry* entry = find(*block.value, port.name);
        if (entry && !port.many) return false;  // reported when it was read
        if (!entry)
            report_.add(block.place,
                        fmt::format("block \"{}\" lacks its input \"{}\"", block.name, port.name));
        else
            report_.add(entry->value.place, fmt::format("\"{}\" needs {} signal{} or more, not {}", port.name,
                                                        port.at_least, port.at_least == 1 ? "" : "s", given));
        return false;
    }

    bool check_parameter(const BlockDeclaration& block, const BlockType& type, std::size_t index) {
        const Parameter& parameter = type.parameters[index];
        if (!parameter.fallback.empty() || !parameter.required) return true;
        for (const auto& argument : block.arguments)
            if (argument.parameter == index) return true;
        report_.add(block.place,
                    fmt::format("block \"{}\" lacks its parameter \"{}\"", block.name, parameter.name));
        return false;
    }

    // What is inside an instance has names of its own, so no automaton shares its name.
    void refuse_namesake(const BlockDeclaration& block) {
        if (!block.namesake) return;
        report_.add(diagram_.blocks[*block.namesake].place,
                    fmt::format("\"{}\" is already {} of {}", block.name, role_name(block.role),
                                diagram_.owner ? "this diagram" : "the model"));
    }

    void link_instance(BlockDeclaration& block, const DiagramDeclaration& diagram) {
        refuse_namesake(block);
        block.diagram = &diagram;
        block.inputs.resize(diagram.inputs.size());
        bool good = true;
        for (const auto& entry : block.value->entries) good = read_instance_key(block, entry) && good;
        for (std::size_t i = 0; i < diagram.inputs.size(); ++i) {
            if (!block.inputs[i].empty()) continue;
            good = false;
            const std::string_view name = diagram.inputs[i].name;
            if (find(*block.value, name)) continue;  // reported when it was read
            report_.add(block.place, fmt::format("block \"{}\" lacks the input \"{}\" of its diagram \"{}\"",
                                                 block.name, name, diagram.name));
        }
        if (good) block.kind = Kind::instance;
    }

    bool read_instance_key(BlockDeclaration& block, const Entry& entry) {
        const DiagramDeclaration& diagram = *block.diagram;
        if (entry.key == "type") return true;
        if (entry.key == "count") {
            block.count = &entry.value;
            return true;
        }
        const auto found = diagram.names.find(entry.key);
        if (found == diagram.names.end() || found->second.kind == Symbol::Kind::block)
            return read_common(block, entry, keys_of(diagram));
        const std::uint32_t index = found->second.index;
        if (found->second.kind == Symbol::Kind::parameter) return read_argument(block, index, entry, true);
        return read_port(block.inputs[index], {diagram.inputs[index].name, false, 1}, entry);
    }

    static std::vector<std::string_view> keys_of(const DiagramDeclaration& diagram) {
        std::vector<std::string_view> keys;
        for (const auto& input : diagram.inputs) keys.push_back(input.name);
        for (const auto& parameter : diagram.parameters) keys.push_back(parameter.name);
        keys.insert(keys.end(), {"type", "count"});
        return keys;
    }

    DiagramDeclaration& diagram_;
    const FileDeclaration& file_;
    Report& report_;
};

void link_diagram(DiagramDeclaration& diagram, const FileDeclaration& file, Report& report) {
    Linker linker(diagram, file, report);
    for (auto& block : diagram.blocks) linker.link(block);
    for (auto& inner : diagram.diagrams) link_diagram(*inner, file, report);
}

}  // namespace

void link_file(FileDeclaration& file, Report& report) { link_diagram(file.body, file, report); }

}  // namespace deltaflow::front
