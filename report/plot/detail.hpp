// A trace with as many samples as a picture can show.
#pragma once

#include "engine/simulate.hpp"

namespace deltaflow::report {

// The run again, sampled for a page `columns` wide and at every event, so that corners are where they are. A
// run that would take long a second time, or need much room, is drawn as it was recorded.
Trace detailed(const FlatModel& model, const Trace& trace, std::size_t columns, const RunControl& control);

}  // namespace deltaflow::report
