// Draws shapes: y goes up, units are the same across and up.
#include "report/plot/sketch.hpp"

#include "report/plot/drawing.hpp"
#include "report/text/glyphs.hpp"
#include "report/text/notation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace deltaflow::report {

namespace {

constexpr double margin = 24, headroom = 66, between = 22, most_width = 880, most_height = 320;

constexpr std::string_view style = R"(<style>
  .stage { fill: none; stroke: #d8dee4; } .solid-shape { stroke: #1f2328; stroke-width: 1.3; } .thin { fill: none; stroke-width: 1.8; stroke-linejoin: round; }
  .ground { stroke: #57606a; stroke-width: 1.6; fill: none; } .hatch { stroke: #57606a; stroke-width: 0.8; fill: none; }
  .c-blue { fill: #54aeff; stroke: #0969da; } .c-orange { fill: #fb8f44; stroke: #bc4c00; } .c-green { fill: #4ac26b; stroke: #1a7f37; }
  .c-purple { fill: #c297ff; stroke: #8250df; } .c-red { fill: #ff8182; stroke: #cf222e; } .c-grey { fill: #d0d7de; stroke: #57606a; } .thin { fill: none !important; }
  @media screen and (prefers-color-scheme: dark) { .stage { stroke: #262c36; } .ground, .hatch { stroke: #9198a1; } .c-grey { fill: #3d444d; stroke: #9198a1; } }
</style>
)";

// One shape with its numbers.
struct Placed {
    const AnimatedShape* shape;
    std::vector<std::pair<std::string, double>> values;
    double operator()(const std::string& key, double otherwise = 0) const {
        for (const auto& [name, value] : values)
            if (name == key) return value;
        return otherwise;
    }
};

std::vector<Placed> placed(const Animation& animation, const AnimationFrame& frame) {
    std::vector<Placed> all;
    std::size_t next = 0;
    for (const AnimatedShape& shape : animation.shapes) {
        Placed& here = all.emplace_back(Placed{&shape, {}});
        for (const ShapeValue& value : shape.values)
            here.values.emplace_back(value.key, value.block.empty() ? value.number : frame.values[next++]);
    }
    return all;
}

struct Extent {
    double left = HUGE_VAL, bottom = HUGE_VAL, right = -HUGE_VAL, upper = -HUGE_VAL;
    void include(double x, double y, double around = 0) {
        if (!std::isfinite(x + y + around)) return;
        left = std::min(left, x - around);
        right = std::max(right, x + around);
        bottom = std::min(bottom, y - around);
        upper = std::max(upper, y + around);
    }
    void include(const Placed& p) {
        const std::string& kind = p.shape->kind;
        if (kind == "ball") return include(p("x"), p("y"), std::abs(p("size", 0.5)));
        if (kind == "box") return include(p("x"), p("y"), std::hypot(p("width", 1), p("height", 0.6)) / 2);
        if (kind == "ground") return include_height(p("y"));
        if (kind == "wall") return include_width(p("x"));
        include(p("x"), p("y"));
        if (kind == "line" || kind == "spring") include(p("x2", 1), p("y2"));
    }
    void include_height(double y) {
        if (std::isfinite(y)) bottom = std::min(bottom, y), upper = std::max(upper, y);
    }
    void include_width(double x) {
        if (std::isfinite(x)) left = std::min(left, x), right = std::max(right, x);
    }
};

Extent extent_of(const Animation& animation, const std::vector<AnimationFrame>& frames) {
    Extent extent;
    for (const AnimationFrame& frame : frames)
        for (const Placed& p : placed(animation, frame)) extent.include(p);
    if (!(extent.left <= extent.right)) extent.include_width(0);
    if (!(extent.bottom <= extent.upper)) extent.include_height(0);
    const double size = std::max({extent.right - extent.left, extent.upper - extent.bottom, 1e-9});
    // A column of a tenth at least, and some air around.
    const double across = std::max(0.06 * size, (0.3 * size - (extent.right - extent.left)) / 2);
    const double up = std::max(0.06 * size, (0.2 * size - (extent.upper - extent.bottom)) / 2);
    return {extent.left - across, extent.bottom - up, extent.right + across, extent.upper + up};
}

// A stage on the page.
class Stage {
public:
    Stage(Output& out, const Extent& extent, double left, double upper, double scale)
        : out_(out), extent_(extent), left_(left), upper_(upper), scale_(scale) {}

    void draw(const Placed& p) {
        for (const auto& value : p.values)
            if (!std::isfinite(value.second)) return;
        const std::string& kind = p.shape->kind;
        if (kind == "ball")
            out_.print("<circle class=\"solid-shape {}\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\"/>\n",
                       colour(p, "blue"), x(p("x")), y(p("y")),
                       std::max(1.0, scale_ * std::abs(p("size", 0.5))));
        else if (kind == "box")
            draw_box(p);
        else if (kind == "line")
            line(out_, "thin " + colour(p, "grey"), x(p("x")), y(p("y")), x(p("x2", 1)), y(p("y2")));
        else if (kind == "spring")
            draw_spring(p);
        else if (kind == "ground")
            draw_ground(x(extent_.left), y(p("y")), x(extent_.right), y(p("y")));
        else if (kind == "wall")
            draw_wall(p("x"));
        else
            text(out_, "middle halo", x(p("x")), y(p("y")) + 4.5,
                 fmt::format("{} = {}", p.shape->name, number_text(p("value"))));
    }

private:
    double x(double units) const { return left_ + scale_ * (units - extent_.left); }
    double y(double units) const { return upper_ + scale_ * (extent_.upper - units); }
    static std::string colour(const Placed&, std::string_view usual) { return "c-" + std::string(usual); }

    void draw_box(const Placed& p) {
        const double width = scale_ * std::abs(p("width", 1)), height = scale_ * std::abs(p("height", 0.6));
        out_.print(
            "<rect class=\"solid-shape {}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" "
            "transform=\"translate({:.2f} {:.2f}) rotate({:.3f})\"/>\n",
            colour(p, "blue"), -width / 2, -height / 2, width, height, x(p("x")), y(p("y")),
            -p("angle") * 180 / std::numbers::pi);
    }

    // Eight turns between straight ends.
    void draw_spring(const Placed& p) {
        const double x1 = x(p("x")), y1 = y(p("y")), x2 = x(p("x2", 1)), y2 = y(p("y2"));
        const double length = std::max(std::hypot(x2 - x1, y2 - y1), 1e-6), dx = (x2 - x1) / length,
                     dy = (y2 - y1) / length;
        constexpr double half = 6;
        std::vector<PagePoint> points{{x1, y1}};
        constexpr int turns = 16;
        for (int i = 0; i <= turns; ++i) {
            const double along = length * (0.12 + 0.76 * i / turns), across = i == 0 || i == turns ? 0
                                                                              : i % 2              ? half
                                                                                                   : -half;
            points.push_back({x1 + along * dx - across * dy, y1 + along * dy + across * dx});
        }
        points.push_back({x2, y2});
        path(out_, "thin " + colour(p, "grey"), points);
    }

    // A wall on the left has its inside on the right.
    void draw_wall(double at) {
        const bool on_left = at < (extent_.left + extent_.right) / 2;
        const double low = y(extent_.bottom), high = y(extent_.upper);
        draw_ground(x(at), on_left ? high : low, x(at), on_left ? low : high);
    }

    // Hatched on the right of the way from the first point to the second.
    void draw_ground(double x1, double y1, double x2, double y2) {
        const double length = std::max(std::hypot(x2 - x1, y2 - y1), 1e-6), dx = (x2 - x1) / length,
                     dy = (y2 - y1) / length;
        line(out_, "ground", x1, y1, x2, y2);
        out_.write("<path class=\"hatch\" d=\"");
        for (double s = 6; s < length; s += 8)
            out_.print("M{:.2f} {:.2f}l{:.2f} {:.2f}", x1 + s * dx, y1 + s * dy, -6 * dx - 6 * dy,
                       -6 * dy + 6 * dx);
        out_.write("\"/>\n");
    }

    Output& out_;
    const Extent& extent_;
    double left_, upper_, scale_;
};

}  // namespace

void write_svg(const std::string& title, const Animation& animation,
               const std::vector<AnimationFrame>& frames, Output& out) {
    const Extent extent = extent_of(animation, frames);
    const double wide = extent.right - extent.left, tall = extent.upper - extent.bottom;
    const auto count = static_cast<double>(frames.size());
    const double scale = std::min((most_width - between * (count - 1)) / (count * wide), most_height / tall);
    const double width = scale * wide, height = scale * tall;
    const double page = std::max(2 * margin + count * width + between * (count - 1), 260.0);
    open_page(out, title, std::ceil(page), std::ceil(headroom + height + margin), margin);
    out.write(style);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const double left = margin + static_cast<double>(i) * (width + between);
        out.print("<rect class=\"stage\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"/>\n",
                  left, headroom, width, height);
        text(out, "small", left, headroom - 8,
             fitted("t = " + number_text(frames[i].t), std::max(width, 60.0), 12));
        Stage stage(out, extent, left, headroom, scale);
        for (const Placed& p : placed(animation, frames[i])) stage.draw(p);
    }
    out.write("</svg>\n");
}

}  // namespace deltaflow::report
