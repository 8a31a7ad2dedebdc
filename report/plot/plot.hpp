// Traces drawn in the terminal.
#pragma once

#include "app/files.hpp"
#include "app/terminal.hpp"
#include "report/plot/picture.hpp"

namespace deltaflow::app {

// Points across the terminal: what a picture is made for.
std::size_t plot_columns(const Terminal& terminal);

// As an SVG, with characters: curves of dots with gaps at jumps, impulses as arrows with their coefficients.
void write_plot(const Picture& picture, const Terminal& terminal, Output& output);

}  // namespace deltaflow::app
