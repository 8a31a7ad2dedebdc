// From templates to a flat diagram: copies with offsets, and names found by walking back.
#pragma once

#include "engine/front/flatten/templates.hpp"
#include "engine/model/model.hpp"

#include <memory>

namespace deltaflow::front {

// Refuses a model that would become too large, before anything is allocated. Tells whether it fits.
bool check_size(const Templates& templates, std::uint64_t max_blocks, Report& report);

// All instances, one after the other. The copies of a template share their parameters, schedules, clocks and
// messages.
struct Flat {
    Diagram diagram;
    bonds::Graph graph;
    std::vector<bool> named;  // per node: it is a block, or an effort, flow or state of the graph
    // Nodes behind those of the templates, made when all was laid out: whose name they go by.
    std::vector<NodeId> made = {};
};
Flat expand(const Templates& templates);

// Has every element the bonds that it takes?
void check_bonds(const bonds::Graph& graph, Report& report);

// Ideal elements with two bonds get the junction between them that they hang on.
void join_ideal_elements(bonds::Graph& graph, Report& report);

// What was given beside the files: --set and --record, read as if each were a small file.
struct Overrides {
    std::deque<Entry> entries;  // all of them; addresses stay
    Replacements parameters;
    std::vector<const Entry*> settings;  // keys of [simulation]
    std::vector<const Value*> record;
};

// What a model was made from. The templates point into the declarations and the overrides. Models that differ
// only in what was given share their declarations.
struct Written {
    std::shared_ptr<const Declarations> declarations;
    LoadOptions given;
    Overrides overrides;
    Templates templates;
};

// Names nodes by the blocks that they come from; and those that were made later by others.
std::shared_ptr<const Naming> make_naming(std::shared_ptr<const Written> written, std::vector<NodeId> made);

// A name to record, and where it was written.
struct RecordName {
    std::string_view name;
    const Value* source;
};

// The signals behind names such as y, left.x, many[3].*; without names, every top-level block, or effort and
// flow of every top-level bond where the blocks give nothing.
std::vector<Recorded> find_recorded(const Templates& templates,
                                    const std::optional<std::vector<RecordName>>& names, Report& report);
// The expressions of the shapes in [animation]; and whether they can be worked out.
std::vector<Formula> read_shapes(const Value& document, Report& report);
void check_shapes(const Templates& templates, const std::vector<Formula>& shapes, Report& report);

// Blocks of the model, and outputs of its instances, that are not among these. Arrays are left out.
std::vector<NodeId> find_unrecorded(const Templates& templates, const std::vector<Recorded>& record,
                                    Report& report);

}  // namespace deltaflow::front
