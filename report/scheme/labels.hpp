// Where the words beside lines stand: clear of each other and of boxes, where there is room.
#pragma once

#include "report/scheme/layout.hpp"

#include <optional>
#include <string>
#include <vector>

namespace deltaflow::report::scheme {

struct Label {
    const Curve* curve;
    std::string words;
    std::optional<Point> middle = {};  // nothing: it has no words, or no place
};

// Of links, then of bonds: where the layouter wanted each, or else somewhere beside its line.
std::vector<Label> labels_of(const Picture& picture, const Layout& layout);

}  // namespace deltaflow::report::scheme
