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

constexpr double lane = 13, clear = 3, first_lane = 36;

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

    // Straight from a lane to the side of a box that looks at it: which way leads there, seen from its
    // middle? Sums have an end for each term; what comes back would else meet the first term at its sign.
    std::optional<double> facing(std::uint32_t b, std::initializer_list<double> shares, double y) {
        const Area& box = boxes_[b];
        for (const double share : shares) {
            const double x = box.x + share * std::min(box.width, box.height) / 2;
            const bool free = std::none_of(boxes_.begin(), boxes_.end(), [&](const Area& a) {
                return &a != &box && a.y > box.y && a.y < y && std::abs(x - a.x) < a.width / 2 + clear;
            });
            const long place = std::lround(x / 5);
            if (!free || taken_.count(place) > 0) continue;
            ++taken_[place];
            return x;
        }
        return std::nullopt;
    }
    bool is(std::uint32_t b, Frame frame) const { return picture_.boxes[b].frame == frame; }

    // From the box to the lane.
    std::vector<Point> way_out(const Link& link, double y) {
        const Area& box = boxes_[link.from];
        // The tip of a triangle points to the right, and so to the lanes of a picture that goes down.
        if (down_ && is(link.from, Frame::triangle))
            if (const auto x = facing(link.from, {0.0}, y)) return {{*x, box.y + box.height / 2}, {*x, y}};
        const double start = port_height(box, link.from_port, picture_.boxes[link.from].outputs.size());
        const auto x = beside(box, 1, start, y, taken_);
        if (!x) return {};
        return {{box.x + box.width / 2, start}, {*x, start}, {*x, y}};
    }

    std::vector<Point> way_in(const Link& link, double y) {
        const Area& box = boxes_[link.to];
        if (is(link.to, Frame::circle))
            if (const auto x = facing(link.to, {0.0, -0.6, 0.6}, y)) {
                const double radius = std::min(box.width, box.height) / 2, across = *x - box.x;
                return {{*x, y}, {*x, box.y + std::sqrt(radius * radius - across * across)}};
            }
        const double end = port_height(box, link.to_port, picture_.boxes[link.to].inputs.size());
        const auto x = beside(box, -1, end, y, taken_);
        if (!x) return {};
        return {{*x, y}, {*x, end}, {box.x - box.width / 2, end}};
    }

    double port_height(const Area& box, std::int32_t port, std::size_t count) const {
        if (port < 0 || count == 0 || down_) return box.y;
        return box.y - box.height / 2 +
               (static_cast<double>(port) + 0.5) / static_cast<double>(count) * box.height;
    }

    bool route(std::size_t i, std::size_t number) {
        const Link& link = picture_.links[i];
        const double y = bottom_ + first_lane / 2 + lane * static_cast<double>(number);
        const std::vector<Point> out = way_out(link, y);
        const std::vector<Point> in = out.empty() ? out : way_in(link, y);
        if (out.empty() || in.empty()) return false;
        Curve curve{{out.front()}, {}};
        for (auto p = out.begin() + 1; p != out.end(); ++p) append(curve, *p);
        for (const Point p : in) append(curve, p);
        const double middle = (out.back().x + in.front().x) / 2;
        curve.label = Point{middle, y - 6};
        if (down_) {
            for (Point& p : curve.points) p = mirrored(p);
            curve.label = Point{y + 6, middle};
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
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> between;  // several would become one line
    const auto ends = [](const BondLine& bond) { return std::minmax({bond.from, bond.to}); };
    for (const BondLine& bond : picture.bonds) ++between[ends(bond)];
    for (std::size_t i = 0; i < picture.bonds.size(); ++i) {
        const BondLine& bond = picture.bonds[i];
        Curve& curve = layout.bonds[i];
        if (between[ends(bond)] > 1) continue;
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
