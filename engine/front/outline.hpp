// The model as its author wrote it: blocks, instances, elements, automata, and what each of them reads.
#pragma once

#include "engine/model/model.hpp"

#include <string>
#include <vector>

namespace deltaflow {

// A signal that a formula reads.
struct OutlineRead {
    std::uint32_t input = 0;  // of the reader: index into its inputs
    std::string name;         // as in the diagram that it stands in, indices worked out: "stage[3].x"
    bool plain = false;       // it is all of the formula
    NodeId node = no_node;    // what carries it
};

struct OutlineInput {
    std::string name;  // of the port; empty for an expression
    std::string text;  // the formula
};

struct OutlineOutput {
    std::string
        name;  // "x" of an instance, "[0]" of state_space, "effort" of an element; empty: the only one
    NodeId node = no_node;
};

struct OutlineDiagram;

// What one line of a model file declares.
struct OutlinePart {
    enum class Kind : std::uint8_t { expression, block, instance, element, automaton };
    Kind kind = Kind::expression;
    std::string name;      // inside its diagram
    std::string type;      // "integrator", "oscillator", "MSe"; empty for an expression
    std::string settings;  // what else was written: "initial = 10"
    std::vector<OutlineInput> inputs;
    std::vector<OutlineOutput> outputs;
    std::vector<OutlineRead> reads;
    std::uint64_t count = 0;             // of an array; 0: it is none
    std::vector<OutlineDiagram> inside;  // of an instance: those of its copies that are told of, at least one
    bool open = false;                   // and what is inside them is told, too
};

// The inside of an instance, or of the model itself.
struct OutlineDiagram {
    std::string path;                  // "balls[3]"; empty for the model
    NodeId first_node = 0, nodes = 0;  // its nodes in the flat diagram
    std::vector<std::string> inputs;   // names
    std::vector<std::string> outputs;  // names of parts
    std::vector<OutlineRead> feeds;    // what its inputs read, outside
    std::vector<OutlinePart> parts;    // in the order of the file
};

// How much to tell. Instances are opened until `parts` parts have been told inside them; of arrays of more
// than `copies` instances only the first is.
struct OutlineSize {
    std::uint64_t parts = 0, copies = 1;
};
OutlineDiagram outline(const FlatModel& model, OutlineSize size);

// Names that can be set, and names that can be recorded: blocks, outputs of instances (of an array those of
// the first), signals of elements and bonds.
std::vector<std::string> parameter_names(const FlatModel& model);
std::vector<std::string> signal_names(const FlatModel& model);

}  // namespace deltaflow
