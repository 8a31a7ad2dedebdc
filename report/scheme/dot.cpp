// A picture in the language of Graphviz. Nodes are numbered, so names appear in labels only.
#include "report/scheme/scheme.hpp"
#include "report/scheme/size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace deltaflow::report::scheme {

namespace {

// Inside "...": a backslash means something there, and so does the quote.
std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
    }
    return result + "\"";
}

// Inside <...>: as in XML.
std::string marked_up(const std::string& text) {
    std::string result;
    for (const char c : text)
        if (c == '&')
            result += "&amp;";
        else if (c == '<')
            result += "&lt;";
        else if (c == '>')
            result += "&gt;";
        else if (c == '"')
            result += "&quot;";
        else
            result += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
    return result;
}

std::vector<std::string> words(const Box& box) {
    std::vector<std::string> all{box.order.empty() ? box.title
                                                   : fmt::format("({}) {}", box.order, box.title)};
    all.insert(all.end(), box.lines.begin(), box.lines.end());
    if (box.dependent) all.emplace_back("derivative causality");
    if (box.loop > 0) all.push_back(loop_text(box));
    return all;
}

// All lines centred: \n between them.
std::string plain_label(const Box& box) {
    std::string label;
    for (const std::string& line : words(box)) {
        const std::string piece = quoted(line);
        label += (label.empty() ? "" : "\\n") + piece.substr(1, piece.size() - 2);
    }
    return "\"" + label + "\"";
}

std::string cell(const std::string& attributes, const std::string& text) {
    return fmt::format("<td {}>{}</td>", attributes, marked_up(text));
}

// Inputs on the left, outputs on the right; rows are chosen so fine that both sides divide the height evenly.
std::string table_label(const Box& box) {
    const std::size_t in = std::max<std::size_t>(1, box.inputs.size());
    const std::size_t out = std::max<std::size_t>(1, box.outputs.size());
    const Size size = size_of(box), ports = port_widths(box);
    std::string body;
    for (const std::string& line : words(box)) body += (body.empty() ? "" : "<br/>") + marked_up(line);
    std::string rows;
    for (std::size_t r = 0; r < in * out; ++r) {
        rows += "<tr>";
        if (r % out == 0)
            rows +=
                cell(fmt::format("port=\"i{}\" rowspan=\"{}\" width=\"{:.0f}\"", r / out, out, ports.width),
                     box.inputs.empty() ? "" : box.inputs[r / out]);
        if (r == 0)
            rows += fmt::format("<td rowspan=\"{}\" width=\"{:.0f}\" height=\"{:.0f}\">{}</td>", in * out,
                                size.width - ports.width - ports.height, size.height, body);
        if (r % in == 0)
            rows +=
                cell(fmt::format("port=\"o{}\" rowspan=\"{}\" width=\"{:.0f}\"", r / in, in, ports.height),
                     box.outputs.empty() ? "" : box.outputs[r / in]);
        rows += "</tr>";
    }
    return fmt::format(
        "<<table border=\"1\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"0\">{}</table>>", rows);
}

bool has_ports(const Box& box) { return !box.inputs.empty() || !box.outputs.empty(); }

std::string look_of(const Box& box) {
    std::string look;
    const bool graph = box.shape == Shape::element || box.shape == Shape::junction;
    if (box.frame == Frame::circle) look += ", shape=circle, fixedsize=true";
    if (has_ports(box)) look += ", shape=plain";
    if (box.shape == Shape::terminal || box.shape == Shape::automaton) look += ", style=rounded";
    if (graph) look += box.dependent || box.off ? ", style=dashed" : ", color=transparent";
    if (box.off) look += ", color=\"#8c959f\", fontcolor=\"#8c959f\"";
    if (box.loop > 0) look += ", color=\"#8250df\", peripheries=2";
    return look;
}

std::string node_line(const Box& box, std::size_t index) {
    const Size size = size_of(box);
    return fmt::format("n{} [label={}, width={:.3f}, height={:.3f}, tooltip={}{}];\n", index,
                       has_ports(box) ? table_label(box) : plain_label(box), size.width / 72,
                       size.height / 72, quoted(box.about), look_of(box));
}

// A triangle is entered at its back and left at its tip.
std::string end_of(const Picture& picture, std::uint32_t box, std::int32_t port, char side) {
    if (picture.boxes[box].frame == Frame::triangle)
        return fmt::format("n{}:{}", box, side == 'i' ? 'w' : 'e');
    return port < 0 ? fmt::format("n{}", box)
                    : fmt::format("n{}:{}{}:{}", box, side, port, side == 'i' ? 'w' : 'e');
}

bool is_of_graph(const Box& box) { return box.shape == Shape::element || box.shape == Shape::junction; }

// The sign at a sum, and the regularity where it is news.
std::string label_of(const Link& link) { return link.told ? regularity_text(link.regularity) : ""; }

// Lines have an id, by which a layout is read back. A signal between elements is told backwards: what reads
// it is mostly a source, and sources stand on the left.
std::string link_line(const Picture& picture, std::size_t index) {
    const Link& link = picture.links[index];
    std::string from = end_of(picture, link.from, link.from_port, 'o'),
                to = end_of(picture, link.to, link.to_port, 'i');
    std::string look =
        link.control ? "style=dotted, arrowhead=odot" : fmt::format("label={}", quoted(label_of(link)));
    if (link.sign < 0) look += ", headlabel=\"-\"";
    if (is_impulsive(link.regularity))
        look += ", color=\"#cf222e\", fontcolor=\"#cf222e\", penwidth=2.4";
    else if (link.loop > 0)
        look += ", color=\"#8250df\", style=bold";
    if (is_of_graph(picture.boxes[link.from]) && is_of_graph(picture.boxes[link.to])) {
        look += ", dir=back, constraint=false";
        from.swap(to);
    }
    return fmt::format("{} -> {} [{}, id=link{}, edgetooltip={}];\n", from, to, look, index,
                       quoted(link.signal));
}

// The stroke stands at the end that receives the effort. A bond that is told backwards puts its end above.
std::string bond_line(const Picture& picture, std::size_t index, bool backwards) {
    const BondLine& bond = picture.bonds[index];
    const bool at_head = bond.effort_by == bonds::End::from, at_tail = bond.effort_by == bonds::End::to;
    std::string from = end_of(picture, bond.from, bond.from_port, 'o'),
                to = end_of(picture, bond.to, bond.to_port, 'i');
    std::string head = at_head ? "teelvee" : "lvee", tail = at_tail ? "tee" : "none";
    if (backwards) {
        from.swap(to);
        head.swap(tail);
    }
    const std::string_view look = carries_impulse(bond) ? ", color=\"#cf222e\", fontcolor=\"#cf222e\"" : "";
    return fmt::format(
        "{} -> {} [label={}, dir=both, arrowhead={}, arrowtail={}, penwidth=1.6{}, id=bond{}];\n", from, to,
        quoted(bond_text(bond)), head, tail, look, index);
}

// Up to two elements that end at a junction stand above and below it, if the graph goes on elsewhere.
class Columns {
public:
    explicit Columns(const Picture& picture) : picture_(picture), degree_(picture.boxes.size(), 0) {
        for (const BondLine& bond : picture.bonds) ++degree_[bond.from], ++degree_[bond.to];
        std::vector<int> beside(picture.boxes.size(), 0);
        backwards_.assign(picture.bonds.size(), false);
        for (std::size_t i = 0; i < picture.bonds.size(); ++i) {
            const BondLine& bond = picture.bonds[i];
            const int most = picture.boxes[bond.from].group < 0 ? 2 : 1;  // dot keeps no two sides in a group
            if (!stands_beside(bond) || beside[bond.from] >= most || degree_[bond.from] <= 2) continue;
            backwards_[i] = ++beside[bond.from] == 2;
            pairs_.emplace_back(bond.from, bond.to);
        }
    }

    bool is_backwards(std::size_t bond) const { return backwards_[bond]; }

    std::string lines(std::int32_t group) const {
        std::string text;
        for (const auto& [junction, element] : pairs_)
            if (picture_.boxes[junction].group == group)
                text += fmt::format("{{ rank=same; n{}; n{}; }}\n", junction, element);
        return text;
    }

private:
    bool stands_beside(const BondLine& bond) const {
        const Box &from = picture_.boxes[bond.from], &to = picture_.boxes[bond.to];
        return from.shape == Shape::junction && to.shape == Shape::element && degree_[bond.to] == 1 &&
               from.group == to.group;
    }

    const Picture& picture_;
    std::vector<int> degree_;
    std::vector<bool> backwards_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
};

// Boxes without a line, which dot would pile up from below, stand in rows as they are written.
std::string rows_text(const Picture& picture) {
    std::set<std::size_t> lined;
    for (const Link& link : picture.links) lined.insert({link.from, link.to});
    for (const BondLine& bond : picture.bonds) lined.insert({bond.from, bond.to});
    std::vector<std::size_t> lone;
    double widest = 0;
    for (std::size_t i = 0; i < picture.boxes.size(); ++i)
        if (lined.count(i) == 0 && picture.boxes[i].group < 0) {
            lone.push_back(i);
            widest = std::max(widest, size_of(picture.boxes[i]).width);
        }
    const auto in_a_row = static_cast<std::size_t>(std::clamp(720 / (widest + 45), 1.0, 5.0));
    std::string text;
    for (std::size_t row = (lone.size() + in_a_row - 1) / in_a_row; row-- > 0;) {
        const std::size_t first = row * in_a_row, end = std::min(first + in_a_row, lone.size());
        for (std::size_t i = first; i < end; ++i)
            text += fmt::format("{}n{}", i == first ? "" : " -> ", lone[i]);
        text += end > first + 1 ? " [style=invis];\n" : ";\n";
    }
    return text;
}

std::string group_text(const Picture& picture, const Columns& columns, std::int32_t group) {
    std::string text;
    for (std::size_t i = 0; i < picture.boxes.size(); ++i)
        if (picture.boxes[i].group == group) text += node_line(picture.boxes[i], i);
    text += columns.lines(group);
    for (std::size_t g = 0; g < picture.groups.size(); ++g) {
        if (picture.groups[g].parent != group) continue;
        text += fmt::format("subgraph cluster_{} {{\nlabel={};\n{}}}\n", g, quoted(picture.groups[g].title),
                            group_text(picture, columns, static_cast<std::int32_t>(g)));
    }
    return text;
}

}  // namespace

std::string dot_text(const Picture& picture, Direction direction) {
    std::string text = fmt::format("digraph {} {{\n", quoted(picture.title));
    text += direction == Direction::downwards ? "graph [rankdir=TB, " : "graph [rankdir=LR, ";
    text +=
        "nodesep=0.38, ranksep=0.5, fontname=\"Helvetica\", fontsize=11, "
        "color=\"#8c959f\", style=\"rounded,dashed\", labeljust=l];\n"
        "node [shape=box, margin=\"0.05,0.03\", fontname=\"Helvetica\", fontsize=11];\n"
        "edge [fontname=\"Helvetica\", fontsize=11, arrowsize=0.7];\n";
    const Columns columns(picture);
    text += rows_text(picture) + group_text(picture, columns, -1);
    for (std::size_t i = 0; i < picture.links.size(); ++i) text += link_line(picture, i);
    for (std::size_t i = 0; i < picture.bonds.size(); ++i)
        text += bond_line(picture, i, columns.is_backwards(i));
    for (const std::string& note : picture.notes) text += fmt::format("// {}\n", note);
    return text + "}\n";
}

}  // namespace deltaflow::report::scheme
