// Draws a picture: the page, its panels, and the marks of instants at which more than one thing happens.
#include "report/plot/svg.hpp"

#include "report/plot/svg_panel.hpp"
#include "report/text/glyphs.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow::report {

namespace {

constexpr double left = 70, top = 62, gap = 36, bottom = 50, labels_below = 40, least_height = 40;

bool is_phase(const Panel& panel) { return !panel.across.empty(); }

// A panel alone may be tall, and phase planes are.
double usual_height(const Picture& picture, const Panel& panel) {
    const std::size_t count = picture.panels.size();
    return is_phase(panel) ? 300 : count <= 1 ? 230 : count == 2 ? 160 : 112;
}

// What lies between a panel and the next.
double gap_below(const Panel& panel) { return is_phase(panel) ? gap + labels_below : gap; }

// Where the page has to be of a given height, panels share what headings leave.
double stretch_of(const Picture& picture, double width) {
    if (picture.view.height <= 0 || picture.panels.empty()) return 1;
    double fixed = top + bottom - gap, panels = 0;
    for (const Panel& panel : picture.panels) {
        fixed +=
            gap_below(panel) + heading_height * static_cast<double>(heading_lines(panel, width - left) - 1);
        panels += usual_height(picture, panel);
    }
    const double least = least_height * static_cast<double>(picture.panels.size());
    return std::max(picture.view.height - fixed, least) / panels;
}

// Room for the scales of impulses, one an order.
double room_for_scales(const Picture& picture, double width) {
    double room = 28;
    for (const Panel& panel : picture.panels) room = std::max(room, scales_width(panel) + 12);
    return std::min(room, 0.4 * width);
}

// Where each panel begins and ends; headings of several lines push it down.
std::vector<Range> rows_of(const Picture& picture, double right) {
    std::vector<Range> rows;
    double upper = top;
    const double stretch = stretch_of(picture, right);
    for (const Panel& panel : picture.panels) {
        upper += heading_height * static_cast<double>(heading_lines(panel, right - left) - 1);
        rows.push_back({upper, upper + stretch * usual_height(picture, panel)});
        upper = rows.back().high + gap_below(panel);
    }
    if (rows.empty()) rows.push_back({top, top + 230});
    return rows;
}

bool has_mythical(const Picture& picture) {
    for (const Panel& panel : picture.panels)
        for (const Series& s : panel.series)
            if (!s.curve.mythical.empty() || !s.curve.mythical_impulses.empty()) return true;
    return false;
}

// Triangles at the upper edge of the first panel, inside it, and what they mean below the last one.
void draw_dense(Output& out, const Picture& picture, const Frame& frame, double lowest) {
    double last = -100;
    for (const Occasion& event : picture.events) {
        const double x = frame.x(event.t);
        if (!event.hyperdense() || x < frame.left() || x > frame.right() || x - last < 10) continue;
        last = x;
        out.print("<path class=\"dense\" d=\"M{:.2f} {:.2f}l-3.2 -5.5h6.4z\"><title>{}</title></path>\n", x,
                  frame.upper() + 6, escaped(event.text));
    }
    if (last > 0)
        text(out, "dense", left, lowest + 38,
             has_mythical(picture)
                 ? "▾ several modes at one t, ○ values and hollow arrows in those left at once"
                 : "▾ several modes at one t");
}

void draw_nothing(Output& out, const Range& row, double right) {
    text(out, "middle", (left + right) / 2, (row.low + row.high) / 2, "no signal is recorded");
}

}  // namespace

void write_svg(const Picture& picture, Output& out) {
    if (picture.view.log_values && wants_more_than_logarithm(picture))
        return write_svg(for_logarithm(picture), out);
    const double width = picture.view.width, right = width - room_for_scales(picture, width);
    const std::vector<Range> rows = rows_of(picture, right);
    const std::string more = picture.left_out ? fmt::format("and {} more signal{}", picture.left_out,
                                                            picture.left_out == 1 ? "" : "s")
                                              : std::string();
    open_page(out, picture.title, width, std::ceil(rows.back().high + bottom), left,
              more.empty() ? 0 : width - right + width_of(more));
    if (!more.empty()) text(out, "right small", right, 28, more);
    if (picture.panels.empty()) draw_nothing(out, rows.front(), right);
    for (std::size_t p = 0; p < picture.panels.size(); ++p) {
        const Panel& panel = picture.panels[p];
        const View& view = picture.view;
        const Range range = range_of(panel, view.log_values);
        const Range across = is_phase(panel) ? across_of(panel) : time_range(picture);
        const DrawnPanel drawn{panel,
                               {{across.low, across.high, left, right, view.log_time && !is_phase(panel)},
                                {range.low, range.high, rows[p].high, rows[p].low, view.log_values}}};
        draw_panel(out, picture, drawn);
        if (is_phase(panel))
            draw_labels_below(out, drawn.frame, grid_of(drawn), panel.across);
        else if (p + 1 == picture.panels.size())
            draw_labels_below(out, drawn.frame, grid_of(drawn), picture.time_name);
        if (p == 0 && !is_phase(panel)) draw_dense(out, picture, drawn.frame, rows.back().high);
    }
    out.write("</svg>\n");
}

}  // namespace deltaflow::report
