// A hybrid bond graph as constitutive hybrid processes, in the notation of 002 (Cuijpers, Broenink,
// Mosterman).
#pragma once

#include "engine/model/model.hpp"

#include <functional>
#include <map>
#include <string>

namespace deltaflow::report {

struct HypaOptions {
    bool latex = false;
    std::uint64_t most_modes = 16;  // with more the composed process is not written out
    // Names of blocks change at instants, other names that are no signals of the graph are parameters.
    std::function<bool(const std::string&)> is_block;
    // What was written of ideal elements, by name and key.
    std::map<std::string, std::map<std::string, std::string>> written = {};
};

// One process for each bond, element and automaton, their parallel composition, and the process that comes of
// it. Elements need parameter_text and law_text, guards their text; ideal elements have no automata here.
std::string hybrid_processes(const bonds::Graph& graph, const std::string& title,
                             const HypaOptions& options = {});

// Throws ModelError where the model has no bond graph.
std::string hybrid_processes(const FlatModel& model, bool latex, std::uint64_t most_modes = 16);

}  // namespace deltaflow::report
