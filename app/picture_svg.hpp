// A picture of a model as SVG.
#pragma once

#include "app/layout.hpp"
#include "app/output.hpp"

namespace deltaflow::app {

void write_svg(const Picture& picture, const Layout& layout, Output& out);

}  // namespace deltaflow::app
