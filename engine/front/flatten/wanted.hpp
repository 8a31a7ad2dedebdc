// Which of the signals that cost something somebody reads.
#pragma once

#include "engine/front/read/declarations.hpp"

#include <string>
#include <unordered_set>

namespace deltaflow::front {

// Energy, power and the integrals that no element needs are made only for readers. The end of a name tells:
// "body.energy" of ball[3].body.energy. So a few too many are made where names repeat, never one too few.
class WantedSignals {
public:
    // What the formulas of a model read, and a name that is recorded.
    void add(const Declarations& all);
    void add(const Expression& e);
    void add_recorded(std::string_view name);

    bool contains(const DiagramDeclaration& diagram, const BlockDeclaration& owner,
                  bonds::Signal signal) const;
    bool contains_total() const { return total_; }
    // Then flows of junctions may be states (bonds/causality.hpp).
    bool contains_modulated_transformers() const { return transformers_; }

private:
    void add(const DiagramDeclaration& diagram);
    void add(std::string_view name);

    std::unordered_set<std::string> names_;  // body.energy, body.*; looked up only
    bool total_ = false, outputs_ = false, transformers_ = false;
};

}  // namespace deltaflow::front
