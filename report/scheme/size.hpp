// How much room words and boxes need, in points; a guess that suits common sans serif letters.
#pragma once

#include "report/scheme/scheme.hpp"

namespace deltaflow::report::scheme {

inline constexpr double title_size = 13, line_size = 11, label_size = 10;
inline constexpr double title_room = 17, line_room = 14;

struct Size {
    double width = 0, height = 0;
};
Size size_of(const Box& box);
// Lines below the title: what the box says, its causality, its loop.
std::size_t line_count(const Box& box);
double badge_width(const std::string& order);
// The sign above the title.
double sign_room(const Box& box);
// Of the columns of ports on the left and on the right.
Size port_widths(const Box& box);

}  // namespace deltaflow::report::scheme
