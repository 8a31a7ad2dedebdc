// Which of the signals that cost something somebody reads.
#include "engine/front/flatten/wanted.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::front {
namespace {

std::string without_indices(std::string_view name) {
    std::string plain;
    bool inside = false;
    for (const char c : name) {
        inside = inside || c == '[';
        if (!inside) plain += c;
        inside = inside && c != ']';
    }
    return plain;
}

}  // namespace

void WantedSignals::add(const Declarations& all) {
    for (const auto& file : all.files) add(file->body);
}

void WantedSignals::add(const DiagramDeclaration& diagram) {
    for (const auto& block : diagram.blocks) {
        transformers_ = transformers_ || (block.element && block.element->type == "MTF");
        for (const auto& port : block.inputs)
            for (const auto& formula : port) add(formula.tree);
        for (const auto& argument : block.arguments) add(argument.formula.tree);
        if (block.automaton)
            for (const auto& transition : block.automaton->transitions) {
                add(transition.when.tree);
                for (const auto& [value, formula] : transition.set) add(formula.tree);
            }
    }
    for (const auto& inner : diagram.diagrams) add(*inner);
}

void WantedSignals::add(const Expression& e) {
    if (e.kind == Expression::Kind::name) add(std::string_view(e.text));
    for (const auto& argument : e.arguments) add(argument);
}

// The last two parts of a name: ball[i + 1].body.energy is body.energy. Only what is made for readers counts.
void WantedSignals::add(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos) return;
    const std::string_view signal = name.substr(dot + 1);
    constexpr std::string_view made_for_readers[] = {"energy", "power", "momentum", "displacement",
                                                     "on",     "gap",   "*"};
    if (std::count(std::begin(made_for_readers), std::end(made_for_readers), signal) == 0) return;
    const std::string plain = without_indices(name.substr(0, dot));
    const std::string owner = plain.substr(plain.rfind('.') + 1);
    names_.insert(fmt::format("{}.{}", owner, signal));
    total_ = total_ || (owner == "total" && signal == "energy");
}

void WantedSignals::add_recorded(std::string_view name) {
    outputs_ = outputs_ || (!name.empty() && name.back() == '*');
    add(name);
}

bool WantedSignals::contains(const DiagramDeclaration& diagram, const BlockDeclaration& owner,
                             bonds::Signal signal) const {
    if (total_ && signal == bonds::Signal::energy) return true;
    const auto is_owner = [&](std::uint32_t block) { return &diagram.blocks[block] == &owner; };
    if (outputs_ && std::any_of(diagram.output_blocks.begin(), diagram.output_blocks.end(), is_owner))
        return true;
    if (names_.empty()) return false;
    const std::string name(owner.name);
    return names_.count(name + "." + std::string(bonds::name_of(signal))) || names_.count(name + ".*");
}

}  // namespace deltaflow::front
