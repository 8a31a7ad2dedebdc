// `deltaflow hypa`: a bond graph as constitutive hybrid processes.
#include "report/hypa/hypa.hpp"
#include "app/commands/commands.hpp"
#include "app/files.hpp"

#include <set>

namespace deltaflow::app {

namespace {

std::set<std::string> names_of_nodes(const Model& model) {
    std::set<std::string> names;
    for (NodeId n = 0; n < model.diagram.nodes.size(); ++n) names.insert(model.naming->name(n));
    return names;
}

}  // namespace

int hypa(const HypaOptions& options) {
    const Model model = load_model(options.model, options.load);
    if (model.graph.empty())
        throw ModelError(ErrorKind::model, model.sources,
                         {Diagnostic{{}, "this model has no [elements]: hypa prints bond graphs", {}}});
    const std::set<std::string> names = names_of_nodes(model);
    const auto is_block = [&](const std::string& name) { return names.count(name) > 0; };
    const std::string text =
        bonds::hybrid_processes(model.graph, model.name, {options.latex, options.most_modes, is_block});
    write_file("-", [&](Output& output) { output.write(text); });
    return 0;
}

}  // namespace deltaflow::app
