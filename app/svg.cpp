// Draws a trace. Text stays text, colours follow the reader's light or dark scheme.
#include "app/svg.hpp"

#include "app/axis.hpp"
#include "app/curve.hpp"
#include "app/drawing.hpp"
#include "app/notation.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace deltaflow::app {

namespace {

constexpr std::size_t most_panels = 12;
constexpr double width = 900, left = 78, right = 830, top = 66, panel_height = 118, gap = 42, bottom = 48;
constexpr double label_room = 58;  // two labels closer than this would touch

std::string delta_symbol(std::size_t order) {
    if (order == 0) return "δ";
    if (order <= 3) return std::string("δ") + (order == 1 ? "′" : order == 2 ? "″" : "‴");
    constexpr const char* superscripts[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string digits;
    for (const char digit : std::to_string(order)) digits += superscripts[digit - '0'];
    return fmt::format("δ⁽{}⁾", digits);
}

std::string impulse_label(const CurveImpulse& impulse) {
    return fmt::format("{:.4g} {}", impulse.coefficient, delta_symbol(impulse.order));
}

// Largest coefficients of one order of impulse, upwards and downwards.
struct Reach {
    double up = 0, down = 0;
    void include(double coefficient) {
        up = std::max(up, coefficient);
        down = std::max(down, -coefficient);
    }
};

Reach reach_of(const Curve& curve) {
    Reach reach;
    for (const CurveImpulse& impulse : curve.impulses) reach.include(impulse.coefficient);
    return reach;
}

Reach reach_of(const Curve& curve, std::size_t order) {
    Reach reach;
    for (const CurveImpulse& impulse : curve.impulses)
        if (impulse.order == order) reach.include(impulse.coefficient);
    return reach;
}

struct Range {
    double low, high;
};

// Arrows stand on zero and want nearly half of the panel on their side of it.
Range range_with_arrows(Range range, const Reach& reach) {
    range = {std::min(range.low, 0.0), std::max(range.high, 0.0)};
    if (range.low == range.high) range = {reach.down > 0 ? -1.0 : -0.1, reach.up > 0 ? 1.0 : 0.1};
    constexpr double share = 0.45 / 0.55;
    if (reach.up > 0) range.high = std::max(range.high, -range.low * share);
    if (reach.down > 0) range.low = std::min(range.low, -range.high * share);
    return range;
}

Range range_of(const Curve& curve) {
    Range range{curve.low, curve.high};
    if (!curve.impulses.empty())
        range = range_with_arrows(range, reach_of(curve));
    else if (range.low == range.high)
        range = {range.low - std::max(1.0, std::abs(range.low)) / 2,
                 range.high + std::max(1.0, std::abs(range.high)) / 2};
    const double margin = 0.06 * (range.high - range.low);
    return {range.low - margin, range.high + margin};
}

struct Panel {
    const std::string& name;
    const Curve& curve;
    Axis x, y;
    double upper() const { return y.to; }
    double lower() const { return y.from; }
};

// How an arrow's length in pixels follows from its coefficient.
double pixels_per_unit(const Panel& panel, const Reach& reach) {
    const double base = panel.y(0), room_up = base - panel.upper() - 14,
                 room_down = panel.lower() - base - 14;
    double scale = 1e300;
    if (reach.up > 0) scale = std::min(scale, room_up / reach.up);
    if (reach.down > 0) scale = std::min(scale, room_down / reach.down);
    return scale;
}

// Beside arrows a constant needs no scale, only its own value.
std::vector<double> value_ticks(const Panel& panel) {
    const Curve& curve = panel.curve;
    if (curve.impulses.empty() || curve.low < curve.high) return ticks(panel.y.low, panel.y.high, 4);
    return curve.low == 0 ? std::vector<double>{0} : std::vector<double>{0, curve.low};
}

void draw_grid(Output& out, const Panel& panel) {
    for (const double t : ticks(panel.x.low, panel.x.high, 8))
        line(out, "grid", panel.x(t), panel.lower(), panel.x(t), panel.upper());
    for (const double v : value_ticks(panel)) {
        line(out, v == 0 ? "zero" : "grid", left, panel.y(v), right, panel.y(v));
        text(out, "right", left - 8, panel.y(v) + 4, tick_text(v));
    }
}

void draw_curve(Output& out, const Panel& panel) {
    for (const auto& piece : panel.curve.pieces) {
        out.write("<polyline class=\"curve\" points=\"");
        for (const CurvePoint& p : piece) out.print("{:.2f},{:.2f} ", panel.x(p.t), panel.y(p.value));
        if (piece.size() == 1)
            out.print("{:.2f},{:.2f}", panel.x(piece[0].t) + 0.01, panel.y(piece[0].value));
        out.write("\"/>\n");
    }
}

void draw_jumps(Output& out, const Panel& panel) {
    const auto& pieces = panel.curve.pieces;
    for (std::size_t i = 1; i < pieces.size(); ++i) {
        const CurvePoint &from = pieces[i - 1].back(), &to = pieces[i].front();
        if (from.t == to.t)
            line(out, "jump", panel.x(from.t), panel.y(from.value), panel.x(to.t), panel.y(to.value));
    }
}

// delta: a full arrow head; its derivatives: a diamond. Short arrows have small heads.
void draw_arrow(Output& out, double x, double base, double tip, std::size_t order) {
    const double head = std::clamp(base - tip, -9.0, 9.0), half = head / 2, side = std::abs(head) / 2.25;
    line(out, order == 0 ? "delta" : "prime", x, base, x, tip + half);
    if (order == 0)
        out.print("<path class=\"head\" d=\"M{:.2f} {:.2f}l{:.2f} {:.2f}h{:.2f}z\"/>\n", x, tip, -side, head,
                  2 * side);
    else
        out.print(
            "<path class=\"diamond\" d=\"M{:.2f} {:.2f}l{:.2f} {:.2f}l{:.2f} {:.2f}l{:.2f} {:.2f}z\"/>\n", x,
            tip, side, half, -side, half, -side, -half);
}

// Where several orders meet, each stands a little to the right of the one below, with its label a line
// further from the tip.
constexpr double lane_shift = 4, lane_line = 14;

struct Label {
    const CurveImpulse& impulse;
    double x, tip, lane;
    bool upwards;
};

void draw_label(Output& out, const Label& label) {
    const bool turn = label.x + label_room > right;
    const char* kind = label.impulse.order == 0 ? "delta" : "prime";
    const double lines = lane_line * label.lane;
    text(out, fmt::format("halo {}{}", kind, turn ? " right" : ""), turn ? label.x - 7 : label.x + 7,
         label.upwards ? label.tip + 8 + lines : label.tip + 2 - lines, impulse_label(label.impulse));
}

std::vector<CurveImpulse> impulses_of_order(const Curve& curve, std::size_t order) {
    std::vector<CurveImpulse> result = curve.impulses;
    std::erase_if(result, [order](const CurveImpulse& impulse) { return impulse.order != order; });
    return result;
}

// A crowd of arrows is read off the scale: only the first of it and those with room on both sides are
// labelled.
bool has_room(const Panel& panel, const std::vector<CurveImpulse>& impulses, std::size_t i) {
    const auto distance = [&](std::size_t a, std::size_t b) {
        return panel.x(impulses[b].t) - panel.x(impulses[a].t);
    };
    const bool before = i == 0 || distance(i - 1, i) > label_room;
    const bool after = i == 0 || i + 1 == impulses.size() || distance(i, i + 1) > label_room;
    return before && after;
}

void draw_impulses_of(Output& out, const Panel& panel, std::size_t order, double lane, double last_lane) {
    const double scale = pixels_per_unit(panel, reach_of(panel.curve, order)), base = panel.y(0);
    const std::vector<CurveImpulse> impulses = impulses_of_order(panel.curve, order);
    for (std::size_t i = 0; i < impulses.size(); ++i) {
        const double x = panel.x(impulses[i].t), tip = base - scale * impulses[i].coefficient;
        draw_arrow(out, x + lane_shift * lane, base, tip, order);
        if (has_room(panel, impulses, i))
            draw_label(out, {impulses[i], x + lane_shift * last_lane, tip, lane, tip < base});
    }
}

// The scale of delta stands on the right; derivatives of it have their labels only.
void draw_delta_axis(Output& out, const Panel& panel) {
    const Reach reach = reach_of(panel.curve, 0);
    if (reach.up == 0 && reach.down == 0) return;
    const double scale = pixels_per_unit(panel, reach);
    for (const double c : ticks(-reach.down, reach.up, 3)) {
        if (c == 0) continue;
        const double y = panel.y(0) - scale * c;
        line(out, "delta", right, y, right + 4, y);
        text(out, "delta", right + 8, y + 4, tick_text(c) + " δ");
    }
}

void draw_impulses(Output& out, const Panel& panel) {
    std::set<std::size_t> orders;
    for (const CurveImpulse& impulse : panel.curve.impulses) orders.insert(impulse.order);
    const double last_lane = static_cast<double>(orders.size()) - 1;
    double lane = 0;
    for (const std::size_t order : orders) draw_impulses_of(out, panel, order, lane++, last_lane);
    draw_delta_axis(out, panel);
}

// A line a column of the page at most.
void draw_events(Output& out, const Trace& trace, const Panel& panel) {
    double last = -1;
    for (const Event& event : trace.events) {
        const double x = panel.x(event.t);
        if (!event.committed || x - last < 0.75) continue;
        line(out, "event", x, panel.lower(), x, panel.upper());
        last = x;
    }
}

void draw_panel(Output& out, const Trace& trace, const Panel& panel) {
    text(out, "name", left, panel.upper() - 8, panel.name);
    draw_grid(out, panel);
    draw_events(out, trace, panel);
    draw_jumps(out, panel);
    draw_curve(out, panel);
    draw_impulses(out, panel);
    out.print("<rect class=\"frame\" x=\"{}\" y=\"{:.2f}\" width=\"{}\" height=\"{}\"/>\n", left,
              panel.upper(), right - left, panel_height);
}

Axis time_axis(const Trace& trace) {
    double low = 0, high = trace.end_t;
    if (!trace.t.empty()) low = trace.t.front(), high = std::max(high, trace.t.back());
    if (!trace.events.empty()) low = std::min(low, trace.events.front().t);
    return {low, high > low ? high : low + 1, left, right};
}

void draw_time(Output& out, const Axis& x, double y) {
    for (const double t : ticks(x.low, x.high, 8)) text(out, "middle", x(t), y + 18, tick_text(t));
    text(out, "right name", right, y + 36, "t");
}

}  // namespace

void write_svg(const Trace& trace, Output& output) {
    const std::vector<Curve> drawn = curves(trace, most_panels, static_cast<std::size_t>(right - left));
    const double height = top + static_cast<double>(drawn.size()) * (panel_height + gap) - gap + bottom;
    open_page(output, trace.model, width, height, left);
    if (trace.signals.size() > drawn.size())
        text(output, "right", right, 28, fmt::format("{} of {} signals", drawn.size(), trace.signals.size()));
    const Axis x = time_axis(trace);
    double upper = top;
    for (std::size_t s = 0; s < drawn.size(); ++s, upper += panel_height + gap) {
        const Range range = range_of(drawn[s]);
        draw_panel(output, trace,
                   {trace.signals[s], drawn[s], x, {range.low, range.high, upper + panel_height, upper}});
    }
    draw_time(output, x, upper - gap);
    output.write("</svg>\n");
}

}  // namespace deltaflow::app
