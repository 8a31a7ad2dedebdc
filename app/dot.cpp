// Runs dot.
#include "app/dot.hpp"

#include "app/files.hpp"
#include "app/process.hpp"

namespace deltaflow::app {

std::string run_dot(const std::string& graph) {
    auto answer = answer_of({"dot", "-Tjson0"}, graph, "draw less with --most N, or use --dot FILE");
    if (!answer)
        throw OutputError(
            "a picture needs the program dot of Graphviz, which was not found; install it (apt install "
            "graphviz), or use --dot FILE, which works without");
    if (!answer->good)
        throw OutputError("dot could not draw this picture; --dot FILE writes what it was given");
    return std::move(answer->text);
}

}  // namespace deltaflow::app
