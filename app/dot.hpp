// The program dot of Graphviz.
#pragma once

#include <string>

namespace deltaflow::app {

// What `dot -Tjson0` answers to a graph. Throws OutputError if there is no dot, or it gives up.
std::string run_dot(const std::string& graph);

}  // namespace deltaflow::app
