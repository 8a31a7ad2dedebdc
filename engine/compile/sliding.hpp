// Sliding (Filippov): what a system becomes where branch blocks are held between their two sides.
//
// A held block gives low + w (high - low). The weight w is an unknown of the flow; its equation says that the
// condition stays where it is, c^(r) = 0, where r is the lowest derivative of c that w acts on without an
// integrator in between. Blocks with one and the same condition have one weight.
#pragma once

#include "engine/compile/system.hpp"

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace deltaflow {

// Where a branch block jumps from one side to the other as its condition passes a threshold.
struct Surface {
    NodeId block, condition;
    double threshold;
    std::int32_t low, high;  // its branches below and above
};

// All of them, in an order that systems of all modes share.
std::vector<Surface> surfaces_of(const System& s);

// Do two surfaces lie in the same place? 1: and their upper sides, too; -1: the upper side of the one is the
// lower side of the other; 0: no.
int same_surface(const Diagram& d, const Surface& a, const Surface& b);

// The surfaces as they can be held together under these branches, those that lie in the same place included;
// nothing if they do not act on their conditions.
std::optional<std::vector<Held>> held_together(const System& s, const std::vector<Surface>& surfaces,
                                               const std::vector<std::int32_t>& branch,
                                               std::vector<std::uint32_t> wanted);

// The system with these blocks held: the same numbering, and a few nodes more at its end. Throws
// EndlessDemand.
System hold(const System& s, const std::vector<Surface>& surfaces, const std::vector<Held>& held,
            const Settings& settings);

// Compiles them when they are first needed, and keeps them.
class HeldSystems {
public:
    explicit HeldSystems(const Settings& settings) : settings_(settings) {}
    const std::vector<Surface>& surfaces(const System& s);
    // Nothing if the demand has no end.
    const System* of(const System& s, const std::vector<Held>& held);
    void clear() { known_.clear(); }
    std::size_t count() const { return known_.size(); }
    // Forgets all systems but those that somebody keeps.
    template <class IsKept>
    void forget_all_but(const IsKept& is_kept) {
        std::erase_if(known_, [&](const auto& known) { return !is_kept(known.second.get()); });
    }

private:
    const Settings& settings_;
    std::optional<std::vector<Surface>> surfaces_;
    std::map<std::pair<const System*, std::vector<Held>>, std::unique_ptr<System>> known_;
};

}  // namespace deltaflow
