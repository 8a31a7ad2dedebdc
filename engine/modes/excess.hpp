// Guards that look at the effort or flow of the very switch that their automaton controls.
//
// In a mode that contradicts itself that effort or flow is infinite: a thyristor whose loop is shorted by the
// next one carries an endless current backwards, and its guard, current < 0, holds.
#pragma once

#include "blocks/diagram.hpp"
#include "bonds/graph.hpp"

namespace deltaflow {

// Lets such guards read the excess of their switches. The nodes of the graph are those of the diagram.
void read_excess(bonds::Graph& g, const Diagram& d);

}  // namespace deltaflow
