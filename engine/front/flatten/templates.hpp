// Templates: a diagram lowered once for given parameter values, however many instances it has.
#pragma once

#include "blocks/builder.hpp"
#include "bonds/graph.hpp"
#include "engine/front/read/declarations.hpp"

#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace deltaflow::front {

using TemplateId = std::uint32_t;
inline constexpr TemplateId no_template = ~TemplateId{0};

// The values of a diagram's parameters; nothing: it could not be evaluated. A parameter is looked up from
// the inside out: in the diagram, in the diagrams that it is written in, in its file. Blocks and inputs of
// the diagram itself come first; those of the diagrams around it are not seen.
struct Environment {
    const DiagramDeclaration* diagram = nullptr;
    const Environment* outer = nullptr;
    std::vector<std::optional<Number>> values;
};

// An instance, or an array of them; one whose instances differ is several children, one after the other.
struct Child {
    std::uint32_t block = 0;  // its index in the diagram
    TemplateId shape = no_template;
    std::uint64_t first_index = 0, count = 1;
    std::uint64_t array_size = 0;  // of all children of the block; 0: no array
    // Of the first copy, counted from the template's first node, element and automaton.
    std::uint64_t first_node = 0, first_element = 0, first_automaton = 0;
    std::vector<Ref> arguments;  // one for each input of the shape
};

// Sizes of a template with everything inside it; they stop at the largest number instead of overflowing.
struct Sizes {
    std::uint64_t blocks = 0, nodes = 0, inputs = 0, guesses = 0;
    std::uint64_t elements = 0, bonds = 0, automata = 0;
};

// Nodes count from the first node of the instance: first its own, then those of its children in turn; and so
// do elements and automata.
struct Template {
    const DiagramDeclaration* diagram = nullptr;
    const Environment* environment = nullptr;
    const BlockDeclaration* first_use = nullptr;  // an instance of it, for messages
    Fragment own;
    std::vector<NodeId> first_node;           // of each block's own nodes
    std::vector<std::uint32_t> first_output;  // of each block, into outputs; one more at the end
    std::vector<Ref> outputs;                 // of elements and bonds: their signals
    std::vector<Child> children;              // ordered by block
    bonds::Graph graph;                       // its own part; a node is an index into graph_signals
    std::vector<Ref> graph_signals;
    std::vector<std::uint32_t> rank;  // of each block among the elements or the automata
    Sizes sizes;

    std::span<const Ref> outputs_of(std::uint32_t block) const {
        return {outputs.data() + first_output[block], first_output[block + 1] - first_output[block]};
    }
    // The first child of a block, if it is an instance; and the one that holds instance number `index`.
    const Child* child_of(std::uint32_t block) const;
    const Child& child_of(std::uint32_t block, std::uint64_t index) const;
};

struct Templates {
    std::deque<Environment> environments;  // a deque: their addresses stay
    std::vector<Template> list;            // the first is the model itself
    std::vector<TemplateId> order;         // every template after those inside it
};

std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b);
std::uint64_t saturating_multiply(std::uint64_t a, std::uint64_t b);

class WantedSignals;

// Formulas that stand in the place of those of a file, by parameter.
using Replacements = std::map<std::uint32_t, Formula>;

// Finds all templates of a model: evaluates parameters and counts, from the model inwards; some parameters of
// the model itself have other formulas. None if diagrams contain each other without end.
Templates discover(const Declarations& all, const Replacements& replaced, Report& report);

// Lowers the bodies of all templates and resolves the names in them.
void lower_templates(Templates& templates, const Sources& sources, const WantedSignals& wanted,
                     Report& report);

// The signal that a name such as many[3].x leads to, seen from inside a template. Throws ExpressionError
// (offsets count from the start of the name), or Reported where the name leads to something broken.
Ref find_signal(const Templates& templates, const Template& from, std::string_view name, Report& report);
// The same for a block that is known already: all of the name is the block's own.
Ref find_signal(const Templates& templates, const Template& from, std::uint32_t block, Report& report);

// The block that a name leads to; with an index, where the name ends in one, it is one instance of an array.
struct FoundBlock {
    const Template* shape;
    std::uint32_t block;
    std::optional<std::uint64_t> index;
};
FoundBlock find_block(const Templates& templates, const Template& from, std::string_view name,
                      Report& report);

// The element or automaton that a name such as stage[3].node leads to, counted from the first of the
// template. Throws like find_signal.
std::uint64_t find_member(const Templates& templates, const Template& from, std::string_view name, Role role,
                          Report& report);

// The name of output number `index` of an element, bond, automaton: ".momentum", "[3].effort".
std::string output_name(const BlockDeclaration& block, std::size_t index);

// What takes the place of a signal that could not be found.
inline constexpr Ref broken_signal{Ref::Kind::slot, ~std::uint32_t{0}};

}  // namespace deltaflow::front
