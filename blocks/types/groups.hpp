// The groups of the catalogue, one file each.
#pragma once

#include "blocks/catalogue.hpp"

#include <vector>

namespace deltaflow {

std::vector<BlockType> source_blocks();      // sources.cpp
std::vector<BlockType> arithmetic_blocks();  // arithmetic.cpp
std::vector<BlockType> function_blocks();    // functions.cpp
std::vector<BlockType> dynamic_blocks();     // dynamics.cpp
std::vector<BlockType> decision_blocks();    // decisions.cpp
std::vector<BlockType> discrete_blocks();    // discrete.cpp
std::vector<BlockType> memory_blocks();      // memory.cpp
std::vector<BlockType> step_blocks();        // steps.cpp

// The one input that most blocks have, and the list that some have.
inline std::vector<Port> single_input() { return {{.name = "in"}}; }
inline std::vector<Port> condition_input() { return {{.name = "in", .condition = true}}; }
inline std::vector<Port> input_list(int at_least = 1) {
    return {{.name = "in", .many = true, .at_least = at_least}};
}

}  // namespace deltaflow
