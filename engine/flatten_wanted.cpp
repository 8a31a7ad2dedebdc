// Which of the signals that cost something somebody reads.
#include "engine/flatten_wanted.hpp"

#include <algorithm>

namespace deltaflow::front {

void WantedSignals::add(const Declarations& all) {
    for (const auto& file : all.files) add(file->body);
}

void WantedSignals::add(const DiagramDeclaration& diagram) {
    for (const auto& block : diagram.blocks) {
        for (const auto& port : block.inputs)
            for (const auto& formula : port) add(formula.tree);
        for (const auto& argument : block.arguments) add(argument.formula.tree);
        if (block.automaton)
            for (const auto& transition : block.automaton->transitions) add(transition.when.tree);
    }
    for (const auto& inner : diagram.diagrams) add(*inner);
}

void WantedSignals::add(const Expression& e) {
    if (e.kind == Expression::Kind::name) add(std::string_view(e.text));
    for (const auto& argument : e.arguments) add(argument);
}

// The last two parts of a name, without an index: ball[3].body.energy is body.energy.
void WantedSignals::add(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos) return;
    std::string_view owner = name.substr(0, dot);
    const std::size_t before = owner.rfind('.');
    if (before != std::string_view::npos) owner.remove_prefix(before + 1);
    owner = owner.substr(0, owner.find('['));
    names_.insert(std::string(owner).append(name.substr(dot)));
    total_ = total_ || (owner == "total" && name.substr(dot) == ".energy");
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
