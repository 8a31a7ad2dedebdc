// Compiles islands, or shares those that are compiled.
#include "engine/modes/ready.hpp"

namespace deltaflow {

namespace {

ReadyIsland ready(const FlatModel& model, const Settings& settings, CutIsland island) {
    ReadyIsland result;
    if (island.has_modes()) {
        result.modes = std::make_unique<ModeSystems>(model, settings, island);
        result.elements = std::move(island.elements);
        result.automata = std::move(island.automata);
        return result;
    }
    result.system = std::make_shared<const System>(compile_island(model, settings, std::move(island)));
    refuse_derivative_of_pre(model, {result.system.get(), 1});
    return result;
}

}  // namespace

std::vector<ReadyIsland> ready_islands(const FlatModel& model, const Settings& settings,
                                       std::shared_ptr<const std::vector<System>> systems) {
    std::vector<ReadyIsland> all;
    if (has_modes(model.graph)) {
        for_each_island(model, settings.simultaneous,
                        [&](CutIsland island) { all.push_back(ready(model, settings, std::move(island))); });
        return all;
    }
    if (!systems) systems = std::make_shared<const std::vector<System>>(compile_model(model, settings));
    all.resize(systems->size());
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i].system = std::shared_ptr<const System>(systems, &(*systems)[i]);
    return all;
}

}  // namespace deltaflow
