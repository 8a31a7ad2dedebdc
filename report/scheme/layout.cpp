// Reads positions as Graphviz writes them (json0).
#include "report/scheme/layout.hpp"

#include "report/scheme/route.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace deltaflow::report::scheme {

namespace {

using Json = nlohmann::json;

// "12.5,7 ..." as numbers.
std::vector<double> numbers(std::string text) {
    for (char& c : text)
        if (c == ',') c = ' ';
    std::istringstream stream(text);
    stream.imbue(std::locale::classic());
    std::vector<double> result;
    for (double x = 0; stream >> x;) result.push_back(x);
    return result;
}

class Reader {
public:
    explicit Reader(const Picture& picture) : picture_(picture) {
        layout_.boxes.resize(picture.boxes.size());
        layout_.groups.resize(picture.groups.size());
        layout_.links.resize(picture.links.size());
        layout_.bonds.resize(picture.bonds.size());
    }

    Layout read(const Json& graph) {
        const std::vector<double> frame = numbers(graph.at("bb").get<std::string>());
        layout_.width = frame.at(2);
        layout_.height = frame.at(3);
        if (graph.contains("objects"))
            for (const Json& object : graph.at("objects")) read_object(object);
        if (graph.contains("edges"))
            for (const Json& edge : graph.at("edges"))
                if (edge.contains("id")) read_edge(edge);
        return std::move(layout_);
    }

private:
    // y grows upwards there.
    Point point(double x, double y) const { return {x, layout_.height - y}; }

    void read_object(const Json& object) {
        const std::string name = object.at("name").get<std::string>();
        if (name.rfind("cluster_", 0) == 0) {
            const std::vector<double> bb = numbers(object.at("bb").get<std::string>());
            const Point middle = point((bb.at(0) + bb.at(2)) / 2, (bb.at(1) + bb.at(3)) / 2);
            layout_.groups.at(std::stoul(name.substr(8))) = {middle.x, middle.y, bb[2] - bb[0],
                                                             bb[3] - bb[1]};
        } else if (name[0] == 'n' && object.contains("pos")) {
            const std::vector<double> at = numbers(object.at("pos").get<std::string>());
            const Point middle = point(at.at(0), at.at(1));
            layout_.boxes.at(std::stoul(name.substr(1))) = {middle.x, middle.y, 72 * inches(object, "width"),
                                                            72 * inches(object, "height")};
        }
    }

    static double inches(const Json& object, const char* key) {
        return numbers(object.at(key).get<std::string>()).at(0);
    }

    // "s,x,y e,x,y x,y x,y ...": the tips of arrows come first.
    void read_edge(const Json& edge) {
        const std::string id = edge.at("id").get<std::string>();
        const std::size_t index = std::stoul(id.substr(4));
        const bool is_link = id[0] == 'l';
        Curve& curve = is_link ? layout_.links.at(index) : layout_.bonds.at(index);
        std::optional<Point> start, end;
        std::istringstream stream(edge.at("pos").get<std::string>());
        for (std::string word; stream >> word;) {
            const bool tip = word[0] == 's' || word[0] == 'e';
            const std::vector<double> at = numbers(tip ? word.substr(2) : word);
            const Point here = point(at.at(0), at.at(1));
            if (tip)
                (word[0] == 's' ? start : end) = here;
            else
                curve.points.push_back(here);
        }
        if (start) curve.points.front() = *start;
        if (end) curve.points.back() = *end;
        const auto turn = [&](const auto& drawn) { orient(curve, drawn.from, drawn.to); };
        if (is_link)
            turn(picture_.links[index]);
        else
            turn(picture_.bonds[index]);
        if (!edge.contains("lp")) return;
        const std::vector<double> at = numbers(edge.at("lp").get<std::string>());
        curve.label = point(at.at(0), at.at(1));
    }

    // Some lines are told backwards; a curve goes from its box to its box.
    void orient(Curve& curve, std::uint32_t from, std::uint32_t to) const {
        if (from == to || curve.points.empty()) return;
        const Point first = curve.points.front(), last = curve.points.back();
        const double ahead = distance(first, layout_.boxes[from]) + distance(last, layout_.boxes[to]);
        const double back = distance(last, layout_.boxes[from]) + distance(first, layout_.boxes[to]);
        if (back < ahead) std::reverse(curve.points.begin(), curve.points.end());
    }

    static double distance(Point p, const Area& a) {
        return std::hypot(std::max(0.0, std::abs(p.x - a.x) - a.width / 2),
                          std::max(0.0, std::abs(p.y - a.y) - a.height / 2));
    }

    const Picture& picture_;
    Layout layout_;
};

// Wider pictures have letters too small to be read where a page is 600 pixels wide.
constexpr double very_wide = 860;

Layout lay_out(const Picture& picture, Direction direction, const Layouter& place) {
    const std::string text = place(dot_text(picture, direction));
    try {
        return Reader(picture).read(Json::parse(text));
    } catch (const std::exception& error) {
        throw LayoutError(fmt::format("the answer of dot cannot be read: {}", error.what()));
    }
}

}  // namespace

Layout lay_out(const Picture& picture, const Layouter& place) {
    const auto finished = [&](Layout layout, Direction direction) {
        straighten_bonds(picture, layout);
        route_feedback(picture, layout, direction);
        return layout;
    };
    Layout right = lay_out(picture, Direction::rightwards, place);
    if (right.width <= very_wide) return finished(std::move(right), Direction::rightwards);
    Layout down = lay_out(picture, Direction::downwards, place);
    return down.width < 0.8 * right.width ? finished(std::move(down), Direction::downwards)
                                          : finished(std::move(right), Direction::rightwards);
}

}  // namespace deltaflow::report::scheme
