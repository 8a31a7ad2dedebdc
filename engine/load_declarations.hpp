// What model files declare: diagrams, blocks and their arguments, before any name is looked up.
#pragma once

#include "blocks/catalogue.hpp"
#include "engine/load_document.hpp"
#include "engine/load_report.hpp"

#include <deque>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace deltaflow::front {

struct DiagramDeclaration;

// A number or an expression as it was written. A number has an empty tree.
struct Formula {
    const Value* source = nullptr;
    Expression tree;
};

// An argument of a block that is no signal.
struct ArgumentDeclaration {
    std::uint32_t parameter;  // its index in the block type or the diagram
    const Entry* entry;
    Formula formula;  // of a number; other kinds are read from the entry
};

struct BlockDeclaration {
    enum class Kind : std::uint8_t { expression, catalogue, instance, broken };
    Kind kind = Kind::broken;
    std::string_view name;
    Place place;                                  // of the name
    const Value* value = nullptr;                 // what it is set to
    const BlockType* type = nullptr;              // of a block of the catalogue
    const DiagramDeclaration* diagram = nullptr;  // of an instance
    std::vector<std::vector<Formula>> inputs;     // by port; an expression is its own only input
    std::vector<ArgumentDeclaration> arguments;
    const Value* count = nullptr;
    const Value* guess = nullptr;
};

struct NamedPlace {
    std::string_view name;
    Place place;
};

struct ParameterDeclaration {
    std::string_view name;
    Place place;
    Formula formula;
};

// What a name means in a diagram.
struct Symbol {
    enum class Kind : std::uint8_t { block, input, parameter } kind;
    std::uint32_t index;
};

// A diagram; the blocks of a file are one, too, with no name, no inputs and no outputs.
struct DiagramDeclaration {
    std::string_view name;
    Place place;
    const DiagramDeclaration* owner = nullptr;  // the diagram that it stands in
    std::vector<NamedPlace> inputs, outputs;
    std::vector<std::uint32_t> output_blocks;  // the block behind each output
    std::vector<ParameterDeclaration> parameters;
    std::vector<BlockDeclaration> blocks;  // in the order of the file
    std::vector<std::unique_ptr<DiagramDeclaration>> diagrams;
    std::unordered_map<std::string_view, Symbol> names;
};

using DiagramNames = std::unordered_map<std::string_view, const DiagramDeclaration*>;

struct FileDeclaration {
    std::string path;
    std::uint32_t file = 0;
    Value document;
    DiagramDeclaration body;
    std::vector<std::uint32_t> uses;  // indices into Declarations::files
    DiagramNames visible;             // its own diagrams and those of the files that it uses
};

// All files of a model; the first is the model itself. Declarations point into their documents.
struct Declarations {
    Sources sources;
    std::deque<Entry> options;  // what the command line gave; addresses stay
    std::vector<std::unique_ptr<FileDeclaration>> files;
};

// Reads the model and the files that it uses, each once. Throws ModelError if one cannot be read.
void read_files(const std::string& path, std::string text, Declarations& all, Report& report);

// Reads the tables of a file into declarations (load_diagram.cpp).
void declare_file(FileDeclaration& file, Report& report);

// Finds the type of every block and checks its keys (load_link.cpp).
void link_file(FileDeclaration& file, Report& report);

// A number or an expression; reports anything else and gives an empty formula.
Formula read_formula(const Value& value, std::string_view wanted, Report& report);

// Names of blocks, diagrams, inputs and parameters: identifiers that mean nothing else yet.
bool check_name(std::string_view name, const Place& place, std::string_view what, Report& report);

}  // namespace deltaflow::front
