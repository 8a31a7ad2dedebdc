// Draws boxes, links, bonds with half arrows and causal strokes, and a legend of what occurs.
#include "report/scheme/svg.hpp"

#include "report/plot/drawing.hpp"
#include "report/scheme/labels.hpp"
#include "report/scheme/size.hpp"
#include "report/scheme/strokes.hpp"
#include "report/text/glyphs.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow::report::scheme {

namespace {

constexpr double margin = 24, top = 60;

constexpr std::string_view style = R"(<style>
  .small { font-size: 11px; } .port { font-size: 10px; } .label { font-size: 10px; text-anchor: middle; } .bold { font-weight: 600; }
  .sign { font-size: 19px; text-anchor: middle; fill: #1f2328; } .long { font-size: 13px; } .sign-path { fill: none; stroke: #1f2328; stroke-width: 1.5; stroke-linejoin: round; }
  .box { fill: #f6f8fa; stroke: #57606a; stroke-width: 1; } .group { fill: none; stroke: #8c959f; stroke-dasharray: 5 3; }
  .element { fill: #ffffff; stroke: #d0d7de; stroke-width: 1; } .junction { fill: #ddf4ff; stroke: #54aeff; stroke-width: 1; }
  .terminal { fill: #ffffff; stroke: #8c959f; stroke-width: 1; } .automaton { fill: #fff8c5; stroke: #bf8700; stroke-width: 1; }
  .off { stroke-dasharray: 3 3; fill: #eaeef2; stroke: #afb8c1; } text.off { fill: #8c959f; stroke: none; }
  .dependent { stroke: #bc4c00; stroke-width: 1.4; stroke-dasharray: 6 3; } text.dependent { fill: #bc4c00; stroke: none; }
  .link { fill: none; stroke: #57606a; stroke-width: 1.1; } .tip { fill: #57606a; stroke: none; }
  .impulse { fill: none; stroke: #cf222e; stroke-width: 2.6; } .impulse-tip { fill: #cf222e; stroke: none; } text.impulse { fill: #cf222e; stroke: none; font-weight: 600; }
  .loop { fill: none; stroke: #8250df; stroke-width: 1.5; } .loop-tip { fill: #8250df; stroke: none; } text.loop { fill: #8250df; stroke: none; font-weight: 600; }
  .control { fill: none; stroke: #bf8700; stroke-width: 1.1; stroke-dasharray: 1 3; stroke-linecap: round; } .control-tip { fill: #bf8700; stroke: none; }
  .bond { fill: none; stroke: #1f2328; stroke-width: 1.7; } .bond-impulse { fill: none; stroke: #cf222e; stroke-width: 2.4; }
  .badge { fill: #0969da; } text.badge { fill: #ffffff; font-size: 10px; font-weight: 600; text-anchor: middle; }
  @media screen and (prefers-color-scheme: dark) {
    .sign { fill: #f0f6fc; } .sign-path { stroke: #f0f6fc; }
    .box { fill: #161b22; stroke: #9198a1; } .group { stroke: #656c76; } .element, .terminal { fill: #0d1117; stroke: #3d444d; }
    .junction { fill: #0c2d4a; stroke: #1f6feb; } .automaton { fill: #272115; stroke: #9e6a03; }
    .off { fill: #151b23; stroke: #3d444d; } text.off { fill: #656c76; } .dependent { stroke: #f0883e; } text.dependent { fill: #f0883e; }
    .link { stroke: #9198a1; } .tip { fill: #9198a1; } .impulse { stroke: #ff7b72; } .impulse-tip, text.impulse { fill: #ff7b72; }
    .loop { stroke: #bc8cff; } .loop-tip, text.loop { fill: #bc8cff; } .control { stroke: #d29922; } .control-tip { fill: #d29922; }
    .bond { stroke: #f0f6fc; } .bond-impulse { stroke: #ff7b72; } .badge { fill: #1f6feb; }
  }
</style>
)";

class Drawing {
public:
    Drawing(const Picture& picture, const Layout& layout, Output& out)
        : picture_(picture), layout_(layout), out_(out) {}

    void draw() {
        const std::vector<LegendItem> items = legend_of(picture_);
        const auto [first, last] = across();
        width_ =
            std::max({last - first + 2 * margin, 420.0, text_width(picture_.title, 17) * 1.1 + 2 * margin,
                      text_width(picture_.mode, 12) + 2 * margin + 50});
        const double legend_top = top + layout_.height + 34;
        const double bottom = place_legend(items, {margin, legend_top}, width_ - margin / 2, nullptr);
        height_ = bottom + 16 + 18 * static_cast<double>(picture_.notes.size());
        open_page(out_, picture_.title, std::ceil(width_), std::ceil(height_), margin);
        out_.write("<!-- places by Graphviz -->\n");
        out_.write(style);
        if (!picture_.mode.empty()) text(out_, "small", margin, 44, "mode: " + picture_.mode);
        left_ = (width_ - first - last) / 2;
        for (std::size_t i = 0; i < picture_.groups.size(); ++i) draw_group(i);
        for (std::size_t i = 0; i < picture_.links.size(); ++i) draw_link(i);
        for (std::size_t i = 0; i < picture_.bonds.size(); ++i) draw_bond(i);
        for (std::size_t i = 0; i < picture_.boxes.size(); ++i) draw_box(i);
        for (std::size_t i = 0; i < picture_.links.size(); ++i) label_link(i);
        for (std::size_t i = 0; i < picture_.bonds.size(); ++i) label_bond(i);
        place_legend(items, {margin, legend_top}, width_ - margin / 2, &out_);
        for (std::size_t i = 0; i < picture_.notes.size(); ++i)
            text(out_, "small bold", margin, bottom + 14 + 18 * static_cast<double>(i), picture_.notes[i]);
        out_.write("</svg>\n");
    }

private:
    // From where to where the picture reaches: labels may stand further out than the boxes.
    std::pair<double, double> across() const {
        double first = 0, last = layout_.width;
        for (const Label& label : labels_) {
            if (!label.middle) continue;
            const double half = 0.58 * text_width(label.words, label_size);
            first = std::min(first, label.middle->x - half);
            last = std::max(last, label.middle->x + half);
        }
        return {first, last};
    }

    Point at(Point p) const { return {left_ + p.x, top + p.y}; }

    void rectangle(std::string_view kind, const Area& a, double grow, double round) {
        const Point middle = at({a.x, a.y});
        out_.print(
            "<rect class=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" "
            "rx=\"{:.1f}\"/>\n",
            kind, middle.x - a.width / 2 - grow, middle.y - a.height / 2 - grow, a.width + 2 * grow,
            a.height + 2 * grow, round);
    }

    void draw_group(std::size_t i) {
        const Area& area = layout_.groups[i];
        rectangle("group", area, 0, 8);
        const Point middle = at({area.x, area.y});
        text(out_, "small bold", middle.x - area.width / 2 + 8, middle.y - area.height / 2 + 15,
             picture_.groups[i].title);
    }

    static std::string_view class_of(const Box& box) {
        if (box.dependent) return "element dependent";
        switch (box.shape) {
            case Shape::element:
                return box.off ? "element off" : "element";
            case Shape::junction:
                return box.off ? "junction off" : "junction";
            case Shape::automaton:
                return "automaton";
            case Shape::terminal:
                return "terminal";
            default:
                return "box";
        }
    }

    static double roundness(const Box& box, const Area& area) {
        if (box.shape == Shape::terminal || box.shape == Shape::junction) return area.height / 2;
        return box.shape == Shape::automaton ? 10 : 4;
    }

    void draw_box(std::size_t i) {
        const Box& box = picture_.boxes[i];
        const Area& area = layout_.boxes[i];
        out_.print("<g><title>{}</title>\n", escaped(box.about));
        if (box.many)
            for (const double shift : {6.0, 3.0})
                rectangle("box", {area.x, area.y - shift, area.width - 2 * shift, area.height}, 0, 4);
        draw_frame(box, area);
        if (box.loop > 0 && box.frame == Frame::box)
            rectangle("loop", area, -3, std::max(0.0, roundness(box, area) - 3));
        draw_ports(box, area);
        draw_words(box, area);
        draw_badge(box, area);
        draw_symbol(box, area);
        draw_sign(box, area);
        out_.write("</g>\n");
    }

    void draw_frame(const Box& box, const Area& area) {
        const Point middle = at({area.x, area.y});
        const std::string_view kind = box.loop > 0 && box.frame != Frame::box ? "box loop" : class_of(box);
        if (box.frame == Frame::circle)
            return circle(out_, kind, middle.x, middle.y, std::min(area.width, area.height) / 2);
        if (box.frame == Frame::box) return rectangle(kind, area, 0, roundness(box, area));
        out_.print("<path class=\"{}\" d=\"M{:.2f} {:.2f}L{:.2f} {:.2f}L{:.2f} {:.2f}Z\"/>\n", kind,
                   middle.x - area.width / 2, middle.y - area.height / 2, middle.x + area.width / 2, middle.y,
                   middle.x - area.width / 2, middle.y + area.height / 2);
    }

    // Above the words.
    void draw_sign(const Box& box, const Area& area) {
        if (sign_room(box) == 0) return;
        const Size ports = port_widths(box);
        const Point middle = at({area.x, area.y});
        const double x = middle.x + (ports.width - ports.height) / 2;
        const double y = first_line(box, middle.y) - 22;
        if (!box.letters.empty())
            text(out_, box.letters.size() > 3 ? "sign long" : "sign", x, y + 6, std::string(box.letters));
        else
            out_.print("<path class=\"sign-path\" transform=\"translate({:.2f} {:.2f})\" d=\"{}\"/>\n", x, y,
                       box.drawn);
    }

    // Where the title stands.
    static double first_line(const Box& box, double middle) {
        const auto below = static_cast<double>(line_count(box));
        return middle - (title_room + below * line_room - sign_room(box)) / 2 + 13;
    }

    void draw_ports(const Box& box, const Area& area) {
        const Point middle = at({area.x, area.y});
        const auto column = [&](const std::vector<std::string>& names, double x, std::string_view kind) {
            for (std::size_t i = 0; i < names.size(); ++i) {
                const double part = (static_cast<double>(i) + 0.5) / static_cast<double>(names.size());
                text(out_, kind, x, middle.y - area.height / 2 + part * area.height + 3.5, names[i]);
            }
        };
        column(box.inputs, middle.x - area.width / 2 + 5, "port");
        column(box.outputs, middle.x + area.width / 2 - 5, "port right");
    }

    void draw_words(const Box& box, const Area& area) {
        const Size ports = port_widths(box);
        const Point middle = at({area.x, area.y});
        const double shift = box.frame == Frame::triangle ? -area.width / 7 : 0;
        const double x = middle.x + (ports.width - ports.height) / 2 + shift;
        double y = first_line(box, middle.y);
        text(out_, box.off ? "name middle off" : "name middle", x, y, box.title);
        y += 1;
        for (const std::string& line : box.lines)
            text(out_, box.off ? "small middle off" : "small middle", x, y += line_room, line);
        if (box.dependent) text(out_, "label dependent", x, y += line_room, "derivative causality");
        if (box.loop > 0) text(out_, "label loop", x, y + line_room, loop_text(box));
    }

    // Above the right corner, or at another one where no line comes.
    void draw_symbol(const Box& box, const Area& area) {
        if (box.symbol.empty()) return;
        constexpr double enough = 15;
        Point best;
        double most = -1;
        for (const double down : {-1.0, 1.0})
            for (const double right : {1.0, -1.0}) {
                const Point corner{area.x + right * (area.width / 2 - 14),
                                   area.y + down * (area.height / 2 + 8)};
                const double room = std::min(enough, distance_to_lines(corner));
                if (room <= most) continue;
                most = room;
                best = corner;
            }
        out_.print("<path class=\"link\" transform=\"translate({:.2f} {:.2f})\" d=\"{}\"/>\n", at(best).x,
                   at(best).y, box.symbol);
    }

    double distance_to_lines(Point p) const {
        double least = 1e9;
        for (const auto* curves : {&layout_.links, &layout_.bonds})
            for (const Curve& curve : *curves)
                for (std::size_t piece = 0; 3 * piece + 3 < curve.points.size(); ++piece)
                    for (int i = 0; i <= 16; ++i) {
                        const Point q = on_curve(curve, piece, i / 16.0);
                        least = std::min(least, std::hypot(p.x - q.x, p.y - q.y));
                    }
        return least;
    }

    void draw_badge(const Box& box, const Area& area) {
        const Point middle = at({area.x, area.y});
        if (box.order.empty()) return;
        if (box.frame == Frame::circle)
            return pill(out_, "badge", middle.x - area.width / 2 * 0.72, middle.y - area.height / 2 * 0.72,
                        box.order);
        if (box.frame == Frame::triangle)
            return pill(out_, "badge", middle.x - area.width / 2 + badge_width(box.order) / 2 - 4,
                        middle.y - area.height / 2, box.order);
        const double x = middle.x - area.width / 2 + port_widths(box).width;
        pill(out_, "badge", x + 5 + badge_width(box.order) / 2, middle.y - area.height / 2 + 13, box.order);
    }

    void path(std::string_view kind, const Curve& curve, Point last) {
        const Point first = at(curve.points.front());
        out_.print("<path class=\"{}\" d=\"M{:.2f} {:.2f}", kind, first.x, first.y);
        for (std::size_t i = 1; i < curve.points.size(); ++i) {
            const Point p = i + 1 == curve.points.size() ? last : at(curve.points[i]);
            out_.print("{}{:.2f} {:.2f}", i % 3 == 1 ? "C" : " ", p.x, p.y);
        }
        out_.write("\"/>\n");
    }

    static std::string class_of(const Link& link) {
        if (link.control) return "control";
        if (is_impulsive(link.regularity)) return "impulse";
        return link.loop > 0 ? "loop" : "link";
    }

    void draw_link(std::size_t i) {
        const Curve& curve = layout_.links[i];
        if (curve.points.size() < 4) return;
        const Link& link = picture_.links[i];
        const std::string kind = class_of(link);
        out_.print("<g><title>{}</title>\n", escaped(title_of(link)));
        const Heading d = arrival(curve.points);
        const Point end = at(curve.points.back());
        const double size = kind == "impulse" ? 9 : 7.5;
        path(kind, curve, moved(end, d, -size + 1, 0));
        tip(out_, kind == "link" ? "tip" : kind + "-tip", end, d, size);
        if (link.sign != 0) {
            const Point p = moved(end, d, -12, d.y > 0.5 ? -8 : 8);
            text(out_, "label halo bold", p.x, p.y + 4, link.sign > 0 ? "+" : "−");
        }
        out_.write("</g>\n");
    }

    std::string title_of(const Link& link) const {
        const std::string ends =
            fmt::format("{} -> {}", picture_.boxes[link.from].name, picture_.boxes[link.to].name);
        if (link.control) return ends;
        return fmt::format("{}: {} ({})", ends, link.signal, regularity_text(link.regularity));
    }

    void write_label(const Label& label, std::string_view kind) {
        if (!label.middle) return;
        const Point p = at(*label.middle);
        text(out_, fmt::format("label halo{}{}", kind.empty() ? "" : " ", kind), p.x, p.y + 3.5, label.words);
    }

    void label_link(std::size_t i) {
        const std::string kind = class_of(picture_.links[i]);
        write_label(labels_[i], kind == "link" ? "" : kind);
    }

    // The half arrow points along positive power; the stroke stands where the effort arrives.
    void draw_bond(std::size_t i) {
        const Curve& curve = layout_.bonds[i];
        if (curve.points.size() < 4) return;
        const BondLine& bond = picture_.bonds[i];
        const std::string_view kind = carries_impulse(bond) ? "bond-impulse" : "bond";
        out_.print("<g><title>{}: effort {}, flow {}</title>\n", escaped(bond.name),
                   regularity_text(bond.effort), regularity_text(bond.flow));
        std::vector<Point> back(curve.points.rbegin(), curve.points.rend());
        const Heading ahead = arrival(curve.points), behind = arrival(back);
        const Point head = moved(at(curve.points.back()), ahead, -2, 0);
        const Point tail = moved(at(curve.points.front()), behind, -2, 0);
        path(kind, curve, head);
        draw_line(out_, kind, head, moved(head, ahead, -11, 6));
        if (bond.effort_by == bonds::End::from) stroke(out_, kind, head, ahead);
        if (bond.effort_by == bonds::End::to) stroke(out_, kind, tail, behind);
        out_.write("</g>\n");
    }

    void label_bond(std::size_t i) {
        write_label(labels_[picture_.links.size() + i], carries_impulse(picture_.bonds[i]) ? "impulse" : "");
    }

    const Picture& picture_;
    const Layout& layout_;
    Output& out_;
    std::vector<Label> labels_ = labels_of(picture_, layout_);
    double width_ = 0, height_ = 0, left_ = 0;
};

}  // namespace

void write_svg(const Picture& picture, const Layout& layout, Output& out) {
    Drawing(picture, layout, out).draw();
}

}  // namespace deltaflow::report::scheme
