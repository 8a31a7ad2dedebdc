// The first place of a label that touches nothing, from the one wanted to the ends of its line.
#include "report/scheme/labels.hpp"

#include "report/scheme/size.hpp"
#include "report/scheme/strokes.hpp"
#include "report/text/glyphs.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow::report::scheme {

namespace {

constexpr double height = 11;

Area area_of(Point middle, const std::string& words) {
    return {middle.x, middle.y, 1.16 * text_width(words, label_size), height};
}

double overlap(const Area& a, const Area& b) {
    const double x = (a.width + b.width) / 2 - std::abs(a.x - b.x);
    const double y = (a.height + b.height) / 2 - std::abs(a.y - b.y);
    return x > 0 && y > 0 ? x * y : 0;
}

double overlap(const Area& a, const std::vector<Area>& others) {
    double sum = 0;
    for (const Area& other : others) sum += overlap(a, other);
    return sum;
}

// Beside points of the line, on either side of each.
std::vector<Point> places(const Curve& curve, const std::string& words) {
    std::vector<Point> all{beside(curve, words)};
    const std::size_t pieces = (curve.points.size() - 1) / 3;
    for (const double at : {0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8}) {
        const double where = at * static_cast<double>(pieces);
        const auto piece = static_cast<std::size_t>(where);
        const double t = where - static_cast<double>(piece);
        const Point p = on_curve(curve, piece, t);
        const Heading along = arrival({p, on_curve(curve, piece, t + 0.1)});
        for (const double side : {1, -1}) {
            Curve wanted = curve;
            wanted.label = moved(p, along, 0, side);
            all.push_back(beside(wanted, words));
        }
    }
    return all;
}

void place_labels(std::vector<Label>& labels, std::vector<Area> taken) {
    for (Label& label : labels) {
        if (!label.curve->label || label.words.empty() || label.curve->points.size() < 4) continue;
        double least = HUGE_VAL;
        for (const Point& place : places(*label.curve, label.words)) {
            const double covered = overlap(area_of(place, label.words), taken);
            if (covered >= least) continue;
            least = covered;
            label.middle = place;
            if (covered == 0) break;
        }
        taken.push_back(area_of(*label.middle, label.words));
    }
}

}  // namespace

std::vector<Label> labels_of(const Picture& picture, const Layout& layout) {
    std::vector<Label> labels;
    for (std::size_t i = 0; i < picture.links.size(); ++i) {
        const Link& link = picture.links[i];
        labels.push_back(
            {&layout.links[i], link.control || !link.told ? "" : regularity_text(link.regularity)});
    }
    for (std::size_t i = 0; i < picture.bonds.size(); ++i)
        labels.push_back({&layout.bonds[i], bond_text(picture.bonds[i])});
    place_labels(labels, layout.boxes);
    return labels;
}

}  // namespace deltaflow::report::scheme
