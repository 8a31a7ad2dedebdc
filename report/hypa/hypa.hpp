// A hybrid bond graph as constitutive hybrid processes, in the notation of 002 (Cuijpers, Broenink,
// Mosterman).
#pragma once

#include "bonds/graph.hpp"

#include <functional>
#include <string>

namespace deltaflow::bonds {

struct HypaOptions {
    bool latex = false;
    std::uint64_t most_modes = 16;  // with more the composed process is not written out
    // Names of blocks change at instants, other names that are no signals of the graph are parameters.
    std::function<bool(const std::string&)> is_block;
};

// One process for each bond, element and automaton, their parallel composition, and the process that comes of
// it. Elements need parameter_text and law_text, guards their text.
std::string hybrid_processes(const Graph& graph, const std::string& title, const HypaOptions& options = {});

}  // namespace deltaflow::bonds
