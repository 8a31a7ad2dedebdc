// Links: who reads whose signal, found by the names that stand in the file.
#include "report/scheme/build.hpp"

#include "report/scheme/signs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::report::scheme {

namespace {

constexpr std::size_t most_ports = 12;

// All instances of an array share their ports.
std::string port_name(const Box& box, const std::string& name) {
    const std::size_t bracket = name.find(']');
    return box.many && bracket != std::string::npos ? "[i]" + name.substr(bracket + 1) : name;
}

bool same_ends(const Link& a, const Link& b) {
    return a.from == b.from && a.to == b.to && a.from_port == b.from_port && a.to_port == b.to_port;
}

}  // namespace

void PictureBuilder::link_diagram(const OutlineDiagram& diagram) {
    for (const OutlinePart& part : diagram.parts) link_part(part, diagram.path);
}

void PictureBuilder::link_part(const OutlinePart& part, const std::string& path) {
    if (part.kind == OutlinePart::Kind::instance) return link_instance(part, path);
    const auto found = boxes_.find(joined(path, part.name));
    if (found == boxes_.end()) return;
    const bool ports = !picture_.boxes[static_cast<std::size_t>(found->second)].inputs.empty();
    for (const OutlineRead& read : part.reads)
        add_link(read, path, found->second, ports ? static_cast<std::int32_t>(read.input) : -1,
                 sign_in_sum(part, read));
}

void PictureBuilder::link_instance(const OutlinePart& part, const std::string& path) {
    const auto folded = folded_.find(joined(path, part.name));
    for (const OutlineDiagram& copy : part.inside) {
        for (const OutlineRead& read : copy.feeds) {
            if (folded != folded_.end()) {
                if (folded->second >= 0)
                    add_link(read, path, folded->second, static_cast<std::int32_t>(read.input));
            } else if (const auto to = boxes_.find(joined(copy.path, copy.inputs[read.input]));
                       to != boxes_.end())
                add_link(read, path, to->second, -1);
        }
        if (part.open) link_diagram(copy);
    }
}

void PictureBuilder::add_link(const OutlineRead& read, const std::string& path, std::int32_t to,
                              std::int32_t port, int sign) {
    const Found found = find(joined(path, read.name));
    if (found.box < 0) return;
    Box& from = picture_.boxes[static_cast<std::size_t>(found.box)];
    Box& reader = picture_.boxes[static_cast<std::size_t>(to)];
    const bool graph = from.shape == Shape::element || from.shape == Shape::junction;
    if (reader.shape == Shape::automaton && graph) return;  // guards are in the listing of the model
    Link link;
    link.from = static_cast<std::uint32_t>(found.box);
    link.to = static_cast<std::uint32_t>(to);
    link.to_port = port;
    if (!graph && from.shape != Shape::automaton) link.from_port = output_port(from, found.rest);
    link.signal = read.name;
    link.sign = sign;
    if (read.node != no_node) link.regularity = order_.regularity[read.node];
    const auto same = [&](const Link& other) { return same_ends(link, other); };
    const auto known = std::find_if(picture_.links.begin(), picture_.links.end(), same);
    if (known == picture_.links.end()) return picture_.links.push_back(std::move(link));
    if (known->signal != link.signal) known->signal += ", " + link.signal;
    known->regularity = meet(known->regularity, link.regularity);
}

// Regularity is said once where it changes: not what comes in as it is, not at every branch of one wire, and
// not beside bonds unless it is an impulse.
void PictureBuilder::tell_regularity() {
    auto& links = picture_.links;
    for (std::size_t i = 0; i < links.size(); ++i) {
        Link& link = links[i];
        const auto brings_it = [&](const Link& other) {
            return !other.control && other.to == link.from && other.regularity == link.regularity;
        };
        const auto says_it = [&](const Link& other) {
            return !other.control && other.told && other.from == link.from &&
                   other.from_port == link.from_port && other.regularity == link.regularity;
        };
        const auto is_graph = [&](std::uint32_t b) {
            return picture_.boxes[b].shape == Shape::element || picture_.boxes[b].shape == Shape::junction;
        };
        const bool aside = is_graph(link.from) && is_graph(link.to) && !is_impulsive(link.regularity);
        link.told = !aside && std::none_of(links.begin(), links.end(), brings_it) &&
                    std::none_of(links.begin(), links.begin() + static_cast<std::ptrdiff_t>(i), says_it);
    }
}

// The port of that name; folded instances get one for what is read inside them, too.
std::int32_t PictureBuilder::output_port(Box& box, const std::string& name) const {
    if (box.shape != Shape::instance && box.outputs.empty()) return -1;
    const std::string wanted = port_name(box, name);
    const auto at = std::find(box.outputs.begin(), box.outputs.end(), wanted);
    if (at != box.outputs.end()) return static_cast<std::int32_t>(at - box.outputs.begin());
    if (wanted.empty() || wanted == "[i]") return box.outputs.empty() ? -1 : 0;
    if (box.outputs.size() >= most_ports) return -1;
    box.outputs.push_back(wanted);
    return static_cast<std::int32_t>(box.outputs.size() - 1);
}

// Where signals have ports of a folded instance, bonds have ports, too, so that they keep clear of each
// other.
std::int32_t PictureBuilder::bond_port(std::int32_t box, const std::string& inside, bool input) {
    Box& instance = picture_.boxes[static_cast<std::size_t>(box)];
    if (instance.shape != Shape::instance || instance.inputs.empty()) return -1;
    if (!input) return output_port(instance, inside);
    const std::string name = port_name(instance, inside);
    const auto at = std::find(instance.inputs.begin(), instance.inputs.end(), name);
    const auto index = static_cast<std::int32_t>(at - instance.inputs.begin());
    if (at == instance.inputs.end()) instance.inputs.push_back(name);
    return index;
}

// From the outside in, until there is a box.
PictureBuilder::Found PictureBuilder::find(const std::string& name) {
    std::string at;
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find('.', begin), name.size());
        const std::string part = name.substr(begin, end - begin);
        const std::string here = joined(at, part.substr(0, part.find('[')));
        const std::string index = part.substr(std::min(part.find('['), part.size()));
        const std::string after = end < name.size() ? name.substr(end + 1) : "";
        if (const auto box = folded_.find(here); box != folded_.end())
            return {box->second, index.empty() || after.empty() ? index + after : index + "." + after};
        if (const auto box = boxes_.find(here); box != boxes_.end())
            return {box->second, index.empty() ? after : index};
        const auto opened = opened_.find(here);
        if (opened == opened_.end()) return find_other(joined(at, name.substr(begin)));
        at = here + (opened->second.first_only ? "[0]" : index);
        begin = end + 1;
        if (end < name.size()) continue;
        const std::string& output = opened->second.sole_output;
        return output.empty() ? Found{} : find(joined(at, output));
    }
    return {};
}

// A bond lends its name to the element that it comes from.
PictureBuilder::Found PictureBuilder::find_other(const std::string& name) {
    if (name == "total.energy") return {total_box(), ""};
    const std::size_t dot = name.rfind('.');
    const auto bond = bonds_.find(name.substr(0, dot));
    if (bond == bonds_.end()) return {};
    return find(model_.graph.elements[model_.graph.bonds[bond->second].from].name);
}

std::int32_t PictureBuilder::total_box() {
    if (const auto known = boxes_.find("total"); known != boxes_.end()) return known->second;
    Box box;
    box.shape = Shape::terminal;
    box.name = "total";
    box.title = "total.energy";
    box.about = "total.energy: what all storages hold";
    return add_box(std::move(box));
}

}  // namespace deltaflow::report::scheme
