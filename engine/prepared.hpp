// A model made ready for runs: with options, all blocks asked for, and compiled. Nobody changes it: threads
// may share it.
#pragma once

#include "deltaflow/model.hpp"
#include "engine/compile/alike.hpp"
#include "engine/simulate.hpp"

#include <memory>
#include <vector>

namespace deltaflow {

using Systems = std::shared_ptr<const std::vector<System>>;

struct Prepared {
    FlatModel model;          // whose record has everything that is computed
    std::size_t shown = 0;    // of the record
    Systems systems = {};     // none: they are compiled by the run, one by one where modes change
    Facts facts = {};         // of the numbers it was compiled with
    bool can_rebind = false;  // the same programs serve other numbers with these facts
};

// Throws ModelError.
Prepared prepare(FlatModel model);
// The same, with the programs of `like` where the model differs from it in numbers alone.
Prepared prepare(FlatModel model, const Prepared& like);
// Does a model differ from what was prepared in numbers alone? Then it is asked for the same blocks, and can
// be bound to the programs. Throws where settings are wrong.
bool is_alike(FlatModel& model, const Prepared& like);
// The same in the place of what was prepared before; nothing is copied if nobody else has its programs.
void prepare_again(Prepared& prepared, FlatModel model);
void run(const Prepared& prepared, Sink& sink, const RunControl& control);

}  // namespace deltaflow
