// What of a model can be printed as hybrid processes.
#include "report/hypa/hypa.hpp"
#include "report/hypa/ideal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace deltaflow::report {

using bonds::Element;

std::string hybrid_processes(const FlatModel& model, bool latex, std::uint64_t most_modes) {
    if (model.graph.empty())
        throw ModelError(ErrorKind::model, model.sources,
                         {Diagnostic{{}, "this model has no [elements]: hypa prints bond graphs", {}}});
    for (const Element& e : model.graph.elements)
        if (e.law_of_effort)
            throw ModelError(
                ErrorKind::model, model.sources,
                {Diagnostic{
                    e.place, fmt::format("\"{}\" has a law of e; hypa prints those of f", e.name), {}}});
    std::set<std::string> blocks;
    for (NodeId n = 0; n < model.diagram.nodes.size(); ++n) blocks.insert(model.naming->name(n));
    const auto is_block = [&](const std::string& name) { return blocks.count(name) > 0; };
    const auto is_ideal = [](const Element& e) { return e.is_ideal(); };
    HypaOptions options{latex, most_modes, is_block};
    if (std::none_of(model.graph.elements.begin(), model.graph.elements.end(), is_ideal))
        return hybrid_processes(model.graph, model.name, options);
    options.written = hypa::written_of(model);
    return hybrid_processes(hypa::without_ideal_automata(model.graph), model.name, options);
}

}  // namespace deltaflow::report
