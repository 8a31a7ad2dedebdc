// Two panels: the signal both ways over time, and the error against the step.
#include "app/axis.hpp"
#include "app/comparison.hpp"
#include "app/curve.hpp"
#include "app/drawing.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow::app {

namespace {

constexpr double width = 900, left = 88, right = 830, top = 66, panel_height = 210, gap = 66, bottom = 52;

void frame(Output& out, double upper) {
    out.print("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", left, upper,
              right - left, panel_height);
}

struct Points {
    Output& out;
    explicit Points(Output& output, std::string_view kind) : out(output) {
        out.print("<polyline class=\"{}\" points=\"", kind);
    }
    void add(double x, double y) { out.print("{:.2f},{:.2f} ", x, y); }
    ~Points() { out.write("\"/>\n"); }
};

// Held between samples; what an impulse reaches outside the panel is cut off at its edge.
void draw_samples(Output& out, const Trace& trace, std::string_view kind, const Axis& x, const Axis& y) {
    if (trace.t.empty()) return;
    Points points(out, kind);
    const auto& values = trace.samples.front();
    double last = NAN, column = -1;
    for (std::size_t i = 0; i < trace.t.size(); ++i) {
        const double here = x(trace.t[i]);
        const double level = std::clamp(y(std::clamp(values[i], y.low, y.high)), y.to, y.from);
        if (level == last && i + 1 < trace.t.size()) continue;
        if (here - column < 0.2 && std::abs(level - last) < 0.5) continue;
        if (!std::isnan(last)) points.add(here, last);
        points.add(here, level);
        last = level;
        column = here;
    }
    points.add(x(trace.t.back()), last);
}

void draw_time_panel(Output& out, const Comparison& c, double upper) {
    const Curve curve = curves(c.symbolic, 1, static_cast<std::size_t>(right - left)).front();
    double low = curve.low, high = curve.high;
    if (!(high > low)) low -= 0.5, high += 0.5;
    const double margin = 0.12 * (high - low);
    const Axis x{c.symbolic.t.front(), std::max(c.symbolic.end_t, c.symbolic.t.front() + 1e-300), left,
                 right};
    const Axis y{low - margin, high + margin, upper + panel_height, upper};
    for (const double v : ticks(y.low, y.high, 4)) {
        line(out, v == 0 ? "zero" : "grid", left, y(v), right, y(v));
        text(out, "right", left - 8, y(v) + 4, tick_text(v));
    }
    for (const double t : ticks(x.low, x.high, 8)) {
        line(out, "grid", x(t), upper, x(t), upper + panel_height);
        text(out, "middle", x(t), upper + panel_height + 18, tick_text(t));
    }
    for (const auto& piece : curve.pieces) {
        Points points(out, "curve");
        for (const CurvePoint& p : piece) points.add(x(p.t), y(p.value));
    }
    for (std::size_t i = 0; i < c.numeric.size(); ++i)
        draw_samples(out, c.numeric[i], i == 0 ? "right-sum" : "left-sum", x, y);
    text(out, "name", left, upper - 10, c.signal);
    text(out, "curve", left + 120, upper - 10, "symbolic");
    const std::string step = c.rows.empty() ? "" : tick_text(c.rows.front().step);
    text(out, "right-sum", left + 200, upper - 10, "right sum, h = " + step);
    if (!c.right_only) text(out, "left-sum", left + 370, upper - 10, "left sum, h = " + step);
    frame(out, upper);
}

void draw_error_panel(Output& out, const Comparison& c, double upper) {
    text(out, "name", left, upper - 10, "largest error against h");
    frame(out, upper);
    double low_h = HUGE_VAL, high_h = 0, low = HUGE_VAL, high = 0;
    for (const ComparisonRow& row : c.rows) {
        low_h = std::min(low_h, row.step);
        high_h = std::max(high_h, row.step);
        if (!(row.max_error > 0) || !row.trouble.empty()) continue;
        low = std::min(low, row.max_error);
        high = std::max(high, row.max_error);
    }
    if (!(high > 0)) {
        text(out, "middle", (left + right) / 2, upper + panel_height / 2, "no error at any step");
        return;
    }
    const Axis x{std::floor(std::log10(low_h) - 0.1), std::ceil(std::log10(high_h) + 0.1), left, right};
    const Axis y{std::floor(std::log10(low) - 0.1), std::ceil(std::log10(high) + 0.1), upper + panel_height,
                 upper};
    for (double e = y.low; e <= y.high; e += std::max(1.0, std::ceil((y.high - y.low) / 6))) {
        line(out, "grid", left, y(e), right, y(e));
        text(out, "right", left - 8, y(e) + 4, fmt::format("1e{}", static_cast<int>(e)));
    }
    for (double e = x.low; e <= x.high; ++e) {
        line(out, "grid", x(e), upper, x(e), upper + panel_height);
        text(out, "middle", x(e), upper + panel_height + 18, fmt::format("1e{}", static_cast<int>(e)));
    }
    for (const char* riemann : {"right", "left"}) {
        const std::string kind = std::string(riemann) + "-sum";
        Points points(out, kind);
        for (const ComparisonRow& row : c.rows)
            if (row.riemann == riemann && row.max_error > 0 && row.trouble.empty())
                points.add(x(std::log10(row.step)), y(std::log10(row.max_error)));
    }
    for (const ComparisonRow& row : c.rows)
        if (row.max_error > 0 && row.trouble.empty())
            out.print("<circle class=\"{}-sum\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"3\"/>\n", row.riemann,
                      x(std::log10(row.step)), y(std::log10(row.max_error)));
    text(out, "right name", right, upper + panel_height + 38, "h");
}

}  // namespace

void write_svg(const Comparison& c, Output& out) {
    const double height = top + 2 * panel_height + gap + bottom;
    open_page(out, c.model.empty() ? c.signal : c.model + ": " + c.signal, width, height, left);
    draw_time_panel(out, c, top);
    draw_error_panel(out, c, top + panel_height + gap);
    out.write("</svg>\n");
}

}  // namespace deltaflow::app
