// A model made ready for runs: with options, all blocks asked for, and compiled. Nobody changes it: threads
// may share it.
#pragma once

#include "deltaflow/model.hpp"
#include "engine/compile/system.hpp"
#include "engine/simulate.hpp"

#include <memory>
#include <vector>

namespace deltaflow {

using Systems = std::shared_ptr<const std::vector<System>>;

struct Prepared {
    FlatModel model;    // whose record has everything that is computed
    std::size_t shown;  // of the record
    Systems systems;    // none: they are compiled by the run, one by one where modes change
};

// Throws ModelError.
Prepared prepare(const FlatModel& model);
void run(const Prepared& prepared, Sink& sink, const RunControl& control);

}  // namespace deltaflow
