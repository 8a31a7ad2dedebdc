// The nodes or points of a network, and which of them are the reference of which.
#pragma once

#include "engine/front/read/network.hpp"

#include <map>
#include <unordered_map>

namespace deltaflow::front {

// What hangs on the rest of a network at one node alone takes no current there, all of it together, and its
// voltages depend on those of the rest only through that node. No junction shows that, and a loop of
// junctions that hides it has no solution. So each such part (a block of the graph: two paths lead from any
// node of it to any other) counts from the node that it hangs on, its reference; ground is that of the block
// that holds ground, and of the first node of what nothing joins to ground.
class Nodes {
public:
    struct Node {
        End end;
        std::size_t uses = 0;
        const Value* position = nullptr;  // of a point, at the start
        const Node* reference = nullptr;  // nothing: ground
        bool floats = false;              // the first of those that nothing joins to ground
        // Of those: all that it is joined with, and itself; how many count from each, and it.
        std::vector<std::pair<const Node*, std::size_t>> depending;
    };

    // `joined`: to others, so all count from ground.
    Nodes(const std::vector<PoleDraft>& drafts, bool joined);

    const std::vector<Node>& list() const { return list_; }
    Node* find(std::string_view name);
    // Nodes with several two-poles between them: these hang side by side on a junction of their own.
    struct Pair {
        std::size_t count = 0;
        End a, b;          // as the first of them has it
        std::string name;  // of the junction
    };
    std::vector<const Pair*> pairs() const;
    // The same ends, with ground for the one that the other counts from, or those of the pair's junction.
    Ends relative(const Ends& ends) const;

private:
    using Index = std::size_t;  // 0 is ground

    void use(const Ends& ends);
    Index use(const End& end);
    void join(Index a, Index b);
    void visit(Index root);
    void refer(bool joined);
    void count_dependents();
    void find_pairs(const std::vector<PoleDraft>& drafts);
    Index index_of(const End& end) const;
    const Node* at(Index n) const { return n == 0 ? nullptr : &list_[n - 1]; }

    std::vector<Node> list_;
    std::unordered_map<std::string_view, Index> index_;  // looked up only
    std::vector<std::vector<Index>> neighbours_{{}};
    std::map<std::pair<Index, Index>, Pair> pairs_;
    // In the order of a walk in depth: when a node was met, from where, and the first that its branch comes
    // back to.
    std::vector<Index> met_, parent_, low_, order_;
};

}  // namespace deltaflow::front
