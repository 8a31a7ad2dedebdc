// Parts of a network that nothing joins to ground, once all diagrams are laid out.
#pragma once

#include "engine/front/flatten/flatten.hpp"

namespace deltaflow::front {

// Where all efforts of some 0-junctions may grow by the same and no element feels it, a source holds their
// mean at zero. (What stands in one table is held where it is read, network.hpp; this is for what diagrams
// and bonds make of several.)
void hold_floating(Flat& flat);

}  // namespace deltaflow::front
