// Names, grid, events, curves and jumps of a panel.
#include "report/plot/svg_panel.hpp"

#include "report/text/glyphs.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow::report {

namespace {

constexpr double sample_width = 24, name_gap = 18;
// More jumps than this are drawn without marks at their ends. More lines of events than this would drown the
// curves, and so would lines closer to each other.
constexpr std::size_t few_jumps = 24, few_events = 40;
constexpr double event_gap = 6, event_tick = 7;

std::string name_of(const Panel& panel, std::size_t i) {
    const bool last = i + 1 == panel.series.size();
    return panel.series[i].name +
           (last && panel.left_out ? fmt::format("  (and {} more)", panel.left_out) : "");
}

// Where each name of a heading stands, counted from the left and from the first line.
std::vector<PagePoint> heading(const Panel& panel, double width) {
    std::vector<PagePoint> places;
    double x = 0, y = 0;
    for (std::size_t i = 0; i < panel.series.size(); ++i) {
        const double wide = std::min(sample_width + 6 + bold_width * width_of(name_of(panel, i)), width);
        if (x > 0 && x + wide > width) x = 0, y += heading_height;
        places.push_back({x, y});
        x += wide + name_gap;
    }
    return places;
}

void draw_heading(Output& out, const DrawnPanel& drawn) {
    const Panel& panel = drawn.panel;
    const Frame& frame = drawn.frame;
    if (panel.series.size() == 1)
        return text(out, "name", frame.left(), frame.upper() - 8,
                    fitted(panel.series[0].name, frame.right() - frame.left(), 13, true));
    const double width = frame.right() - frame.left();
    const double first =
        frame.upper() - 8 - heading_height * static_cast<double>(heading_lines(panel, width) - 1);
    const auto places = heading(panel, width);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const double x = frame.left() + places[i].x, y = first + places[i].y;
        line(out, line_kind(i), x, y - 4.5, x + sample_width, y - 4.5);
        text(out, "name", x + sample_width + 6, y,
             fitted(name_of(panel, i), width - sample_width - 6, 13, true));
    }
}

// Beside arrows a constant needs no scale, only its own value.
std::vector<double> value_ticks(const DrawnPanel& drawn) {
    const Panel& panel = drawn.panel;
    const Axis& y = drawn.frame.y;
    const double value = panel.series.empty() ? 0 : panel.series[0].curve.low;
    if (y.logarithmic || impulse_orders(panel).empty() || !is_constant(panel))
        return ticks_of(y, drawn.frame.lower() - drawn.frame.upper() > 150 ? 6 : 4);
    return value == 0 ? std::vector<double>{0} : std::vector<double>{0, value};
}

double level(const Frame& frame, double value) {
    return std::clamp(frame.y(value), frame.upper(), frame.lower());
}

void draw_curve(Output& out, const Frame& frame, const Curve& curve, std::size_t series) {
    for (const auto& piece : curve.pieces) {
        std::vector<PagePoint> points;
        for (const CurvePoint& p : piece) points.push_back({frame.x(p.t), level(frame, p.value)});
        if (points.size() == 1 || curve.look == Curve::Look::dots)
            for (const PagePoint& p : points)
                circle(out, "f" + line_kind(series).substr(1), p.x, p.y,
                       curve.look == Curve::Look::dots || curve.pieces.size() <= few_jumps ? 2.2 : 0.6);
        else
            path(out, line_kind(series), points);
        if (curve.look == Curve::Look::marked && points.size() > 1)
            for (const PagePoint& p : points) circle(out, line_kind(series) + " open", p.x, p.y, 2.4);
    }
}

// The left limit is left out by the curve, the right limit belongs to it.
void draw_jumps(Output& out, const Frame& frame, const Curve& curve, std::size_t series) {
    const auto& pieces = curve.pieces;
    const std::string kind = line_kind(series), full = "f" + kind.substr(1);
    const bool few = pieces.size() <= few_jumps;
    for (std::size_t i = 1; i < pieces.size(); ++i) {
        const CurvePoint &from = pieces[i - 1].back(), &to = pieces[i].front();
        if (from.t != to.t) continue;
        const double x = frame.x(to.t), y1 = level(frame, from.value), y2 = level(frame, to.value);
        if (y1 == y2) continue;
        line(out, kind + (few ? " jump" : " many"), x, y1, x, y2);
        if (!few) continue;
        circle(out, kind + " open", x, y1, 2.4);
        circle(out, full, x, y2, 2.2);
    }
}

// Where a mode that was left at once would have been.
void draw_mythical(Output& out, const Frame& frame, const Curve& curve, std::size_t series) {
    for (const CurvePoint& p : curve.mythical)
        if (p.value >= frame.y.low && p.value <= frame.y.high)
            circle(out, line_kind(series) + " ghost", frame.x(p.t), frame.y(p.value), 3.6);
}

// Where a block is held the ground is a little darker; intervals narrower than a column are left out where
// there are many.
void draw_sliding(Output& out, const Frame& frame, const std::vector<SlidingInterval>& sliding) {
    for (const SlidingInterval& s : sliding) {
        const double x = frame.x(std::max(s.from, frame.x.low)), end = frame.x(std::min(s.to, frame.x.high));
        if (end <= x || (end - x < 0.75 && sliding.size() > few_events)) continue;
        out.print(
            "<path class=\"slides\" fill=\"#0969da\" fill-opacity=\"0.08\" d=\"M{:.2f} "
            "{:.2f}H{:.2f}V{:.2f}H{:.2f}Z\"><title>{}</title></path>\n",
            x, frame.lower(), end, frame.upper(), x, escaped(s.block + " slides"));
    }
}

// Times of events as thin lines, which say what they are. Where there are many of them, or one is close to
// the one before, a tick at the lower edge has to do.
void draw_events(Output& out, const Frame& frame, const std::vector<Occasion>& events) {
    std::vector<const Occasion*> shown;
    for (const Occasion& event : events) {
        const double x = frame.x(event.t);
        if (x < frame.left() - 0.01 || x > frame.right() + 0.01) continue;
        if (shown.empty() || x - frame.x(shown.back()->t) >= 1.5) shown.push_back(&event);
    }
    const bool crowd = shown.size() > few_events;
    double last = -HUGE_VAL;
    for (const Occasion* event : shown) {
        const double x = frame.x(event->t);
        const bool tick = crowd || x - last < event_gap;
        if (!tick) last = x;
        out.print("<path class=\"event{}\" d=\"M{:.2f} {:.2f}V{:.2f}\">", tick ? " crowd" : "", x,
                  frame.lower(), tick ? frame.lower() - event_tick : frame.upper());
        if (!crowd) out.print("<title>{}</title>", escaped(event->text));
        out.write("</path>\n");
    }
}

}  // namespace

std::size_t heading_lines(const Panel& panel, double width) {
    if (panel.series.size() < 2) return 1;
    return 1 + static_cast<std::size_t>(std::lround(heading(panel, width).back().y / heading_height));
}

Grid grid_of(const DrawnPanel& drawn) {
    Grid grid;
    const Axis &x = drawn.frame.x, &y = drawn.frame.y;
    const double width = drawn.frame.right() - drawn.frame.left();
    grid.across = ticks_of(x, static_cast<int>(std::clamp(width / 75, 3.0, 16.0)));
    grid.up = value_ticks(drawn);
    grid.across_labels = labels_of(x, grid.across);
    grid.up_labels = labels_of(y, grid.up);
    grid.logarithmic = y.logarithmic;
    return grid;
}

void draw_panel(Output& out, const Picture& picture, const DrawnPanel& drawn) {
    draw_heading(out, drawn);
    const bool over_time = drawn.panel.across.empty();
    if (over_time) draw_sliding(out, drawn.frame, picture.sliding);
    draw_grid(out, drawn.frame, grid_of(drawn));
    if (over_time) draw_events(out, drawn.frame, picture.events);
    draw_frame(out, drawn.frame);
    const auto& series = drawn.panel.series;
    for (std::size_t i = 0; i < series.size(); ++i) draw_curve(out, drawn.frame, series[i].curve, i);
    for (std::size_t i = 0; i < series.size(); ++i) {
        draw_jumps(out, drawn.frame, series[i].curve, i);
        draw_mythical(out, drawn.frame, series[i].curve, i);
    }
    if (!drawn.frame.y.logarithmic) draw_impulses(out, drawn);
}

}  // namespace deltaflow::report
