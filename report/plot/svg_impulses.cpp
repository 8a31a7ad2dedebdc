// Impulses: an arrow whose height is the coefficient, with as many heads as delta has been differentiated.
#include "report/plot/svg_panel.hpp"
#include "report/text/glyphs.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow::report {

namespace {

constexpr double head_height = 9, room_at_tip = 14, lane_width = 5, line_height = 15;

// How an arrow's length in pixels follows from its coefficient.
double pixels_per_unit(const Frame& frame, const Reach& reach) {
    const double base = frame.y(0);
    double scale = 1e300;
    if (reach.up > 0) scale = std::min(scale, (base - frame.upper() - room_at_tip) / reach.up);
    if (reach.down > 0) scale = std::min(scale, (frame.lower() - base - room_at_tip) / reach.down);
    return scale;
}

struct Arrow {
    std::size_t series;
    CurveImpulse impulse;
    double x, base, tip;  // on the page
    bool first = false;   // of its signal and order
    bool mythical = false;
    Range side{x, x};  // where all arrows of its t stand

    bool upwards() const { return tip < base; }
};

// The colour of an arrow: its signal's where there are several, else its order's.
std::string kind_of(const DrawnPanel& drawn, const Arrow& arrow) {
    if (drawn.panel.series.size() > 1) return line_kind(arrow.series);
    return arrow.impulse.order == 0 ? "delta" : "prime";
}

std::vector<Arrow> arrows_of(const DrawnPanel& drawn) {
    std::vector<Arrow> arrows;
    const auto& series = drawn.panel.series;
    for (const std::size_t order : impulse_orders(drawn.panel)) {
        const double scale = pixels_per_unit(drawn.frame, reach_of(drawn.panel, order));
        const double base = drawn.frame.y(0);
        for (std::size_t s = 0; s < series.size(); ++s) {
            bool first = true;
            const auto add = [&](const CurveImpulse& impulse, bool mythical) {
                if (impulse.order != order) return;
                arrows.push_back({s, impulse, drawn.frame.x(impulse.t), base,
                                  base - scale * impulse.coefficient, first && !mythical, mythical});
                first = first && mythical;
            };
            for (const CurveImpulse& impulse : series[s].curve.impulses) add(impulse, false);
            for (const CurveImpulse& impulse : series[s].curve.mythical_impulses) add(impulse, true);
        }
    }
    std::stable_sort(arrows.begin(), arrows.end(),
                     [](const Arrow& a, const Arrow& b) { return a.impulse.t < b.impulse.t; });
    return arrows;
}

// Arrows at one t stand side by side.
void spread(std::vector<Arrow>& arrows) {
    for (std::size_t first = 0, last = 0; first < arrows.size(); first = last) {
        while (last < arrows.size() && arrows[last].impulse.t == arrows[first].impulse.t) ++last;
        const double wide = lane_width * static_cast<double>(last - first - 1);
        for (std::size_t i = first; i < last; ++i) {
            arrows[i].side = {arrows[i].x, arrows[i].x + wide};
            arrows[i].x += lane_width * static_cast<double>(i - first);
        }
    }
}

// delta: one full head; its n-th derivative: a dashed line and n + 1 open heads, four at most.
void draw_arrow(Output& out, const std::string& kind, const Arrow& arrow) {
    const std::size_t heads = std::min<std::size_t>(arrow.impulse.order + 1, 4);
    const double all = std::min(std::abs(arrow.base - arrow.tip), head_height * static_cast<double>(heads));
    const double head = (arrow.upwards() ? 1 : -1) * all / static_cast<double>(heads);
    const double side = std::abs(head) * 0.45;
    const bool full = arrow.impulse.order == 0;
    line(out,
         kind + (arrow.mythical ? " ghost"
                 : full         ? " solid"
                                : " dashed"),
         arrow.x, arrow.base, arrow.x, arrow.tip + head * static_cast<double>(heads) * (full ? 0.5 : 1));
    const bool coloured = kind[0] == 's';
    const std::string head_kind = !full            ? kind + " open"
                                  : arrow.mythical ? kind + " ghost hollow"
                                  : coloured       ? "f" + kind.substr(1)
                                                   : "head";
    for (std::size_t k = heads; k-- > 0;)
        out.print("<path class=\"{}\" d=\"M{:.2f} {:.2f}l{:.2f} {:.2f}h{:.2f}z\"/>\n", head_kind, arrow.x,
                  arrow.tip + head * static_cast<double>(k), -side, head, 2 * side);
}

struct Box {
    double left, right, upper, lower;
    bool touches(const Box& other) const {
        return left < other.right && other.left < right && upper < other.lower && other.upper < lower;
    }
};

Box box_of(const Arrow& arrow) {
    return {arrow.x - 4, arrow.x + 4, std::min(arrow.base, arrow.tip), std::max(arrow.base, arrow.tip)};
}

std::string label_of(const DrawnPanel& drawn, const Arrow& arrow) {
    const std::string label = impulse_label(arrow.impulse.coefficient, arrow.impulse.order);
    return drawn.panel.series.size() > 1 ? fitted(drawn.panel.series[arrow.series].name, 120) + ": " + label
                                         : label;
}

// Puts labels beside the tips of their arrows, where nothing else is; what finds no room is left out and read
// off the scale.
class Labels {
public:
    Labels(Output& out, const DrawnPanel& drawn, const std::vector<Arrow>& arrows)
        : out_(out), drawn_(drawn) {
        for (const Arrow& arrow : arrows) taken_.push_back(box_of(arrow));
    }

    // Of arrows side by side, those on the left have their labels on the left, and the others on the right,
    // rather not on a curve. One that stands alone may have it on either side.
    void place(const Arrow& arrow) {
        const bool left = arrow.x + 0.1 < (arrow.side.low + arrow.side.high) / 2;
        const bool alone = arrow.side.high - arrow.side.low < 0.1;
        for (const bool leftwards : {left, !left})
            for (const bool on_curves : {false, true}) {
                for (int lines = 0; lines < 4; ++lines)
                    if (try_at(arrow, lines, leftwards, on_curves)) return;
                if (alone && !on_curves)
                    for (int lines = 0; lines < 4; ++lines)
                        if (try_at(arrow, lines, !leftwards, false)) return;
            }
    }

private:
    bool try_at(const Arrow& arrow, int lines, bool leftwards, bool on_curves) {
        const double width = width_of(label_of(drawn_, arrow));
        const double middle = arrow.tip + (arrow.upwards() ? 1 : -1) * (5 + line_height * lines);
        const double x = leftwards ? arrow.side.low - 7 : arrow.side.high + 7,
                     left = leftwards ? x - width : x;
        const Box box{left, left + width, middle - 7, middle + 7};
        if (!fits(box) || (!on_curves && lies_on_curve(box))) return false;
        taken_.push_back(box);
        text(out_, fmt::format("halo {}{}", kind_of(drawn_, arrow), leftwards ? " right" : ""), x,
             middle + 4.5, label_of(drawn_, arrow));
        return true;
    }
    bool fits(const Box& box) const {
        const Frame& frame = drawn_.frame;
        if (box.left < frame.left() || box.right > frame.right() || box.upper < frame.upper() - 2 ||
            box.lower > frame.lower() + 2)
            return false;
        return std::none_of(taken_.begin(), taken_.end(),
                            [&](const Box& other) { return box.touches(other); });
    }
    bool lies_on_curve(const Box& box) const {
        const Axis &x = drawn_.frame.x, &y = drawn_.frame.y;
        const auto inside = [&](const CurvePoint& p) {
            return x(p.t) > box.left && x(p.t) < box.right && y(p.value) > box.upper &&
                   y(p.value) < box.lower;
        };
        for (const Series& s : drawn_.panel.series)
            for (const auto& piece : s.curve.pieces)
                if (std::any_of(piece.begin(), piece.end(), inside)) return true;
        return false;
    }

    Output& out_;
    const DrawnPanel& drawn_;
    std::vector<Box> taken_;
};

constexpr double scale_gap = 16;

// Room at both ends of the axis of an order.
std::vector<double> scale_ticks(const Reach& reach, double pixels) {
    return ticks(-reach.down, reach.up, static_cast<int>(std::clamp(pixels / 18, 1.0, 4.0)));
}

double scale_width(const Panel& panel, std::size_t order) {
    const Reach reach = reach_of(panel, order);
    double width = 0;
    for (const double c : scale_ticks(reach, 90)) width = std::max(width, width_of(impulse_label(c, order)));
    return width + scale_gap;
}

// Its own length for each order: its own scale.
void draw_scale(Output& out, const DrawnPanel& drawn, std::size_t order, double right) {
    const Frame& frame = drawn.frame;
    const Reach reach = reach_of(drawn.panel, order);
    const double scale = pixels_per_unit(frame, reach), base = frame.y(0);
    const bool shared = drawn.panel.series.size() > 1;
    const std::string kind = shared ? "" : order == 0 ? "delta" : "prime", ink = shared ? "zero" : kind;
    if (right > frame.right())
        line(out, ink + " axis", right, base + scale * reach.down, right, base - scale * reach.up);
    for (const double c : scale_ticks(reach, scale * (reach.up + reach.down))) {
        if (c == 0) continue;
        const double y = base - scale * c;
        line(out, ink, right, y, right + 4, y);
        text(out, kind + " scale", right + 8, y + 4.5, impulse_label(c, order));
    }
}

}  // namespace

double scales_width(const Panel& panel) {
    double width = 0;
    for (const std::size_t order : impulse_orders(panel)) width += scale_width(panel, order);
    return width;
}

void draw_impulses(Output& out, const DrawnPanel& drawn) {
    std::vector<Arrow> arrows = arrows_of(drawn);
    if (arrows.empty()) return;
    spread(arrows);
    for (const Arrow& arrow : arrows) draw_arrow(out, kind_of(drawn, arrow), arrow);
    Labels labels(out, drawn, arrows);
    for (const bool first : {true, false})
        for (const Arrow& arrow : arrows)
            if (arrow.first == first && !(arrow.mythical && drawn.panel.series.size() > 1))
                labels.place(arrow);
    double right = drawn.frame.right();
    for (const std::size_t order : impulse_orders(drawn.panel)) {
        draw_scale(out, drawn, order, right);
        right += scale_width(drawn.panel, order);
    }
}

}  // namespace deltaflow::report
