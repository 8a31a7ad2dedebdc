// Draws a picture: the page, its panels, and the marks of instants at which more than one thing happens.
#include "report/plot/svg.hpp"

#include "report/plot/svg_panel.hpp"
#include "report/text/glyphs.hpp"

#include <algorithm>

namespace deltaflow::report {

namespace {

constexpr double width = 720, left = 70, top = 62, gap = 36, bottom = 50;

// A panel alone may be tall.
double panel_height(std::size_t count) { return count <= 1 ? 230 : count == 2 ? 160 : 112; }

bool has_scale(const Picture& picture) {
    return std::any_of(picture.panels.begin(), picture.panels.end(),
                       [](const Panel& panel) { return !impulse_orders(panel).empty(); });
}

// Where each panel begins and ends; headings of several lines push it down.
std::vector<Range> rows_of(const Picture& picture, double right) {
    std::vector<Range> rows;
    double upper = top;
    for (const Panel& panel : picture.panels) {
        upper += heading_height * static_cast<double>(heading_lines(panel, right - left) - 1);
        rows.push_back({upper, upper + panel_height(picture.panels.size())});
        upper = rows.back().high + gap;
    }
    if (rows.empty()) rows.push_back({top, top + panel_height(0)});
    return rows;
}

bool has_mythical(const Picture& picture) {
    for (const Panel& panel : picture.panels)
        for (const Series& s : panel.series)
            if (!s.curve.mythical.empty()) return true;
    return false;
}

// Triangles on the first panel, and what they mean below the last one.
void draw_dense(Output& out, const Picture& picture, const Frame& frame, double lowest) {
    double last = -100;
    for (const Occasion& event : picture.events) {
        const double x = frame.x(event.t);
        if (!event.hyperdense() || x - last < 6) continue;
        last = x;
        out.print("<path class=\"dense\" d=\"M{:.2f} {:.2f}l-3.2 -5.5h6.4z\"><title>{}</title></path>\n", x,
                  frame.upper(), escaped(event.text));
    }
    if (last > 0)
        text(out, "dense", left, lowest + 38,
             has_mythical(picture) ? "▾ several modes at one t, ○ values in those left at once"
                                   : "▾ several modes at one t");
}

void draw_nothing(Output& out, const Range& row, double right) {
    text(out, "middle", (left + right) / 2, (row.low + row.high) / 2, "no signal is recorded");
}

}  // namespace

void write_svg(const Picture& picture, Output& out) {
    const double right = width - (has_scale(picture) ? 76 : 28);
    const std::vector<Range> rows = rows_of(picture, right);
    open_page(out, picture.title, width, rows.back().high + bottom, left);
    if (picture.left_out)
        text(out, "right small", right, 28, fmt::format("and {} more signals", picture.left_out));
    if (picture.panels.empty()) draw_nothing(out, rows.front(), right);
    for (std::size_t p = 0; p < picture.panels.size(); ++p) {
        const Panel& panel = picture.panels[p];
        const Range range = range_of(panel);
        const DrawnPanel drawn{panel,
                               {{picture.time.low, picture.time.high, left, right},
                                {range.low, range.high, rows[p].high, rows[p].low}}};
        draw_panel(out, picture, drawn);
        if (p + 1 == picture.panels.size()) draw_labels_below(out, drawn.frame, grid_of(drawn), "t");
        if (p == 0) draw_dense(out, picture, drawn.frame, rows.back().high);
    }
    out.write("</svg>\n");
}

}  // namespace deltaflow::report
