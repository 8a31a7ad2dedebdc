// Two panels: the signal both ways over time, and the error against the step.
#include "report/plot/svg.hpp"
#include "report/plot/svg_panel.hpp"
#include "report/text/glyphs.hpp"
#include "report/write/comparison.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow::report {

namespace {

struct Page {
    static constexpr double width = 720, left = 70, right = 644, top = 62, panel_height = 190, gap = 82,
                            bottom = 50;
};

// Held between samples.
Curve stairs_of(const Trace& trace) {
    Curve curve;
    curve.pieces.emplace_back();
    auto& points = curve.pieces.front();
    const auto& values = trace.samples.front();
    for (std::size_t i = 0; i < trace.t.size(); ++i) {
        if (!std::isfinite(values[i])) break;
        if (!points.empty() && points.back().value != values[i])
            points.push_back({trace.t[i], points.back().value});
        if (points.empty() || points.back().value != values[i]) points.push_back({trace.t[i], values[i]});
    }
    if (!points.empty()) points.push_back({trace.t.back(), points.back().value});
    return curve;
}

// The symbolic signal sets the range, with some room for the others; what a numeric impulse reaches outside
// is cut off at the edge.
Range range_around(const Curve& symbolic, const std::vector<Trace>& numeric) {
    const double room = 0.3 * (symbolic.high - symbolic.low);
    Range range{symbolic.low, symbolic.high};
    for (const Trace& trace : numeric)
        for (const double value : trace.samples.front()) {
            if (value >= symbolic.low - room) range.low = std::min(range.low, value);
            if (value <= symbolic.high + room) range.high = std::max(range.high, value);
        }
    return range;
}

Picture picture_of_runs(const Comparison& c, Picture picture) {
    Panel& panel = picture.panels.front();
    panel.series.front().name = "symbolic";
    const Curve& curve = panel.series.front().curve;
    if (curve.high > curve.low) panel.range = range_around(curve, c.numeric);
    const double step = c.rows.empty() ? 0 : c.rows.front().step;
    for (std::size_t i = 0; i < c.numeric.size(); ++i)
        panel.series.push_back(
            {fmt::format("{} sum, h = {:.4g}", i == 0 ? "right" : "left", step), stairs_of(c.numeric[i])});
    return picture;
}

void draw_time_panel(Output& out, const Comparison& c, const Picture& symbolic, double upper) {
    const Picture picture = picture_of_runs(c, symbolic);
    const Panel& panel = picture.panels.front();
    const Range range = range_of(panel);
    const DrawnPanel drawn{panel,
                           {{picture.time.low, picture.time.high, Page::left, Page::right},
                            {range.low, range.high, upper + Page::panel_height, upper}}};
    draw_panel(out, picture, drawn);
    draw_labels_below(out, drawn.frame, grid_of(drawn), "t");
}

bool has_error(const ComparisonRow& row) { return row.max_error > 0 && row.trouble.empty(); }

// Whole powers of ten around what there is.
struct Decades {
    double low = HUGE_VAL, high = -HUGE_VAL;
    void include(double x) {
        low = std::min(low, std::floor(std::log10(x) - 0.1));
        high = std::max(high, std::ceil(std::log10(x) + 0.1));
    }
    std::vector<double> ticks() const {
        std::vector<double> result;
        for (double e = low; e <= high; e += std::max(1.0, std::ceil((high - low) / 6))) result.push_back(e);
        return result;
    }
};

TickLabels powers(const std::vector<double>& exponents) {
    TickLabels result;
    for (const double e : exponents) result.labels.push_back("10" + superscript(static_cast<int>(e)));
    return result;
}

void draw_errors(Output& out, const Comparison& c, const Frame& frame) {
    for (std::size_t kind = 1; kind <= 2; ++kind) {
        std::vector<PagePoint> points;
        for (const ComparisonRow& row : c.rows)
            if (row.riemann == (kind == 1 ? Riemann::right : Riemann::left) && has_error(row))
                points.push_back({frame.x(std::log10(row.step)), frame.y(std::log10(row.max_error))});
        path(out, line_kind(kind), points);
        for (const PagePoint& p : points)
            circle(out, line_kind(kind) + (kind == 1 ? " open" : " open solid"), p.x, p.y,
                   kind == 1 ? 4.5 : 2.5);
    }
}

void draw_error_panel(Output& out, const Comparison& c, double upper) {
    text(out, "name", Page::left, upper - 8, "largest error against h");
    Decades steps, errors;
    for (const ComparisonRow& row : c.rows) {
        steps.include(row.step);
        if (has_error(row)) errors.include(row.max_error);
    }
    if (!(errors.high > errors.low)) {
        draw_frame(out, {{0, 1, Page::left, Page::right}, {0, 1, upper + Page::panel_height, upper}});
        text(out, "middle", (Page::left + Page::right) / 2, upper + Page::panel_height / 2,
             no_error_words(c));
        return;
    }
    const Frame frame{{steps.low, steps.high, Page::left, Page::right},
                      {errors.low, errors.high, upper + Page::panel_height, upper}};
    Grid grid{steps.ticks(), errors.ticks(), {}, {}, true};
    grid.across_labels = powers(grid.across);
    grid.up_labels = powers(grid.up);
    draw_grid(out, frame, grid);
    draw_frame(out, frame);
    draw_errors(out, c, frame);
    draw_labels_below(out, frame, grid, "h");
}

}  // namespace

void write_svg(const Comparison& c, const Picture& symbolic, Output& out) {
    const double height = Page::top + 2 * Page::panel_height + Page::gap + Page::bottom;
    open_page(out, c.model.empty() ? c.signal : c.model + ": " + c.signal, Page::width, height, Page::left);
    draw_time_panel(out, c, symbolic, Page::top);
    draw_error_panel(out, c, Page::top + Page::panel_height + Page::gap);
    out.write("</svg>\n");
}

}  // namespace deltaflow::report
