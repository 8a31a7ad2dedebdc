// What goes wrong while a model runs, before it is put into words.
#pragma once

#include "blocks/diagram.hpp"
#include "deltaflow/choices.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace deltaflow {

// Thrown inside the engine; `simulate` turns it into a RunError with time, names and places.
struct RunFailure {
    ErrorKind kind;
    NodeId node = no_node;                // the block at which it happened
    std::string what = {};                // "delta times delta is not defined"
    std::string advice = {};              // what to do
    std::vector<NodeId> loop = {};        // the loop concerned, if any
    bool show_inputs = false;             // print the germs of the block's inputs
    std::vector<std::string> notes = {};  // more to say
    double t = HUGE_VAL;                  // when, if not at the island's present time
    std::vector<double> inputs = {};      // their values then, if no instant tells them
};

}  // namespace deltaflow
