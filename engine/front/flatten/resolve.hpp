// Names that were left open while a diagram was lowered.
#pragma once

#include "engine/front/flatten/templates.hpp"

namespace deltaflow::front {

// Slot i of a fragment under construction: a name, and where it was first read.
struct Reference {
    std::string_view name;
    std::uint32_t block;  // the one that the name begins with
    const Value* source;
    std::uint32_t offset, length;
};

// Replaces every slot of a template by the node or port that it stands for, and keeps the guesses.
void resolve(const Templates& templates, Template& shape, const std::vector<Reference>& references,
             const std::vector<std::pair<Ref, double>>& guesses, Report& report);

// Reports names that lead to no signal of a template that is resolved already.
void find_references(const Templates& templates, const Template& shape,
                     const std::vector<Reference>& references, Report& report);

}  // namespace deltaflow::front
