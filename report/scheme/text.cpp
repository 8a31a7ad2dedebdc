// A picture for people without a screen: boxes with what they read, bonds with their causality.
#include "report/scheme/scheme.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::report::scheme {

namespace {

// Letters, not bytes.
std::size_t width_of(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

// Columns as wide as their widest cell, but for a few that are very wide.
std::string table(const std::vector<std::vector<std::string>>& rows) {
    constexpr std::size_t very_wide = 48;
    std::vector<std::size_t> widths;
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (widths.size() <= i) widths.push_back(0);
            if (const std::size_t width = width_of(row[i]); width <= very_wide)
                widths[i] = std::max(widths[i], width);
        }
    std::string text;
    for (const auto& row : rows) {
        std::string line = " ";
        for (std::size_t i = 0; i < row.size(); ++i)
            line +=
                " " + row[i] + std::string(std::max(widths[i], width_of(row[i])) - width_of(row[i]) + 1, ' ');
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

// What the box is, without its name, which stands before it.
std::string description(const Box& box) {
    std::string text = box.about.substr(std::min(box.name.size(), box.about.size()));
    text.erase(0, std::min(text.find_first_not_of(": "), text.size()));
    if (box.loop > 0) text += fmt::format("  [{}]", loop_text(box));
    if (box.dependent) text += "  [derivative causality]";
    if (box.off) text += "  [off]";
    return text;
}

std::string reads_text(const Picture& picture, std::uint32_t box) {
    std::string text;
    for (const Link& link : picture.links) {
        if (link.to != box || link.control) continue;
        text += fmt::format("{}{} {}", text.empty() ? "<- " : ", ", link.signal,
                            regularity_text(link.regularity));
    }
    return text;
}

bool belongs_to_graph(const Box& box) { return box.shape == Shape::element || box.shape == Shape::junction; }

std::string boxes_text(const Picture& picture, bool of_graph) {
    std::vector<std::vector<std::string>> rows;
    for (std::uint32_t i = 0; i < picture.boxes.size(); ++i) {
        const Box& box = picture.boxes[i];
        if (belongs_to_graph(box) != of_graph) continue;
        std::vector<std::string> row;
        if (!of_graph) row.push_back(box.order.empty() ? "-" : box.order);
        row.insert(row.end(), {box.name, description(box), reads_text(picture, i)});
        rows.push_back(std::move(row));
    }
    return table(rows);
}

// The effort is imposed on the end with the stroke.
std::string bonds_text(const Picture& picture) {
    std::vector<std::vector<std::string>> rows;
    for (const BondLine& bond : picture.bonds) {
        const Box &from = picture.boxes[bond.from], &to = picture.boxes[bond.to];
        const bool settled = bond.effort_by != bonds::End::nobody;
        const Box& receiver = bond.effort_by == bonds::End::from ? to : from;
        rows.push_back({bond.count > 1 ? fmt::format("{} ({} times)", bond.name, bond.count) : bond.name,
                        bond.ends, settled ? "effort into " + receiver.name : "",
                        fmt::format("e {}, f {}", regularity_text(bond.effort), regularity_text(bond.flow))});
    }
    return table(rows);
}

}  // namespace

std::string regularity_text(Regularity r) {
    if (!is_impulsive(r)) return to_string(r);
    const int order = impulse_rungs(r) - 1;
    return order < 3 ? "delta" + std::string(static_cast<std::size_t>(order), '\'')
                     : fmt::format("delta^({})", order);
}

std::string loop_text(const Box& box) {
    return fmt::format("loop {}{}", box.loop, box.loop_at_instants ? ", at instants" : "");
}

std::string listing(const Picture& picture) {
    std::string text = picture.title + "\n";
    if (!picture.mode.empty()) text += "mode: " + picture.mode + "\n";
    if (const std::string blocks = boxes_text(picture, false); !blocks.empty()) text += "blocks\n" + blocks;
    if (const std::string elements = boxes_text(picture, true); !elements.empty())
        text += "elements\n" + elements;
    if (!picture.bonds.empty()) text += "bonds\n" + bonds_text(picture);
    for (const std::string& note : picture.notes) text += note + "\n";
    return text;
}

}  // namespace deltaflow::report::scheme
