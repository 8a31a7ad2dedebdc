// How much room words and boxes need.
#include "report/scheme/size.hpp"

#include "report/text/glyphs.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow::report::scheme {

namespace {

double widest(const std::vector<std::string>& names) {
    double width = 0;
    for (const std::string& name : names) width = std::max(width, text_width(name, label_size));
    return width > 0 ? width + 10 : 0;
}

// Space on either side of the words, and above and below them.
Size margin_of(Shape shape) {
    switch (shape) {
        case Shape::junction:
        case Shape::element:
        case Shape::terminal:
            return {9, 3};
        default:
            return {11, 6};
    }
}

}  // namespace

double badge_width(const std::string& order) { return std::max(15.0, text_width(order, label_size) + 8); }

std::size_t line_count(const Box& box) {
    return box.lines.size() + (box.dependent ? 1 : 0) + (box.loop > 0 ? 1 : 0);
}

Size port_widths(const Box& box) { return {widest(box.inputs), widest(box.outputs)}; }

double sign_room(const Box& box) { return box.letters.empty() && box.drawn.empty() ? 0 : 21; }

Size size_of(const Box& box) {
    double width = text_width(box.title, title_size) * bold_width;
    if (!box.order.empty()) width += 2 * badge_width(box.order) - 6;
    for (const std::string& line : box.lines) width = std::max(width, text_width(line, line_size));
    if (box.dependent) width = std::max(width, text_width("derivative causality", label_size));
    if (box.loop > 0) width = std::max(width, text_width(loop_text(box), label_size) * bold_width);
    const Size space = margin_of(box.shape);
    const Size ports = port_widths(box);
    const auto lines = static_cast<double>(line_count(box));
    const double inside = 2 * space.height + title_room + lines * line_room + sign_room(box);
    if (sign_room(box) > 0) {
        const double sign =
            box.letters.empty() ? 28 : text_width(box.letters, box.letters.size() > 3 ? 13 : 19);
        const double beside =
            box.order.empty() || box.frame == Frame::circle ? 0 : 2 * badge_width(box.order) - 8;
        width = std::max(width, sign + beside);
    }
    if (box.frame == Frame::circle) {
        const double across = std::max(std::hypot(width, inside - 8) + 4, 46.0);
        return {across, across};
    }
    if (box.frame == Frame::triangle) return {1.5 * (width + 12), 1.9 * (inside - 4)};
    const auto rows = static_cast<double>(std::max(box.inputs.size(), box.outputs.size()));
    return {width + 2 * space.width + ports.width + ports.height, std::max(inside, rows * 16 + 6)};
}

}  // namespace deltaflow::report::scheme
