// The page, its colours, lines and words.
#include "report/plot/drawing.hpp"

#include "report/text/glyphs.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow::report {

namespace {

struct LineKind {
    const char *light, *dark, *dashes;
    double width = 1.8;
};
constexpr LineKind kinds[line_kinds] = {
    {"#0969da", "#58a6ff", "none"},        {"#bc4c00", "#f0883e", "5 2"},
    {"#1a7f37", "#3fb950", "1.8 2", 2.2},  {"#8250df", "#bc8cff", "8 2 2 2"},
    {"#bf3989", "#f778ba", "11 3"},        {"#7d4e00", "#d4a72c", "3 3"},
    {"#1b7c83", "#39c5cf", "6 2 1 2 1 2"}, {"#57606a", "#b1bac4", "1 2", 2.2},
};

constexpr std::string_view light_style = R"(<style>
  text { font: 13px system-ui, "DejaVu Sans", sans-serif; fill: #4b535d; }
  .page { fill: #ffffff; } .title { font-size: 17px; font-weight: 600; fill: #1f2328; }
  .name { font-weight: 600; fill: #1f2328; } .small { font-size: 12px; }
  .right { text-anchor: end; } .middle { text-anchor: middle; }
  .frame { fill: none; stroke: #8c959f; } .grid { stroke: #d8dee4; stroke-width: 0.7; fill: none; }
  .zero { stroke: #8c959f; stroke-width: 0.9; } .event { stroke: #bf8700; stroke-width: 0.8; opacity: 0.6; fill: none; }
  .crowd { stroke-width: 0.9; opacity: 0.8; } .dense { fill: #9a6700; stroke: none; } text.dense { font-size: 12px; }
  .delta { stroke: #cf222e; stroke-width: 1.8; fill: none; } .prime { stroke: #8250df; stroke-width: 1.6; fill: none; }
  .head { fill: #cf222e; stroke: none; } .hollow { fill: #ffffff; stroke-width: 1.1; } text.delta { fill: #cf222e; stroke: none; } text.prime { fill: #8250df; stroke: none; }
)";
constexpr std::string_view dark_style =
    R"(    text { fill: #a5adb7; } .page { fill: #0d1117; } .title, .name { fill: #f0f6fc; }
    .frame, .zero { stroke: #656c76; } .grid { stroke: #262c36; } .event { stroke: #d29922; } .dense { fill: #e3b341; }
    .hollow { fill: #0d1117; } .delta { stroke: #ff7b72; } .head { fill: #ff7b72; } .prime { stroke: #bc8cff; }
    text.delta { fill: #ff7b72; } text.prime { fill: #bc8cff; }
)";
// After all colours: what lines have in common, and what arrows and jumps do not take over from curves.
constexpr std::string_view shape_style =
    R"(  .solid { stroke-dasharray: none; } .dashed { stroke-dasharray: 5 2.5; }
  .jump { stroke-width: 1; stroke-dasharray: 1.5 3; opacity: 0.75; }
  .many { stroke-width: 0.7; stroke-dasharray: none; opacity: 0.5; } .ghost { stroke-width: 1.1; stroke-dasharray: none; opacity: 0.8; } .open { stroke-dasharray: none; stroke-width: 1.4; }
  .halo { paint-order: stroke; stroke-width: 3.5px; stroke-linejoin: round; }
)";

void write_style(Output& out) {
    out.write(light_style);
    for (std::size_t k = 0; k < line_kinds; ++k)
        out.print(
            "  .s{0} {{ fill: none; stroke: {1}; stroke-width: {3}; stroke-linejoin: round; stroke-linecap: "
            "butt; stroke-dasharray: {2}; }} .f{0} {{ fill: {1}; stroke: {1}; stroke-dasharray: none; }} "
            "text.s{0} {{ fill: {1}; stroke: none; }}\n",
            k, kinds[k].light, kinds[k].dashes, kinds[k].width);
    out.write(shape_style);
    out.write("  .open { fill: #ffffff; } .halo { stroke: #ffffff !important; }\n");
    out.write("  @media screen and (prefers-color-scheme: dark) {\n");
    out.write(dark_style);
    for (std::size_t k = 0; k < line_kinds; ++k)
        out.print(
            "    .s{0} {{ stroke: {1}; }} .f{0} {{ fill: {1}; stroke: {1}; }} text.s{0} {{ fill: {1}; }}\n",
            k, kinds[k].dark);
    out.write("    .open { fill: #0d1117; } .halo { stroke: #0d1117 !important; }\n  }\n</style>\n");
}

double distance_from_chord(const PagePoint& p, const PagePoint& a, const PagePoint& b) {
    const double dx = b.x - a.x, dy = b.y - a.y, length = std::hypot(dx, dy);
    if (length == 0) return std::hypot(p.x - a.x, p.y - a.y);
    return std::abs(dx * (p.y - a.y) - dy * (p.x - a.x)) / length;
}

// Douglas and Peucker: a stretch is its chord unless some point lies further from it than can be seen.
std::vector<PagePoint> simplified(const std::vector<PagePoint>& points) {
    constexpr double visible = 0.06;
    std::vector<bool> kept(points.size(), false);
    kept.front() = kept.back() = true;
    std::vector<std::pair<std::size_t, std::size_t>> stretches{{0, points.size() - 1}};
    while (!stretches.empty()) {
        const auto [first, last] = stretches.back();
        stretches.pop_back();
        std::size_t furthest = first;
        double distance = visible;
        for (std::size_t i = first + 1; i < last; ++i)
            if (const double d = distance_from_chord(points[i], points[first], points[last]); d > distance)
                furthest = i, distance = d;
        if (furthest == first) continue;
        kept[furthest] = true;
        stretches.emplace_back(first, furthest);
        stretches.emplace_back(furthest, last);
    }
    std::vector<PagePoint> result;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (kept[i]) result.push_back(points[i]);
    return result;
}

}  // namespace

std::string line_kind(std::size_t series) { return fmt::format("s{}", series % line_kinds); }

// XML has no room for control characters, not even escaped.
std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text)
        if (c == '&')
            result += "&amp;";
        else if (c == '<')
            result += "&lt;";
        else if (c == '>')
            result += "&gt;";
        else
            result += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
    return result;
}

double width_of(const std::string& words) { return text_width(words, 13); }

std::string fitted(const std::string& words, double width, double size, bool bold) {
    const double scale = bold ? bold_width : 1;
    if (text_width(words, size) * scale <= width) return words;
    const auto is_inner = [&](std::size_t i) {
        return (static_cast<unsigned char>(words[i]) & 0xc0) == 0x80;
    };
    std::string result = "…";
    for (std::size_t kept = 1; 2 * kept < words.size(); ++kept) {
        std::size_t head = kept, tail = words.size() - kept;
        while (head > 0 && is_inner(head)) --head;
        while (tail < words.size() && is_inner(tail)) ++tail;
        const std::string next = words.substr(0, head) + "…" + words.substr(tail);
        if (text_width(next, size) * scale > width) break;
        result = next;
    }
    return result;
}

void line(Output& out, std::string_view kind, double x1, double y1, double x2, double y2) {
    out.print("<line class=\"{}\" x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\"/>\n", kind, x1, y1,
              x2, y2);
}

void text(Output& out, std::string_view kind, double x, double y, const std::string& words) {
    out.print("<text class=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\">{}</text>\n", kind, x, y, escaped(words));
}

void circle(Output& out, std::string_view kind, double x, double y, double radius) {
    out.print("<circle class=\"{}\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\"/>\n", kind, x, y, radius);
}

void path(Output& out, std::string_view kind, const std::vector<PagePoint>& points) {
    if (points.empty()) return;
    out.print("<path class=\"{}\" d=\"M", kind);
    for (const PagePoint& p : simplified(points)) out.print("{:.2f} {:.2f} ", p.x, p.y);
    out.write("\"/>\n");
}

void draw_frame(Output& out, const Frame& frame) {
    out.print("<rect class=\"frame\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"/>\n",
              frame.left(), frame.upper(), frame.right() - frame.left(), frame.lower() - frame.upper());
}

void draw_grid(Output& out, const Frame& frame, const Grid& grid) {
    out.write("<path class=\"grid\" d=\"");
    for (const double x : grid.across)
        out.print("M{:.2f} {:.2f}V{:.2f}", frame.x(x), frame.lower(), frame.upper());
    for (const double y : grid.up)
        if (y != 0 || grid.logarithmic)
            out.print("M{:.2f} {:.2f}H{:.2f}", frame.left(), frame.y(y), frame.right());
    out.write("\"/>\n");
    if (!grid.logarithmic && std::count(grid.up.begin(), grid.up.end(), 0.0) > 0)
        line(out, "zero", frame.left(), frame.y(0), frame.right(), frame.y(0));
    for (std::size_t i = 0; i < grid.up.size(); ++i)
        text(out, "right", frame.left() - 8, frame.y(grid.up[i]) + 4.5, grid.up_labels.labels[i]);
    const std::string& common = grid.up_labels.common;
    const bool long_one = width_of(common) > frame.left() - 8;  // then it stands at the other end
    if (!common.empty())
        text(out, "right small", long_one ? frame.right() : frame.left() - 8, frame.upper() - 8,
             long_one ? "scale: " + common : common);
}

void draw_labels_below(Output& out, const Frame& frame, const Grid& grid, const std::string& name) {
    for (std::size_t i = 0; i < grid.across.size(); ++i)
        text(out, "middle", frame.x(grid.across[i]), frame.lower() + 19, grid.across_labels.labels[i]);
    const std::string& common = grid.across_labels.common;
    const std::string shown = fitted(name, frame.right() - frame.left() - 120, 13, true);
    text(out, "right name", frame.right(), frame.lower() + 38, shown);
    if (!common.empty())
        text(out, "right small", frame.right() - bold_width * width_of(shown) - 8, frame.lower() + 38,
             common);
}

void open_page(Output& out, const std::string& title, double width, double height, double left, double room) {
    out.print(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" "
        "role=\"img\">\n",
        width, height, width, height);
    out.print("<title>{}</title>\n", escaped(title));
    write_style(out);
    out.print("<rect class=\"page\" width=\"{}\" height=\"{}\"/>\n", width, height);
    text(out, "title", left, 28, fitted(title, width - left - 16 - room, 17, true));
}

}  // namespace deltaflow::report
