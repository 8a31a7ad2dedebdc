// Arrows, strokes, badges, legend.
#include "report/scheme/strokes.hpp"

#include "report/plot/drawing.hpp"
#include "report/scheme/size.hpp"
#include "report/text/glyphs.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow::report::scheme {

Point on_curve(const Curve& curve, std::size_t piece, double t) {
    const Point* p = &curve.points[3 * piece];
    const double s = 1 - t, a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
    return {a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
            a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
}

namespace {

Heading direction(Point from, Point to) {
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    if (length < 1e-9) return {};
    return {(to.x - from.x) / length, (to.y - from.y) / length};
}

template <class List, class Test>
bool any(const List& list, const Test& test) {
    return std::any_of(list.begin(), list.end(), test);
}

}  // namespace

Heading arrival(const std::vector<Point>& points) {
    for (std::size_t i = points.size() - 1; i-- > 0;)
        if (std::hypot(points.back().x - points[i].x, points.back().y - points[i].y) > 1)
            return direction(points[i], points.back());
    return {};
}

Point moved(Point p, Heading d, double along, double across) {
    return {p.x + along * d.x - across * d.y, p.y + along * d.y + across * d.x};
}

Point beside(const Curve& curve, const std::string& words) {
    const Point wanted = *curve.label;
    Point nearest = wanted, next = wanted;
    double distance = 1e9;
    for (std::size_t piece = 0; 3 * piece + 3 < curve.points.size(); ++piece)
        for (int i = 0; i < 16; ++i) {
            const Point p = on_curve(curve, piece, i / 16.0);
            const double d = std::hypot(p.x - wanted.x, p.y - wanted.y);
            if (d >= distance) continue;
            distance = d;
            nearest = p;
            next = on_curve(curve, piece, (i + 1) / 16.0);
        }
    const Heading along = direction(nearest, next);
    const double across = (wanted.y - nearest.y) * along.x - (wanted.x - nearest.x) * along.y;
    const double room =
        std::abs(along.y) * (0.58 * text_width(words, label_size) + 5) + std::abs(along.x) * 8;
    return moved(nearest, along, 0, across > 0 ? room : -room);
}

void draw_line(Output& out, std::string_view kind, Point a, Point b) { line(out, kind, a.x, a.y, b.x, b.y); }

void stroke(Output& out, std::string_view kind, Point end, Heading d) {
    draw_line(out, kind, moved(end, d, 0, 8), moved(end, d, 0, -8));
}

void tip(Output& out, std::string_view kind, Point end, Heading d, double size) {
    const Point a = moved(end, d, -size, size * 0.42), b = moved(end, d, -size, -size * 0.42);
    out.print("<path class=\"{}\" d=\"M{:.2f} {:.2f}L{:.2f} {:.2f}L{:.2f} {:.2f}Z\"/>\n", kind, end.x, end.y,
              a.x, a.y, b.x, b.y);
}

void pill(Output& out, std::string_view kind, double x, double y, const std::string& words) {
    const double width = badge_width(words);
    out.print("<rect class=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"15\" rx=\"7.5\"/>\n",
              kind, x - width / 2, y - 7.5, width);
    text(out, kind, x, y + 3.6, words);
}

std::vector<LegendItem> legend_of(const Picture& picture) {
    std::vector<LegendItem> items;
    const auto& boxes = picture.boxes;
    const auto& links = picture.links;
    if (any(boxes, [](const Box& b) { return !b.order.empty() && b.order[0] != 'i'; }))
        items.push_back({Sample::badge, "order of evaluation"});
    if (any(boxes, [](const Box& b) { return !b.order.empty() && b.order[0] == 'i'; }))
        items.push_back({Sample::badge, "order among those that act at instants only"});
    if (any(links, [](const Link& l) { return is_impulsive(l.regularity); }) ||
        any(picture.bonds, carries_impulse))
        items.push_back({Sample::impulse, "may carry impulses"});
    if (any(boxes, [](const Box& b) { return b.loop > 0; }))
        items.push_back({Sample::loop, "algebraic loop"});
    if (!picture.bonds.empty())
        items.push_back({Sample::bond, "half arrow: positive power; stroke: the effort acts on this end"});
    if (any(boxes, [](const Box& b) { return b.off; })) items.push_back({Sample::off, "off in this mode"});
    if (any(links, [](const Link& l) { return l.control; }))
        items.push_back({Sample::control, "an automaton switches"});
    return items;
}

namespace {

void draw_sample(Output& out, const LegendItem& item, Point p) {
    const Point end{p.x + 28, p.y};
    switch (item.sample) {
        case Sample::badge:
            return pill(out, "badge", p.x + 14, p.y,
                        item.words.find("instants") == std::string::npos ? "1" : "i1");
        case Sample::off:
            out.print(
                "<rect class=\"junction off\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"26\" height=\"12\" "
                "rx=\"6\"/>\n",
                p.x, p.y - 6);
            return;
        case Sample::bond:
            draw_line(out, "bond", p, end);
            draw_line(out, "bond", end, moved(end, {}, -11, 6));
            return stroke(out, "bond", end, {});
        default:
            break;
    }
    const std::string_view kind = item.sample == Sample::impulse ? "impulse"
                                  : item.sample == Sample::loop  ? "loop"
                                                                 : "control";
    draw_line(out, kind, p, {end.x - 6, end.y});
    tip(out, std::string(kind) + "-tip", end, {}, 8);
}

}  // namespace

double place_legend(const std::vector<LegendItem>& items, Point begin, double right, Output* out) {
    double x = begin.x, y = begin.y;
    for (const LegendItem& item : items) {
        const double width = 40 + text_width(item.words, 11) + 18;
        if (x > begin.x && x + width > right) {
            x = begin.x;
            y += 19;
        }
        if (out) {
            draw_sample(*out, item, {x, y});
            text(*out, "small", x + 36, y + 4, item.words);
        }
        x += width;
    }
    return items.empty() ? y - 14 : y + 8;
}

}  // namespace deltaflow::report::scheme
