// A picture of a model as SVG.
#pragma once

#include "report/scheme/layout.hpp"
#include "report/text/output.hpp"

namespace deltaflow::report::scheme {

void write_svg(const Picture& picture, const Layout& layout, Output& out);

}  // namespace deltaflow::report::scheme
