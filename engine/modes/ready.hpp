// Islands of a model, ready to run: each with its system, or with one for each mode.
#pragma once

#include "engine/modes/modes.hpp"

#include <memory>
#include <vector>

namespace deltaflow {

struct ReadyIsland {
    std::shared_ptr<const System> system;  // if it has no modes
    std::unique_ptr<ModeSystems> modes;
    std::vector<std::uint32_t> elements, automata;  // of its graph -> of the whole graph

    const System& first() { return modes ? modes->of(bonds::initial_mode(modes->graph())) : *system; }
};

// `systems`: what was compiled of it before, if it has no modes. Throws ModelError. The model must stay.
std::vector<ReadyIsland> ready_islands(const FlatModel& model, const Settings& settings,
                                       std::shared_ptr<const std::vector<System>> systems = {});

}  // namespace deltaflow
