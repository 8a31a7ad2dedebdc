// Traces as pictures.
#pragma once

#include "report/plot/picture.hpp"
#include "report/text/output.hpp"

namespace deltaflow::report {

// Points across the page: what a picture is sampled for.
constexpr std::size_t svg_columns = 600;

// A panel below a panel: jumps are gaps, impulses are arrows on a scale of their own, events are thin lines.
void write_svg(const Picture& picture, Output& output);

}  // namespace deltaflow::report
