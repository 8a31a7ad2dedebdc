// What the terminal that standard output goes to can show.
#pragma once

#include "report/plot/plot.hpp"

namespace deltaflow::app {

// Width: of the terminal, else COLUMNS, else 80. Letters beyond ASCII: if the locale (LC_ALL, LC_CTYPE, LANG)
// is UTF-8. Colour: on a terminal, unless NO_COLOR is set.
report::Terminal terminal();

}  // namespace deltaflow::app
