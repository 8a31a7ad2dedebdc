// Declarations and templates, told as an outline: nothing is parsed twice.
#include "engine/front/outline.hpp"

#include "engine/front/flatten/flatten.hpp"
#include "engine/front/flatten/indices.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow {
namespace front {
namespace {

using Kind = BlockDeclaration::Kind;
using Part = OutlinePart::Kind;

// A value as it may stand in a model file; long lists are cut.
std::string written_text(const Value& value) {
    constexpr std::size_t most = 6;
    switch (value.kind) {
        case Value::Kind::string:
            return value.text;
        case Value::Kind::integer:
            return fmt::format("{}", value.integer);
        case Value::Kind::real:
            return fmt::format("{}", value.real);
        case Value::Kind::array:
            break;
        default:
            return value.kind == Value::Kind::table ? "{...}" : "";
    }
    std::string text;
    for (std::size_t i = 0; i < value.items.size() && i < most; ++i)
        text += (i > 0 ? ", " : "") + written_text(value.items[i]);
    return fmt::format("[{}{}]", text, value.items.size() > most ? ", ..." : "");
}

std::string text_of(const std::vector<Formula>& formulas) {
    std::string text;
    for (const Formula& formula : formulas)
        text += (text.empty() ? "" : ", ") + written_text(*formula.source);
    return text;
}

std::string settings_of(const BlockDeclaration& block) {
    std::string text;
    for (const auto& argument : block.arguments)
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", argument.entry->key,
                            written_text(argument.entry->value));
    return text;
}

std::string states_of(const AutomatonDeclaration& automaton) {
    std::string text;
    for (const auto& state : automaton.states) {
        if (!text.empty()) text += ", ";
        text += state.name;
    }
    return text;
}

Part kind_of(const BlockDeclaration& block) {
    switch (block.kind) {
        case Kind::expression:
            return Part::expression;
        case Kind::instance:
            return Part::instance;
        case Kind::element:
            return Part::element;
        case Kind::automaton:
            return Part::automaton;
        default:
            return Part::block;
    }
}

// Bonds are told by the graph itself.
bool is_told(const BlockDeclaration& block) {
    return block.kind != Kind::bond && block.kind != Kind::total && block.kind != Kind::broken;
}

// One instance of a template: where its nodes begin, and what its inputs read.
class Instance {
public:
    Instance(const Templates& templates, const Template& shape, NodeId base, std::vector<NodeId> ports,
             OutlineSize& room, Report& report)
        : templates_(templates),
          shape_(shape),
          base_(base),
          ports_(std::move(ports)),
          room_(room),
          report_(report) {}

    OutlineDiagram frame(std::string path) const {
        OutlineDiagram diagram;
        diagram.path = std::move(path);
        diagram.first_node = base_;
        diagram.nodes = static_cast<NodeId>(shape_.sizes.nodes);
        for (const auto& input : shape_.diagram->inputs) diagram.inputs.emplace_back(input.name);
        for (const auto& output : shape_.diagram->outputs) diagram.outputs.emplace_back(output.name);
        return diagram;
    }

    OutlineDiagram tell(std::string path) const {
        OutlineDiagram diagram = frame(std::move(path));
        const auto& blocks = shape_.diagram->blocks;
        for (std::uint32_t i = 0; i < blocks.size(); ++i)
            if (is_told(blocks[i])) diagram.parts.push_back(part(i, diagram.path));
        return diagram;
    }

private:
    NodeId node_of(Ref signal) const {
        if (signal == broken_signal) return no_node;
        return signal.kind == Ref::Kind::port ? ports_[signal.index] : base_ + signal.index;
    }

    OutlinePart part(std::uint32_t index, const std::string& path) const {
        const BlockDeclaration& block = shape_.diagram->blocks[index];
        OutlinePart part;
        part.kind = kind_of(block);
        part.name = block.name;
        if (block.type) part.type = block.type->type;
        if (block.diagram) part.type = block.diagram->name;
        if (block.element) part.type = block.element->type;
        part.settings = block.automaton ? states_of(*block.automaton) : settings_of(block);
        add_inputs(block, part);
        add_outputs(index, part);
        if (part.kind == Part::instance) open(index, path, part);
        return part;
    }

    void add_inputs(const BlockDeclaration& block, OutlinePart& part) const {
        for (std::uint32_t i = 0; i < block.inputs.size(); ++i) {
            if (block.inputs[i].empty()) continue;  // not given
            const auto port = static_cast<std::uint32_t>(part.inputs.size());
            part.inputs.push_back({input_name(block, i), text_of(block.inputs[i])});
            if (part.kind == Part::instance) continue;  // its copies may read different signals
            for (const Formula& formula : block.inputs[i]) add_reads(formula, port, "", {}, part.reads);
        }
        if (block.element)
            for (const auto& argument : block.arguments) add_modulation(block, argument, part);
        if (block.automaton)
            for (const auto& transition : block.automaton->transitions)
                if (transition.when.source) add_reads(transition.when, 0, "", {}, part.reads);
    }

    static std::string input_name(const BlockDeclaration& block, std::uint32_t i) {
        if (block.type) return std::string(block.type->inputs[i].name);
        if (block.diagram) return std::string(block.diagram->inputs[i].name);
        return {};
    }

    void add_modulation(const BlockDeclaration& block, const ArgumentDeclaration& argument,
                        OutlinePart& part) const {
        if (!argument.formula.source) return;
        const bool law = block.element->parameters[argument.parameter].takes == bonds::Takes::law;
        Formula formula = argument.formula;
        if (is_element(formula.tree)) formula.tree.text += ".effort";  // what a contact presses with
        add_reads(formula, 0, law ? block.element->variable : "", {}, part.reads);
    }

    bool is_element(const Expression& e) const {
        if (e.kind != Expression::Kind::name) return false;
        const auto found = shape_.diagram->names.find(e.text);
        return found != shape_.diagram->names.end() && found->second.kind == Symbol::Kind::block &&
               shape_.diagram->blocks[found->second.index].role == Role::element;
    }

    void add_outputs(std::uint32_t index, OutlinePart& part) const {
        if (part.kind == Part::instance) return;
        const auto outputs = shape_.outputs_of(index);
        const BlockDeclaration& block = shape_.diagram->blocks[index];
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            std::string name = block.role == Role::block && outputs.size() == 1 ? "" : output_name(block, i);
            if (!name.empty() && name[0] == '.') name.erase(0, 1);
            part.outputs.push_back({std::move(name), node_of(outputs[i])});
        }
    }

    // The signals that a formula speaks of, each once; `variable` means none.
    void add_reads(const Formula& formula, std::uint32_t input, std::string_view variable,
                   std::optional<std::uint64_t> i, std::vector<OutlineRead>& reads) const {
        if (formula.source && !formula.source->is_number())
            add_reads(formula.tree, formula.tree, input, variable, i, reads);
    }

    void add_reads(const Expression& e, const Expression& whole, std::uint32_t input,
                   std::string_view variable, std::optional<std::uint64_t> i,
                   std::vector<OutlineRead>& reads) const {
        for (const Expression& argument : e.arguments) add_reads(argument, whole, input, variable, i, reads);
        if (e.kind != Expression::Kind::name || e.text == variable || !is_signal(e.text)) return;
        if (front::mentions_all(e)) return;  // too many to be told one by one
        OutlineRead read{input, closed(e.text, i), &e == &whole, no_node};
        const auto same = [&](const OutlineRead& r) { return r.input == input && r.name == read.name; };
        if (std::any_of(reads.begin(), reads.end(), same)) return;
        if (finds(read)) reads.push_back(std::move(read));
    }

    bool is_signal(std::string_view name) const {
        const auto found = shape_.diagram->names.find(name.substr(0, name.find_first_of(".[")));
        return found != shape_.diagram->names.end() && found->second.kind != Symbol::Kind::parameter;
    }

    std::string closed(const std::string& name, std::optional<std::uint64_t> i) const {
        if (!has_open_index(name)) return name;
        return close_indices(name, i, *shape_.environment, report_);
    }

    // What is multiplied by zero is never looked for, and may not be there.
    bool finds(OutlineRead& read) const {
        try {
            read.node = node_of(find_signal(templates_, shape_, read.name, report_));
            return true;
        } catch (const ExpressionError&) {
        } catch (const Reported&) {
        }
        return false;
    }

    // The copies, as far as there is room, each with what its inputs read.
    void open(std::uint32_t index, const std::string& path, OutlinePart& part) const {
        const Child& first = *shape_.child_of(index);
        const std::uint64_t all = std::max<std::uint64_t>(1, first.array_size);
        const std::uint64_t each = templates_.list[first.shape].diagram->blocks.size();
        const std::uint64_t shown = all <= room_.copies && all * each <= room_.parts ? all : 1;
        part.count = first.array_size;
        part.open = shown * each <= room_.parts;
        if (part.open) room_.parts -= shown * each;
        for (std::uint64_t i = 0; i < shown; ++i) part.inside.push_back(copy(index, i, path, part.open));
    }

    OutlineDiagram copy(std::uint32_t index, std::uint64_t i, const std::string& path, bool open) const {
        const BlockDeclaration& block = shape_.diagram->blocks[index];
        const Child& child = shape_.child_of(index, i);
        const Template& inner = templates_.list[child.shape];
        const std::uint64_t base = base_ + child.first_node + (i - child.first_index) * inner.sizes.nodes;
        std::vector<NodeId> ports;
        for (const Ref argument : child.arguments) ports.push_back(node_of(argument));
        const Instance instance(templates_, inner, static_cast<NodeId>(base), std::move(ports), room_,
                                report_);
        std::string name = path.empty() ? "" : path + ".";
        name += block.name;
        if (child.array_size > 0) name += fmt::format("[{}]", i);
        OutlineDiagram diagram = open ? instance.tell(std::move(name)) : instance.frame(std::move(name));
        const auto counted = block.count ? std::optional(i) : std::optional<std::uint64_t>();
        for (std::uint32_t port = 0; port < block.inputs.size(); ++port)
            add_reads(block.inputs[port][0], port, "", counted, diagram.feeds);
        return diagram;
    }

    const Templates& templates_;
    const Template& shape_;
    NodeId base_;
    std::vector<NodeId> ports_;
    OutlineSize& room_;
    Report& report_;
};

}  // namespace
}  // namespace front

OutlineDiagram outline(const FlatModel& model, OutlineSize size) {
    front::Report report(model.sources);
    const front::Templates& templates = model.written->templates;
    return front::Instance(templates, templates.list[0], 0, {}, size, report).tell("");
}

std::vector<std::string> parameter_names(const FlatModel& model) {
    std::vector<std::string> names;
    for (const auto& parameter : model.written->declarations->files[0]->body.parameters)
        names.emplace_back(parameter.name);
    return names;
}

std::vector<std::string> signal_names(const FlatModel& model) {
    std::vector<std::string> names;
    for (const OutlinePart& part : outline(model, {}).parts) {
        if (part.name.find(':') != std::string::npos) continue;  // nobody wrote it
        for (const OutlineOutput& output : part.outputs)
            names.push_back(part.name + (output.name.empty() || output.name[0] == '[' ? "" : ".") +
                            output.name);
        if (part.kind != OutlinePart::Kind::instance) continue;
        for (const OutlineDiagram& copy : part.inside)
            for (const std::string& output : copy.outputs) names.push_back(copy.path + "." + output);
    }
    for (const auto& bond : model.written->declarations->files[0]->body.blocks)
        if (bond.kind == front::BlockDeclaration::Kind::bond && !bond.made && !bond.count)
            for (const char* signal : {".effort", ".flow"}) names.push_back(std::string(bond.name) + signal);
    return names;
}

}  // namespace deltaflow
