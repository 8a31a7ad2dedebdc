// From a bond graph in one mode to ordinary blocks: every free node of the diagram gets its definition.
//
// An independent I is an integrator, a dependent one a derivative; junctions are sums; modulated elements are
// products. A lowering goes from one mode to the next: only elements that feel the change are defined anew.
#pragma once

#include "bonds/causality.hpp"
#include "bonds/definitions.hpp"

#include <memory>

namespace deltaflow::bonds {

class Lowering {
public:
    // `wanted`: nodes that are recorded or watched. The graph and the diagram must stay where they are.
    Lowering(const Graph& g, const Diagram& base, const std::vector<NodeId>& wanted);
    ~Lowering();

    // Throws CausalConflict; then the next call begins anew.
    void move_to(const Mode& mode);
    // The nodes of the graph and of the diagram have got other numbers (old -> new).
    void renumber(const std::vector<NodeId>& place);
    const Mode& mode() const;
    const Causality& causality() const;
    const Definitions& definitions() const;
    const Ports& ports() const;
    // Nodes that the last call has made something else; sorted. At first all that have a definition.
    const std::vector<NodeId>& changed() const;
    // Adds the nodes that read n in this mode, some of them perhaps twice.
    void add_readers(NodeId n, std::vector<NodeId>& readers);

private:
    class Body;
    std::unique_ptr<Body> body_;
};

}  // namespace deltaflow::bonds
