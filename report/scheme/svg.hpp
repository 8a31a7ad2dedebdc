// A picture of a model as SVG.
#pragma once

#include "app/files.hpp"
#include "report/scheme/layout.hpp"

namespace deltaflow::app::scheme {

void write_svg(const Picture& picture, const Layout& layout, Output& out);

}  // namespace deltaflow::app::scheme
