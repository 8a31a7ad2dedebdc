// What model files declare: diagrams, blocks, elements and their arguments, before any name is looked up.
#pragma once

#include "blocks/catalogue.hpp"
#include "bonds/catalogue.hpp"
#include "engine/front/read/document.hpp"
#include "engine/front/read/report.hpp"

#include <deque>
#include <memory>
#include <optional>
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

// "from -> to", the two names in the text.
struct BondDeclaration {
    const Value* text = nullptr;
    std::string_view from, to;
};

struct NamedPlace {
    std::string_view name;
    Place place;
};

struct TransitionDeclaration {
    std::uint32_t from = 0, to = 0;  // states
    Formula when;
    Place place;
    Formula after = {};  // how long after the state was entered
    bool once = false;
    std::vector<std::pair<std::uint32_t, Formula>> set = {};  // values, and what they become
};

struct ValueDeclaration {
    std::string_view name;
    Place place;
    Formula initial;
};

struct AutomatonDeclaration {
    std::vector<NamedPlace> states;
    std::vector<std::uint8_t> on;  // per state
    std::uint32_t initial = 0;
    Formula choice = {};  // of the initial state, if it is no name
    std::vector<ValueDeclaration> values = {};
    std::vector<TransitionDeclaration> transitions;
};

// The table that a name stands in. `total` is what every bond graph has: total.energy.
enum class Role : std::uint8_t { block, element, bond, automaton, total };
std::string_view role_name(Role role);  // "a block", for messages

// A signal by the name that a network gives it: voltage for the effort of a resistor.
struct Reading {
    std::string_view name;
    Formula formula;
};

// A matrix, and what is held at the start, by port; the rest is zero.
struct FieldDeclaration {
    Place place;  // of the matrix
    std::vector<std::vector<Formula>> value;
    std::vector<Formula> momentum, displacement;
};

// A block, or what stands beside blocks in a diagram and shares their names.
struct BlockDeclaration {
    enum class Kind : std::uint8_t {
        expression,
        catalogue,
        instance,
        element,
        bond,
        automaton,
        total,
        broken
    };
    Kind kind = Kind::broken;
    Role role = Role::block;
    std::string_view name;
    Place place;                                  // of the name
    const Value* value = nullptr;                 // what it is set to
    const BlockType* type = nullptr;              // of a block of the catalogue
    const DiagramDeclaration* diagram = nullptr;  // of an instance
    const bonds::ElementType* element = nullptr;
    std::optional<std::uint32_t> namesake;  // of an element: the automaton of the same name
    BondDeclaration bond;
    std::unique_ptr<AutomatonDeclaration> automaton;
    std::unique_ptr<FieldDeclaration> field;   // of an I or C with several ports
    std::vector<std::vector<Formula>> inputs;  // by port; an expression is its own only input
    std::vector<ArgumentDeclaration> arguments;
    enum class Network : std::uint8_t { none, node, pole } network = Network::none;
    std::vector<Reading> readings;  // of nodes and two-poles; they come before the signals of an element
    bool made = false;              // nobody wrote it: a part of a two-pole
    const Value* count = nullptr;
    const Value* guess = nullptr;
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

// What the names of a diagram mean. Models may have many: they are found by open addressing.
class NameTable {
public:
    using Item = std::pair<std::string_view, Symbol>;

    const Item* end() const { return nullptr; }
    const Item* find(std::string_view name) const;
    std::size_t count(std::string_view name) const { return find(name) ? 1 : 0; }
    // Gives what is there, and whether it is new.
    std::pair<const Item*, bool> emplace(std::string_view name, Symbol symbol);
    void reserve(std::size_t names);

private:
    struct Slot {
        std::uint32_t hash = 0, item = 0;  // item: its index + 1
    };
    Slot& slot_of(std::string_view name, std::uint32_t hash);

    std::vector<Item> items_;
    std::vector<Slot> slots_;  // a power of two, at most half of them taken
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
    NameTable names;
    bool is_joined = false;  // its elements may have bonds with others that stand outside of its networks
    std::deque<Entry> made;  // what two-poles are made of; addresses stay
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
    std::vector<std::unique_ptr<FileDeclaration>> files;
    Findings mistakes;  // that were met while reading
};

// Reads the model and the files that it uses, each once. Throws ModelError if one cannot be read.
Declarations read_files(const std::string& path, std::string text,
                        const std::vector<std::string>& allow = {});

// Reads the tables of a file into declarations (load_diagram.cpp).
void declare_file(FileDeclaration& file, Report& report);

// Adds a member to a diagram, and its name; `made`: the name is none that a user can write. Tells whether the
// name was free.
bool declare_member(DiagramDeclaration& diagram, const Entry& entry, Role role, bool made, Report& report);

// Finds the type of every block and checks its keys (load_link.cpp).
void link_file(FileDeclaration& file, Report& report);

// The same for what a bond graph is made of (load_graph.cpp).
void link_element(BlockDeclaration& element, Report& report);
void link_bond(BlockDeclaration& bond, Report& report);
void link_automaton(BlockDeclaration& automaton, Report& report);

// Reports the keys of a table that are none of `known`, as "unknown key "x" of a diagram".
bool check_keys(const Value& table, const std::vector<std::string_view>& known, std::string_view where,
                Report& report);

// A number or an expression; reports anything else and gives an empty formula.
Formula read_formula(const Value& value, std::string_view wanted, Report& report);

// Letters, digits and _ make a name.
bool check_identifier(std::string_view name, const Place& place, std::string_view what, Report& report);

// Names of blocks, diagrams, inputs and parameters: identifiers that mean nothing else yet.
bool check_name(std::string_view name, const Place& place, std::string_view what, Report& report);

}  // namespace deltaflow::front
