// Traces drawn in the terminal.
#pragma once

#include "report/plot/picture.hpp"
#include "report/text/output.hpp"

namespace deltaflow::report {

// What it can show.
struct Terminal {
    std::size_t columns = 80;
    bool unicode = false, colour = false;
};

// Points across the terminal: what a picture is made for.
std::size_t plot_columns(const Terminal& terminal);

// As an SVG, with characters: curves of dots with gaps at jumps, impulses as arrows with their coefficients.
void write_plot(const Picture& picture, const Terminal& terminal, Output& output);

}  // namespace deltaflow::report
