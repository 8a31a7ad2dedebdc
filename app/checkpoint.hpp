// Files from which a run can go on.
#pragma once

#include "deltaflow/trace.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace deltaflow::app {

struct Checkpoint {
    std::vector<std::byte> state;
    bool whole = false;  // the trace so far has all samples and events, and not only those of a summary
    Trace trace;
};

// Of the trace no copy is made: there may be no room for one. Throws OutputError.
void write_checkpoint(const std::string& path, std::vector<std::byte> state, bool whole, const Trace& trace);
// Throws ModelError (file, or option for a file that is no checkpoint).
Checkpoint read_checkpoint(const std::string& path);

}  // namespace deltaflow::app
