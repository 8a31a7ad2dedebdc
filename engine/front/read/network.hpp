// [circuit] and [mechanics]: two-poles between nodes or points become elements, junctions and bonds.
#pragma once

#include "bonds/poles.hpp"
#include "engine/front/read/declarations.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace deltaflow::front {

// The node or point that every network has: no voltage, no motion.
inline constexpr std::string_view ground = "ground";

// A name in the text of a key, "a" in between = "a ground".
struct End {
    std::string_view name;
    Place place;

    bool is_ground() const { return name == ground; }
};
using Ends = std::array<End, 2>;

// What a line of [circuit] or [mechanics] says. An end without a name is unknown.
struct PoleDraft {
    const Entry* entry = nullptr;
    const bonds::PoleType* type = nullptr;                 // nothing: an instance of a diagram
    bool good = true;                                      // else it has been reported
    Ends ends, secondary;                                  // the latter of a transformer
    Ends coils;                                            // of a coupling
    std::vector<std::pair<std::string_view, End>> joined;  // of an instance: its node, and the one outside

    std::string_view name() const { return entry->key; }
    bool has_secondary() const { return !secondary[0].name.empty(); }
    bool has_coils() const { return !coils[0].name.empty(); }
    const Value* find(std::string_view key) const;
};

// The key of an instance that says which of its nodes or points are which outside.
std::string_view joining_key(bonds::Domain domain);

// Reads the lines of a table, and reports what is wrong with them.
std::vector<PoleDraft> read_poles(const Value& table, bonds::Domain domain, Report& report);

// Declares nodes, elements, junctions and bonds of a network.
void declare_network(DiagramDeclaration& diagram, const Entry& table, bonds::Domain domain, Report& report);

}  // namespace deltaflow::front
