// Boxes: blocks by the name that the author gave them, instances folded or open.
#include "report/scheme/build.hpp"

#include "report/scheme/signs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace deltaflow::report::scheme {

namespace {

using Kind = OutlinePart::Kind;

constexpr std::size_t letters = 30, lines = 3;
constexpr std::size_t most_copies = 12;

// What a box says below its name: the type, the settings, and inputs that are more than a name.
std::vector<std::string> sayings(const OutlinePart& part) {
    std::vector<std::string> all;
    if (!part.type.empty()) all.push_back(part.type);
    for (std::size_t i = 0; i < part.inputs.size(); ++i) {
        const auto feeds = [&](const OutlineRead& read) { return read.input == i && read.plain; };
        const bool plain = std::any_of(part.reads.begin(), part.reads.end(), feeds);
        const auto& [name, text] = part.inputs[i];
        if (name.empty())
            all.push_back(text);
        else if (!plain && part.kind != Kind::instance)
            all.push_back(fmt::format("{} = {}", name, text));
    }
    if (!part.settings.empty()) all.push_back(part.settings);
    return all;
}

Box box_of(const OutlinePart& part, const std::string& name, std::int32_t group) {
    Box box;
    box.name = name;
    box.group = group;
    box.title = part.name;
    box.about = name;
    for (const std::string& saying : sayings(part)) {
        box.about += (box.about == name ? ": " : ", ") + saying;
        for (std::string& line : wrapped(saying, letters, lines)) box.lines.push_back(std::move(line));
    }
    return box;
}

// The last blank between the fewest brackets; `end` itself if there is none after the first `least` letters.
std::size_t best_break(const std::string& text, std::size_t at, std::size_t end, std::size_t least) {
    std::size_t best = end;
    int depth = 0, fewest = 1000;
    for (std::size_t i = at; i <= end; ++i) {
        if (text[i] == '(' || text[i] == '[') ++depth;
        if (text[i] == ')' || text[i] == ']') --depth;
        if (text[i] != ' ' || i < at + least || depth > fewest) continue;
        fewest = depth;
        best = i;
    }
    return best;
}

bool is_multiple(const OutlinePart& part) { return part.inputs.size() > 1; }

}  // namespace

std::vector<std::string> wrapped(const std::string& text, std::size_t width, std::size_t most) {
    std::vector<std::string> result;
    const auto is_inner = [&](std::size_t i) { return (static_cast<unsigned char>(text[i]) & 0xc0) == 0x80; };
    std::size_t at = 0;
    while (at < text.size()) {
        std::size_t end = std::min(at + width, text.size());
        if (end < text.size()) {
            end = best_break(text, at, end, width / 3);
            while (end > at + 1 && is_inner(end)) --end;
        }
        result.push_back(text.substr(at, end - at));
        at = std::min(text.find_first_not_of(' ', end), text.size());
        if (result.size() == most && at < text.size()) {
            result.back() += " ...";
            break;
        }
    }
    return result;
}

PictureBuilder::PictureBuilder(const FlatModel& model, const bonds::Mode& mode, const PictureOptions& options)
    : model_(model), mode_(mode), options_(options), order_(order_of(model, mode)) {
    const auto& graph = model.graph;
    // The junction that an ideal element with two bonds hangs on has its name, and is drawn as one with it.
    for (std::uint32_t i = 0; i < graph.elements.size(); ++i)
        elements_.try_emplace(graph.elements[i].name, i);
    for (std::uint32_t i = 0; i < graph.bonds.size(); ++i) bonds_.try_emplace(graph.bonds[i].name, i);
    for (std::uint32_t i = 0; i < graph.automata.size(); ++i) automata_[graph.automata[i].name] = i;
}

Picture PictureBuilder::build() {
    picture_.title = model_.name;
    picture_.mode = mode_text(model_.graph, mode_);
    const OutlineDiagram whole = outline(model_, {options_.flat ? options_.most : 0, most_copies});
    add_diagram(whole, -1);
    link_diagram(whole);
    find_loops();
    tell_regularity();
    add_bonds();
    add_controls();
    number_boxes();
    drop_lone_automata();
    if (left_out_ > 0)
        picture_.notes.push_back(fmt::format("{} more {} not drawn; --most N draws more", left_out_,
                                             left_out_ == 1 ? "block is" : "blocks are"));
    return std::move(picture_);
}

void PictureBuilder::add_diagram(const OutlineDiagram& diagram, std::int32_t group) {
    for (const OutlinePart& part : diagram.parts) add_part(part, diagram.path, group);
}

std::int32_t PictureBuilder::add_box(Box box) {
    if (picture_.boxes.size() >= options_.most) {
        ++left_out_;
        return -1;
    }
    const auto index = static_cast<std::int32_t>(picture_.boxes.size());
    boxes_[box.name] = index;
    picture_.boxes.push_back(std::move(box));
    numbers_.emplace_back();
    return index;
}

void PictureBuilder::add_part(const OutlinePart& part, const std::string& path, std::int32_t group) {
    const std::string name = joined(path, part.name);
    if (part.kind == Kind::instance) {
        if (part.open)
            add_opened(part, name, group);
        else
            add_folded(part, name, group);
        return;
    }
    if (part.kind == Kind::automaton && is_told_by_element(name)) return;
    Box box = box_of(part, name, group);
    if (part.kind == Kind::element) describe_element(box);
    if (part.kind == Kind::automaton) describe_automaton(box);
    if (is_multiple(part))
        for (const auto& input : part.inputs) box.inputs.push_back(input.name);
    const bool is_block = part.kind == Kind::block || part.kind == Kind::expression;
    if (is_block) add_sign(box, part);
    if (is_block && part.outputs.size() > 1)
        for (const auto& output : part.outputs) box.outputs.push_back(output.name);
    const std::int32_t index = add_box(std::move(box));
    if (index >= 0 && is_block)
        for (const auto& output : part.outputs)
            add_number(output.node, numbers_[static_cast<std::size_t>(index)]);
}

void PictureBuilder::add_number(NodeId node, Numbers& numbers) const {
    if (node == no_node) return;
    numbers.nodes.push_back(node);
    const std::uint32_t flow = order_.flow[node], instant = order_.instant[node];
    if (flow > 0) {
        numbers.first = numbers.first == 0 ? flow : std::min(numbers.first, flow);
        numbers.last = std::max(numbers.last, flow);
    }
    if (instant > 0) numbers.instant = numbers.instant == 0 ? instant : std::min(numbers.instant, instant);
}

void PictureBuilder::add_folded(const OutlinePart& part, const std::string& name, std::int32_t group) {
    Box box = box_of(part, name, group);
    box.shape = Shape::instance;
    if (part.count > 0) {
        box.many = true;
        box.title = fmt::format("{}[0..{}]", part.name, part.count - 1);
        box.lines[0] = fmt::format("{}, {} times", part.type, part.count);
        box.about += fmt::format(", {} times", part.count);
    } else {
        describe_states(box);
    }
    for (const auto& input : part.inputs) box.inputs.push_back(input.name);
    const std::string array = part.count > 0 ? "[i]." : "";
    for (const auto& output : part.inside[0].outputs) box.outputs.push_back(array + output);
    const std::int32_t index = add_box(std::move(box));
    folded_[name] = index;
    if (index < 0) return;
    const OutlineDiagram& inside = part.inside[0];
    for (NodeId n = inside.first_node; n < inside.first_node + inside.nodes; ++n)
        add_number(n, numbers_[static_cast<std::size_t>(index)]);
}

void PictureBuilder::add_opened(const OutlinePart& part, const std::string& name, std::int32_t group) {
    const bool first_only = part.count > part.inside.size();
    const auto& outputs = part.inside[0].outputs;
    opened_[name] = {first_only, outputs.size() == 1 ? outputs[0] : ""};
    for (const OutlineDiagram& copy : part.inside) {
        const std::string title = first_only ? fmt::format("{}[0..{}]", name, part.count - 1) : copy.path;
        const std::string times = first_only ? fmt::format(", {} times", part.count) : "";
        picture_.groups.push_back({fmt::format("{}: {}{}", title, part.type, times), group});
        const auto inner = static_cast<std::int32_t>(picture_.groups.size() - 1);
        add_terminals(part, copy, inner);
        add_diagram(copy, inner);
    }
}

// The inputs of an open instance, with the formula where it is more than a name.
void PictureBuilder::add_terminals(const OutlinePart& part, const OutlineDiagram& copy, std::int32_t group) {
    for (std::uint32_t i = 0; i < copy.inputs.size(); ++i) {
        Box box;
        box.shape = Shape::terminal;
        box.name = joined(copy.path, copy.inputs[i]);
        box.title = copy.inputs[i];
        box.group = group;
        box.about = fmt::format("{}: {}", box.name, part.inputs[i].text);
        const auto plain = [&](const OutlineRead& read) { return read.input == i && read.plain; };
        if (std::none_of(copy.feeds.begin(), copy.feeds.end(), plain))
            box.lines = wrapped(part.inputs[i].text, letters, lines);
        add_box(std::move(box));
    }
}

// Boxes are numbered without gaps; those of one loop share a number.
void PictureBuilder::number_boxes() {
    std::set<std::uint32_t> flow, instant;
    for (const Numbers& n : numbers_) {
        if (n.first > 0) flow.insert({n.first, n.last});
        if (n.first == 0 && n.instant > 0) instant.insert(n.instant);
    }
    std::map<std::uint32_t, std::size_t> rank, instant_rank;
    for (const auto number : flow) rank.emplace(number, rank.size() + 1);
    for (const auto number : instant) instant_rank.emplace(number, instant_rank.size() + 1);
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
        const Numbers& n = numbers_[i];
        std::string& text = picture_.boxes[i].order;
        if (n.first > 0) text = std::to_string(rank[n.first]);
        if (n.first != n.last) text += fmt::format("-{}", rank[n.last]);
        if (n.first == 0 && n.instant > 0) text = fmt::format("i{}", instant_rank[n.instant]);
    }
}

Picture make_picture(const FlatModel& model, const bonds::Mode& mode, const PictureOptions& options) {
    if (options.primitives) return make_primitives_picture(model, mode, options.most);
    return PictureBuilder(model, mode, options).build();
}

}  // namespace deltaflow::report::scheme
