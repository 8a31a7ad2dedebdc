// Lines that a layout has put, put better: bonds straight, and what comes back round the outside.
#pragma once

#include "report/scheme/layout.hpp"

namespace deltaflow::report::scheme {

// Bonds become straight where nothing stands in the way.
void straighten_bonds(const Picture& picture, Layout& layout);

// Signals that go against the direction of the picture come back below it (on the right of one that goes
// down), each in a lane of its own. The layout grows by the lanes.
void route_feedback(const Picture& picture, Layout& layout, Direction direction);

// Does a line touch a box that is none of its ends?
bool crosses_box(const Layout& layout, const Curve& curve, std::uint32_t from, std::uint32_t to);

}  // namespace deltaflow::report::scheme
