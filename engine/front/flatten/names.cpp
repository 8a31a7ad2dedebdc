// Where names such as many[3].x lead.
#include "engine/front/flatten/path.hpp"
#include "engine/front/flatten/templates.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::front {
namespace {

std::string list_of(const std::vector<NamedPlace>& names, std::string_view prefix) {
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < 4; ++i)
        text += fmt::format("{}{}{}", i == 0 ? "" : ", ", prefix, names[i].name);
    return names.size() > 4 ? text + ", ..." : text;
}

std::vector<std::string_view> signals_of(const BlockDeclaration& block) {
    std::vector<std::string_view> names;
    for (const auto& reading : block.readings) names.push_back(reading.name);
    if (block.role == Role::element)
        for (const auto signal : block.element->signals) names.push_back(bonds::name_of(signal));
    if (block.role == Role::bond)
        for (const auto signal : bonds::bond_signals()) names.push_back(bonds::name_of(signal));
    if (block.role == Role::automaton)
        for (const auto& state : block.automaton->states) names.push_back(state.name);
    if (block.role == Role::automaton)
        for (const auto& value : block.automaton->values) names.push_back(value.name);
    if (block.role == Role::total) names.push_back(bonds::name_of(bonds::Signal::energy));
    return names;
}

std::string_view kind_of(const BlockDeclaration& block) {
    const std::string_view role = role_name(block.role);  // "an element"
    return block.role == Role::total ? "the model's" : role.substr(role.find(' ') + 1);
}

class Walk {
public:
    Walk(const Templates& templates, std::string_view name, Report& report)
        : templates_(templates), path_(name), report_(report) {}

    // The signal that the path leads to.
    Ref walk(const Template& from) {
        const Symbol symbol = next_symbol(from);
        if (symbol.kind == Symbol::Kind::block) return block(from, symbol.index);
        expect_end(path_.passed());
        return {Ref::Kind::port, symbol.index};
    }

    Ref walk(const Template& from, std::uint32_t index) {
        path_.identifier();
        return block(from, index);
    }

    // The block that the path leads to, whatever it has inside.
    FoundBlock walk_to_block(const Template& from) {
        const Symbol symbol = next_symbol(from);
        if (symbol.kind != Symbol::Kind::block)
            fail_at(0, path_.passed().size(), "this is an input; nothing is inside it");
        const BlockDeclaration& block = from.diagram->blocks[symbol.index];
        if (block.kind == BlockDeclaration::Kind::broken) throw Reported{};
        const Child* child = from.child_of(symbol.index);
        FoundBlock found{&from, symbol.index, {}};
        const bool indexed = path_.at_index();
        if (!child) {
            if (indexed && is_array(block))
                found.index = array_base(block, from.outputs_of(symbol.index).size());
            if (!path_.at_end() && block.role != Role::block)
                fail_at(path_.offset(), path_.rest().size(),
                        fmt::format("nothing is inside the signals of {}; write {}.* for all of them",
                                    role_name(block.role), path_.passed()));
            expect_end(block.name);
        } else if (indexed || !path_.at_end()) {
            const std::uint64_t index = instance_index(*child, block);
            if (path_.accept('.'))
                return walk_to_block(templates_.list[from.child_of(symbol.index, index).shape]);
            if (indexed) found.index = index;
        }
        return found;
    }

    // The element or automaton that the path leads to, counted from the first of `from`.
    std::uint64_t walk_to_member(const Template& from, Role role) {
        const std::size_t begin = path_.offset();
        const Symbol symbol = next_symbol(from);
        if (symbol.kind != Symbol::Kind::block) fail_role(begin, "an input", role);
        const BlockDeclaration& block = from.diagram->blocks[symbol.index];
        if (block.kind == BlockDeclaration::Kind::broken) throw Reported{};
        if (from.child_of(symbol.index)) return member_of(from, symbol.index, role);
        const bool shares = role == Role::automaton && block.namesake;
        if (block.role != role && !shares) fail_role(begin, role_name(block.role), role);
        const std::uint64_t port = block.field ? part_index(block, block.field->value.size()) : 0;
        if (!path_.at_end())
            fail_at(
                path_.offset(), path_.rest().size(),
                fmt::format("\"{}\" is {}; nothing may follow its name here", block.name, role_name(role)));
        const std::uint64_t rank = from.rank.at(shares ? *block.namesake : symbol.index);
        return rank + port;
    }

private:
    std::uint64_t member_of(const Template& from, std::uint32_t block_index, Role role) {
        const BlockDeclaration& block = from.diagram->blocks[block_index];
        const std::uint64_t index = instance_index(*from.child_of(block_index), block);
        const Child& child = from.child_of(block_index, index);
        const Template& shape = templates_.list[child.shape];
        if (!path_.accept('.'))
            fail_at(0, path_.passed().size(),
                    fmt::format("\"{}\" is a diagram; name {} inside it", block.name, role_name(role)));
        const std::uint64_t inside = walk_to_member(shape, role);
        const std::uint64_t copy = index - child.first_index;
        return role == Role::element ? child.first_element + copy * shape.sizes.elements + inside
                                     : child.first_automaton + copy * shape.sizes.automata + inside;
    }

    [[noreturn]] void fail_role(std::size_t begin, std::string_view is, Role wanted) {
        fail_at(begin, path_.offset() - begin,
                fmt::format("\"{}\" is {}, not {}", path_.passed().substr(begin), is, role_name(wanted)));
    }

    Symbol next_symbol(const Template& from) {
        const std::size_t begin = path_.offset();
        const std::string_view name = path_.identifier();
        const auto found = from.diagram->names.find(name);
        if (found == from.diagram->names.end()) fail_unknown(from, begin, name);
        if (found->second.kind == Symbol::Kind::parameter)
            fail_at(begin, name.size(), fmt::format("\"{}\" is a parameter, not a signal", name));
        return found->second;
    }

    [[noreturn]] void fail_unknown(const Template& from, std::size_t begin, std::string_view name) {
        std::vector<std::string_view> known;
        for (const auto& block : from.diagram->blocks)
            if (!block.made) known.push_back(block.name);
        const auto& diagram = from.diagram->name;
        fail_at(begin, name.size(),
                fmt::format("there is no \"{}\" in {}{}", name,
                            diagram.empty() ? "the model" : fmt::format("the diagram \"{}\"", diagram),
                            report_.hint(name, known)));
    }

    void expect_end(std::string_view name) {
        if (!path_.at_end())
            fail_at(path_.offset(), path_.rest().size(),
                    fmt::format("\"{}\" is a single signal; nothing is inside it", name));
    }

    Ref block(const Template& from, std::uint32_t index) {
        const BlockDeclaration& block = from.diagram->blocks[index];
        if (block.kind == BlockDeclaration::Kind::broken) throw Reported{};
        if (from.child_of(index)) return instance(from, index);
        if (block.role != Role::block) return member(from, index);
        return leaf(from.outputs_of(index), block);
    }

    // body.momentum, b[3].effort, touch.together
    Ref member(const Template& from, std::uint32_t index) {
        const BlockDeclaration& block = from.diagram->blocks[index];
        const auto outputs = from.outputs_of(index);
        if (outputs.empty() && is_array(block)) throw Reported{};
        const std::size_t base = array_base(block, outputs.size());
        const auto names = signals_of(block);
        if (names.empty() && !block.namesake)
            fail_at(
                0, path_.passed().size(),
                fmt::format("a {} has no signals of its own; read those of its bonds", block.element->type));
        if (!path_.accept('.')) fail_without_signal(block, names);
        const std::size_t begin = path_.offset();
        const std::string_view name = path_.identifier();
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end() && block.namesake) return state(from, *block.namesake, begin, name);
        if (found == names.end()) fail_unknown_signal(block, begin, name, names);
        expect_end(path_.passed());
        if (outputs.empty()) throw Reported{};
        const Ref signal = outputs[base + static_cast<std::size_t>(found - names.begin())];
        if (signal == broken_signal) throw Reported{};
        return signal;
    }

    // A state of the automaton that has the name of an element.
    Ref state(const Template& from, std::uint32_t index, std::size_t begin, std::string_view name) {
        const BlockDeclaration& automaton = from.diagram->blocks[index];
        if (automaton.kind == BlockDeclaration::Kind::broken) throw Reported{};
        const auto names = signals_of(automaton);
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end()) fail_unknown_signal(automaton, begin, name, names);
        expect_end(path_.passed());
        return from.outputs_of(index)[static_cast<std::size_t>(found - names.begin())];
    }

    [[noreturn]] void fail_unknown_signal(const BlockDeclaration& block, std::size_t begin,
                                          std::string_view name, const std::vector<std::string_view>& names) {
        fail_at(begin, name.size(),
                fmt::format("{} \"{}\" has no signal \"{}\"{}", kind_of(block), block.name, name,
                            report_.hint(name, names)));
    }

    [[noreturn]] void fail_without_signal(const BlockDeclaration& block,
                                          const std::vector<std::string_view>& names) {
        std::string list;
        for (std::size_t i = 0; i < names.size() && i < 4; ++i)
            list += fmt::format("{}{}.{}", i == 0 ? "" : ", ", path_.passed(), names[i]);
        fail_at(0, path_.passed().size(),
                fmt::format("\"{}\" is {}; read one of its signals: {}{}", block.name, role_name(block.role),
                            list, names.size() > 4 ? ", ..." : ""));
    }

    // Bonds in a line, and the ports of a field.
    static bool is_array(const BlockDeclaration& block) { return block.count || block.field; }

    // The first output of the bond or port that [index] means.
    std::size_t array_base(const BlockDeclaration& block, std::size_t outputs) {
        if (!is_array(block)) return no_index(block);
        const std::size_t each = signals_of(block).size();
        if (each == 0 || outputs < each) throw Reported{};  // an array of something that is not there
        return part_index(block, outputs / each) * each;
    }

    std::uint64_t part_index(const BlockDeclaration& block, std::size_t count) {
        const std::size_t begin = path_.offset();
        const std::string_view what = block.field ? "has" : "stands for", of = block.field ? "port" : "bond";
        const std::string all =
            fmt::format("\"{0}\" {1} {2} {3}{4}", block.name, what, count, of, count == 1 ? "" : "s");
        const std::string list = fmt::format("{0}[0] ... {0}[{1}]", block.name, count - 1);
        if (!path_.at_index())
            fail_at(0, begin,
                    fmt::format("{}; {} one of them: {}", all, block.field ? "take" : "read", list));
        const std::uint64_t index = path_.index();
        if (index >= count) fail_at(begin, path_.offset() - begin, fmt::format("{}: {}", all, list));
        return index;
    }

    Ref leaf(std::span<const Ref> outputs, const BlockDeclaration& block) {
        if (outputs.empty()) throw Reported{};
        const std::size_t begin = path_.offset(), count = outputs.size();
        const bool indexed = block.type && path_.at_index();
        const std::uint64_t index = indexed ? path_.index() : 0;
        expect_end(block.name);
        if (!indexed && count > 1)
            fail_at(0, begin,
                    fmt::format("\"{0}\" has {1} outputs; read one of them: {0}[0] ... {0}[{2}]", block.name,
                                count, count - 1));
        if (index >= count)
            fail_at(begin, path_.offset() - begin,
                    fmt::format("\"{}\" has {} output{}, counted from 0", block.name, count,
                                count == 1 ? "" : "s"));
        return outputs[index];
    }

    Ref instance(const Template& from, std::uint32_t block_index) {
        const BlockDeclaration& block = from.diagram->blocks[block_index];
        const std::uint64_t index = instance_index(*from.child_of(block_index), block);
        const Child& child = from.child_of(block_index, index);
        const Template& shape = templates_.list[child.shape];
        const Ref inner = path_.accept('.') ? walk(shape) : sole_output(shape, block);
        return translate(child, index - child.first_index, inner);
    }

    std::uint64_t instance_index(const Child& child, const BlockDeclaration& block) {
        return child.array_size > 0 ? array_index(child, block) : no_index(block);
    }

    std::uint64_t array_index(const Child& child, const BlockDeclaration& block) {
        const std::size_t begin = path_.offset();
        if (!path_.at_index())
            fail_at(0, begin,
                    fmt::format("\"{0}\" is an array; read one of its instances: {0}[0] ... {0}[{1}]",
                                block.name, child.array_size - 1));
        const std::uint64_t index = path_.index();
        if (index >= child.array_size)
            fail_at(begin, path_.offset() - begin,
                    fmt::format("\"{0}\" has {1} instance{2}: {0}[0] ... {0}[{3}]", block.name,
                                child.array_size, child.array_size == 1 ? "" : "s", child.array_size - 1));
        return index;
    }

    std::uint64_t no_index(const BlockDeclaration& block) {
        if (path_.at_index())
            fail_at(path_.offset(), path_.rest().size(),
                    fmt::format("\"{}\" is no array: it has no \"count\"", block.name));
        return 0;
    }

    Ref sole_output(const Template& shape, const BlockDeclaration& block) {
        const DiagramDeclaration& diagram = *shape.diagram;
        expect_end(block.name);
        if (diagram.outputs.empty())
            fail_at(0, path_.passed().size(), fmt::format("the diagram \"{}\" has no outputs", diagram.name));
        if (diagram.outputs.size() > 1)
            fail_at(0, path_.passed().size(),
                    fmt::format("\"{}\" has several outputs; read one of them: {}", block.name,
                                list_of(diagram.outputs, fmt::format("{}.", path_.passed()))));
        path_ = Path(diagram.outputs[0].name);
        return walk(shape);
    }

    // From the frame of an instance to the frame of the diagram that it stands in.
    Ref translate(const Child& child, std::uint64_t copy, Ref inner) const {
        if (inner == broken_signal) throw Reported{};
        if (inner.kind == Ref::Kind::port) return child.arguments.at(inner.index);
        const std::uint64_t size = templates_.list[child.shape].sizes.nodes;
        return {Ref::Kind::node, static_cast<std::uint32_t>(child.first_node + copy * size + inner.index)};
    }

    const Templates& templates_;
    Path path_;
    Report& report_;
};

}  // namespace

const Child* Template::child_of(std::uint32_t block) const {
    const auto before = [](const Child& child, std::uint32_t b) { return child.block < b; };
    const auto found = std::lower_bound(children.begin(), children.end(), block, before);
    return found != children.end() && found->block == block ? &*found : nullptr;
}

const Child& Template::child_of(std::uint32_t block, std::uint64_t index) const {
    const Child& first = *child_of(block);
    return first.count == std::max<std::uint64_t>(1, first.array_size) ? first : (&first)[index];
}

Ref find_signal(const Templates& templates, const Template& from, std::string_view name, Report& report) {
    return Walk(templates, name, report).walk(from);
}

Ref find_signal(const Templates& templates, const Template& from, std::uint32_t block, Report& report) {
    return Walk(templates, from.diagram->blocks[block].name, report).walk(from, block);
}

std::uint64_t find_member(const Templates& templates, const Template& from, std::string_view name, Role role,
                          Report& report) {
    return Walk(templates, name, report).walk_to_member(from, role);
}

std::string output_name(const BlockDeclaration& block, std::size_t index) {
    const auto names = signals_of(block);
    if (block.role == Role::block || names.empty()) return fmt::format("[{}]", index);
    const std::string signal = fmt::format(".{}", names[index % names.size()]);
    return block.count || block.field ? fmt::format("[{}]{}", index / names.size(), signal) : signal;
}

FoundBlock find_block(const Templates& templates, const Template& from, std::string_view name,
                      Report& report) {
    return Walk(templates, name, report).walk_to_block(from);
}

}  // namespace deltaflow::front
