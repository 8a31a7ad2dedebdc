// States of the same quantity: those of one name in the instances of an array.
#pragma once

#include "engine/compile/system.hpp"

namespace deltaflow {

// Numbers the families of the states, where sizes are measured by them (`absolute`); else it leaves none.
void find_families(System& s, const FlatModel& model, const Settings& settings);

}  // namespace deltaflow
