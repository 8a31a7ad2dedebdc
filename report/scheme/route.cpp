// Straight bonds, and lanes for feedback.
#include "report/scheme/route.hpp"

#include "report/scheme/strokes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace deltaflow::report::scheme {

namespace {

constexpr double lane = 13, clear = 3, first_lane = 16;

bool is_in(const Area& a, Point p, double grow) {
    return std::abs(p.x - a.x) < a.width / 2 + grow && std::abs(p.y - a.y) < a.height / 2 + grow;
}

// A line as the curve that it is.
Curve straight(Point from, Point to) {
    const auto between = [&](double t) {
        return Point{from.x + t * (to.x - from.x), from.y + t * (to.y - from.y)};
    };
    return {{from, between(1.0 / 3), between(2.0 / 3), to}, {}};
}

void append(Curve& curve, Point to) {
    const Curve next = straight(curve.points.back(), to);
    curve.points.insert(curve.points.end(), next.points.begin() + 1, next.points.end());
}

// Where the line from the middle of a box towards a point leaves the box.
Point leaving(const Area& a, Point towards) {
    const double dx = towards.x - a.x, dy = towards.y - a.y;
    double share = 1;
    if (dx != 0) share = std::min(share, a.width / 2 / std::abs(dx));
    if (dy != 0) share = std::min(share, a.height / 2 / std::abs(dy));
    return {a.x + share * dx, a.y + share * dy};
}

// Where both boxes have some height or width in common the line is level or upright.
std::pair<Point, Point> ends_of(const Area& a, const Area& b) {
    const double low = std::max(a.y - a.height / 2, b.y - b.height / 2) + 5;
    const double high = std::min(a.y + a.height / 2, b.y + b.height / 2) - 5;
    const double first = std::max(a.x - a.width / 2, b.x - b.width / 2) + 8;
    const double last = std::min(a.x + a.width / 2, b.x + b.width / 2) - 8;
    if (low <= high) {
        const double y = std::clamp((a.y + b.y) / 2, low, high), side = b.x > a.x ? 1 : -1;
        return {{a.x + side * a.width / 2, y}, {b.x - side * b.width / 2, y}};
    }
    if (first <= last) {
        const double x = std::clamp((a.x + b.x) / 2, first, last), side = b.y > a.y ? 1 : -1;
        return {{x, a.y + side * a.height / 2}, {x, b.y - side * b.height / 2}};
    }
    return {leaving(a, {b.x, b.y}), leaving(b, {a.x, a.y})};
}

// A picture that goes down is one that goes to the right, seen in a mirror.
Point mirrored(Point p) { return {p.y, p.x}; }
Area mirrored(const Area& a) { return {a.y, a.x, a.height, a.width}; }

class Lanes {
public:
    Lanes(const Picture& picture, Layout& layout, bool down)
        : picture_(picture), layout_(layout), down_(down), bottom_(down ? layout.width : layout.height) {
        for (const Area& a : layout.boxes) boxes_.push_back(down ? mirrored(a) : a);
    }

    void route() {
        std::vector<std::size_t> back;
        for (std::size_t i = 0; i < picture_.links.size(); ++i)
            if (comes_back(picture_.links[i])) back.push_back(i);
        // Short ways round lie inside long ones.
        std::stable_sort(back.begin(), back.end(),
                         [&](std::size_t a, std::size_t b) { return span(a) < span(b); });
        std::size_t used = 0;
        for (const std::size_t i : back) used += route(i, used) ? 1 : 0;
        if (used == 0) return;
        const double grown = bottom_ + first_lane + lane * static_cast<double>(used);
        (down_ ? layout_.width : layout_.height) = grown;
    }

private:
    bool comes_back(const Link& link) const {
        if (link.from == link.to || link.control) return false;
        const auto is_graph = [&](std::uint32_t b) {
            return picture_.boxes[b].shape == Shape::element || picture_.boxes[b].shape == Shape::junction;
        };
        if (is_graph(link.from) && is_graph(link.to)) return false;
        const Area &from = boxes_[link.from], &to = boxes_[link.to];
        return to.x + to.width / 2 < from.x - from.width / 2;
    }
    double span(std::size_t i) const {
        return boxes_[picture_.links[i].from].x - boxes_[picture_.links[i].to].x;
    }

    // The first free place for an upright line beside a box, away from it.
    std::optional<double> beside(const Area& box, double side, double from_y, double to_y,
                                 std::map<long, int>& used) {
        const double edge = box.x + side * box.width / 2;
        for (int tries = 0; tries < 12; ++tries) {
            const double x = edge + side * (9 + 7 * tries);
            const long place = std::lround(x / 5);
            if (used.count(place) > 0 || x < -30) continue;
            const double low = std::min(from_y, to_y), high = std::max(from_y, to_y);
            const bool free = std::none_of(boxes_.begin(), boxes_.end(), [&](const Area& a) {
                return std::abs(x - a.x) < a.width / 2 + clear && low < a.y + a.height / 2 + clear &&
                       high > a.y - a.height / 2 - clear;
            });
            if (!free) continue;
            ++used[place];
            return x;
        }
        return std::nullopt;
    }

    double port_height(const Area& box, std::int32_t port, std::size_t count) const {
        if (port < 0 || count == 0 || down_) return box.y;
        return box.y - box.height / 2 +
               (static_cast<double>(port) + 0.5) / static_cast<double>(count) * box.height;
    }

    bool route(std::size_t i, std::size_t number) {
        const Link& link = picture_.links[i];
        const Area &from = boxes_[link.from], &to = boxes_[link.to];
        const double y = bottom_ + first_lane / 2 + lane * static_cast<double>(number);
        const double start = port_height(from, link.from_port, picture_.boxes[link.from].outputs.size());
        const double end = port_height(to, link.to_port, picture_.boxes[link.to].inputs.size());
        const auto out = beside(from, 1, start, y, taken_);
        const auto in = out ? beside(to, -1, end, y, taken_) : std::nullopt;
        if (!out || !in) return false;
        Curve curve{{{from.x + from.width / 2, start}}, {}};
        for (const Point p : {Point{*out, start}, Point{*out, y}, Point{*in, y}, Point{*in, end},
                              Point{to.x - to.width / 2, end}})
            append(curve, p);
        curve.label = Point{(*out + *in) / 2, y - 6};
        if (down_) {
            for (Point& p : curve.points) p = mirrored(p);
            curve.label = Point{y + 6, (*out + *in) / 2};
        }
        if (!layout_.links[i].label) curve.label.reset();
        layout_.links[i] = std::move(curve);
        return true;
    }

    const Picture& picture_;
    Layout& layout_;
    bool down_;
    double bottom_;
    std::vector<Area> boxes_;
    std::map<long, int> taken_;
};

}  // namespace

bool crosses_box(const Layout& layout, const Curve& curve, std::uint32_t from, std::uint32_t to) {
    for (std::size_t piece = 0; 3 * piece + 3 < curve.points.size(); ++piece)
        for (int i = 0; i <= 24; ++i) {
            const Point p = on_curve(curve, piece, i / 24.0);
            for (std::uint32_t b = 0; b < layout.boxes.size(); ++b)
                if (b != from && b != to && is_in(layout.boxes[b], p, -1)) return true;
        }
    return false;
}

void straighten_bonds(const Picture& picture, Layout& layout) {
    for (std::size_t i = 0; i < picture.bonds.size(); ++i) {
        const BondLine& bond = picture.bonds[i];
        Curve& curve = layout.bonds[i];
        if (bond.from_port >= 0 || bond.to_port >= 0 || bond.from == bond.to || curve.points.empty())
            continue;
        const auto [first, last] = ends_of(layout.boxes[bond.from], layout.boxes[bond.to]);
        Curve line = straight(first, last);
        if (std::hypot(first.x - last.x, first.y - last.y) < 22 ||
            crosses_box(layout, line, bond.from, bond.to))
            continue;
        if (curve.label) line.label = curve.label;
        curve = std::move(line);
    }
}

void route_feedback(const Picture& picture, Layout& layout, Direction direction) {
    Lanes(picture, layout, direction == Direction::downwards).route();
}

}  // namespace deltaflow::report::scheme
