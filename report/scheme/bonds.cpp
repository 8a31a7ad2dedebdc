// The bond graph in a picture: elements, bonds with their causality, what automata switch.
#include "report/scheme/build.hpp"
#include "report/text/notation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::report::scheme {

namespace {

using bonds::Element;
using bonds::End;

std::string junction_title(const Element& element) {
    const std::string title = element.type == bonds::Type::zero ? "0" : "1";
    if (element.automaton < 0) return title;
    return title + (element.off == bonds::Off::effort ? "/E" : "/F");
}

// Without the index of an array of bonds.
std::string declared_name(const std::string& name) {
    return !name.empty() && name.back() == ']' ? name.substr(0, name.rfind('[')) : name;
}

// Diode, contact, friction, stop, drawn 20 wide and 10 high.
std::string_view symbol_of(const Element& element) {
    switch (element.type) {
        case bonds::Type::D:
            return "M-10 0H-5M-5 -5V5L4 0ZM4 -5V5M4 0H10";
        case bonds::Type::contact:
            return "M-10 0H-4M-4 -5V5M3 -5V5M3 -3L7 -5M3 1L7 -1M3 5L7 3";
        case bonds::Type::friction:
            return "M-6 -5H6V0H-6ZM-10 2H10M-8 5L-6 2M-3 5L-1 2M2 5L4 2M7 5L9 2";
        case bonds::Type::stop:
            return "M-9 -5V5M9 -5V5M-3 -3H3V3H-3ZM-9 0H-3M3 0H9";
        default:
            return {};
    }
}

std::string value_text(const Element& element) {
    if (!element.law_text.empty()) return element.law_text;
    return element.parameter_text.empty() ? number_text(element.value) : element.parameter_text;
}

// Such bonds are named by their ends.
bool is_inside_field(const bonds::Bond& bond) { return bond.name.find(" -> ") != std::string::npos; }

}  // namespace

bool carries_impulse(const BondLine& bond) { return is_impulsive(bond.effort) || is_impulsive(bond.flow); }

std::string bond_text(const BondLine& bond) {
    std::string text = bond.name.substr(bond.name.rfind('.') + 1);
    if (bond.count > 1) text += fmt::format(" ({} times)", bond.count);
    if (is_impulsive(bond.effort)) text += ", e " + regularity_text(bond.effort);
    if (is_impulsive(bond.flow)) text += ", f " + regularity_text(bond.flow);
    return text;
}

void PictureBuilder::describe_element(Box& box) {
    const auto found = elements_.find(box.name);
    if (found == elements_.end()) return describe_field(box);
    const Element& element = model_.graph.elements[found->second];
    const std::string type = box.lines.empty() ? "" : box.lines[0];
    const std::string name = box.title;
    box.lines.clear();
    if (element.is_junction()) {
        box.shape = Shape::junction;
        box.title = fmt::format("{}: {}", junction_title(element), name);
    } else {
        box.shape = Shape::element;
        box.title = fmt::format("{}: {}", type, name);
        box.symbol = symbol_of(element);
        if (element.type != bonds::Type::Sw && !element.is_ideal())
            for (std::string& line : wrapped(value_text(element), 26, 3))
                box.lines.push_back(std::move(line));
    }
    if (element.is_storage()) box.dependent = order_.causality.dependent[found->second] != 0;
    if (element.automaton < 0) return;
    const auto a = static_cast<std::size_t>(element.automaton);
    const bonds::Automaton& automaton = model_.graph.automata[a];
    const std::string& state = automaton.states[mode_[a]];
    const std::string on = automaton.on[mode_[a]] != 0 ? "on" : "off";
    box.off = on == "off";
    box.lines.push_back(state == on ? on : fmt::format("{} ({})", state, on));
    box.about += fmt::format("; {} = {}", automaton.name, state);
}

// An I or C with ports "coils[0]", "coils[1]", ...; what it is lowered to is not drawn.
void PictureBuilder::describe_field(Box& box) const {
    std::size_t ports = 0;
    while (elements_.count(fmt::format("{}[{}]", box.name, ports)) > 0) ++ports;
    if (ports == 0 || box.lines.empty()) return;
    box.shape = Shape::element;
    box.title = fmt::format("{}: {}", box.lines[0], box.title);
    box.lines = {fmt::format("{} port{}", ports, ports == 1 ? "" : "s")};
}

void PictureBuilder::describe_automaton(Box& box) const {
    box.shape = Shape::automaton;
    const auto found = automata_.find(box.name);
    if (found == automata_.end()) return;
    const bonds::Automaton& automaton = model_.graph.automata[found->second];
    box.lines = {"in state " + automaton.states[mode_[found->second]]};
    box.about =
        fmt::format("{}: automaton, {} of {}", box.name, box.lines[0], list_text(automaton.states, 12, ", "));
}

// An automaton that has the name of an element shares its box.
bool PictureBuilder::is_told_by_element(const std::string& automaton) {
    const auto element = elements_.find(automaton);
    const auto box = boxes_.find(automaton);
    if (element == elements_.end() || box == boxes_.end()) return false;
    const std::uint32_t a = automata_.at(automaton);
    if (model_.graph.elements[element->second].automaton == static_cast<int>(a)) return true;
    Box& shared = picture_.boxes[static_cast<std::size_t>(box->second)];
    shared.lines.push_back("in state " + model_.graph.automata[a].states[mode_[a]]);
    shared.about += "; " + shared.lines.back();
    return true;
}

// A folded instance tells the states of the automata inside it, if they are few.
void PictureBuilder::describe_states(Box& instance) const {
    constexpr std::size_t few = 2;
    const std::string inside = instance.name + ".";
    std::vector<std::string> states;
    for (auto at = automata_.lower_bound(inside);
         at != automata_.end() && at->first.rfind(inside, 0) == 0 && states.size() <= few; ++at)
        states.push_back(fmt::format("{} = {}", at->first.substr(inside.size()),
                                     model_.graph.automata[at->second].states[mode_[at->second]]));
    if (states.size() <= few) instance.lines.insert(instance.lines.end(), states.begin(), states.end());
}

// Is what stands under that name drawn? Not inside folded instances, nor in copies that are left out.
bool PictureBuilder::is_drawn(const std::string& name) const {
    for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1)) {
        const std::string path = name.substr(0, dot);
        const std::string here = declared_name(path);
        if (folded_.count(here) > 0) return false;
        const auto opened = opened_.find(here);
        if (opened == opened_.end()) return false;
        if (opened->second.first_only && path != here + "[0]") return false;
    }
    return true;
}

void PictureBuilder::add_bonds() {
    const auto& bonds = model_.graph.bonds;
    const auto& elements = model_.graph.elements;
    for (std::size_t i = 0; i < bonds.size(); ++i)
        if (is_drawn(bonds[i].name) && !is_inside_field(bonds[i]) &&
            elements[bonds[i].from].name != elements[bonds[i].to].name)
            add_bond(bonds[i], order_.causality.effort_by[i]);
}

// Bonds of one array between the same boxes are one line; its stroke is drawn where they agree.
void PictureBuilder::add_bond(const bonds::Bond& bond, End effort_by) {
    const Found from = find(model_.graph.elements[bond.from].name);
    const Found to = find(model_.graph.elements[bond.to].name);
    if (from.box < 0 || to.box < 0) return;
    BondLine line;
    line.from = static_cast<std::uint32_t>(from.box);
    line.to = static_cast<std::uint32_t>(to.box);
    line.from_port = bond_port(from.box, from.rest, false);
    line.to_port = bond_port(to.box, to.rest, true);
    line.name = bond.name;
    line.ends =
        fmt::format("{} -> {}", model_.graph.elements[bond.from].name, model_.graph.elements[bond.to].name);
    line.effort_by = effort_by;
    line.effort = order_.regularity[bond.effort];
    line.flow = order_.regularity[bond.flow];
    const std::string name = declared_name(bond.name);
    const auto [known, is_new] = bond_lines_.try_emplace({name, {line.from, line.to}}, picture_.bonds.size());
    if (is_new) return picture_.bonds.push_back(std::move(line));
    BondLine& drawn = picture_.bonds[known->second];
    drawn.name = name;
    drawn.ends = fmt::format("{} -> {}", picture_.boxes[drawn.from].title, picture_.boxes[drawn.to].title);
    ++drawn.count;
    if (drawn.effort_by != effort_by) drawn.effort_by = End::nobody;
    drawn.effort = meet(drawn.effort, line.effort);
    drawn.flow = meet(drawn.flow, line.flow);
}

// From each automaton to what it switches, where both are drawn and the automaton has other links.
void PictureBuilder::add_controls() {
    std::vector<bool> linked(picture_.boxes.size(), false);
    for (const Link& link : picture_.links) linked[link.from] = linked[link.to] = true;
    for (const Element& element : model_.graph.elements) {
        if (element.automaton < 0 || !is_drawn(element.name)) continue;
        const auto from =
            boxes_.find(model_.graph.automata[static_cast<std::size_t>(element.automaton)].name);
        const auto to = boxes_.find(element.name);
        if (from == boxes_.end() || to == boxes_.end() || from == to ||
            !linked[static_cast<std::size_t>(from->second)])
            continue;
        Link link;
        link.from = static_cast<std::uint32_t>(from->second);
        link.to = static_cast<std::uint32_t>(to->second);
        link.control = true;
        picture_.links.push_back(std::move(link));
    }
}

// Automata that share no signal with blocks are told by the elements that they switch.
void PictureBuilder::drop_lone_automata() {
    if (model_.graph.elements.empty()) return;
    std::vector<bool> kept(picture_.boxes.size());
    for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = picture_.boxes[i].shape != Shape::automaton;
    for (const Link& link : picture_.links) kept[link.from] = kept[link.to] = true;
    std::vector<std::uint32_t> place(kept.size());
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < kept.size(); ++i) {
        place[i] = static_cast<std::uint32_t>(boxes.size());
        if (kept[i]) boxes.push_back(std::move(picture_.boxes[i]));
    }
    picture_.boxes = std::move(boxes);
    for (Link& link : picture_.links) link.from = place[link.from], link.to = place[link.to];
    for (BondLine& bond : picture_.bonds) bond.from = place[bond.from], bond.to = place[bond.to];
}

}  // namespace deltaflow::report::scheme
