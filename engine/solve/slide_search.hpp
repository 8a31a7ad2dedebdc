// The search for branches that agree with their conditions, and for blocks to hold where none do (DESIGN 10),
// in rounded and in exact numbers.
#pragma once

#include "engine/compile/sliding.hpp"
#include "engine/model/run_failure.hpp"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace deltaflow {

class SlideSearch {
public:
    explicit SlideSearch(const Settings& settings) : sliding_(settings.sliding), held_systems_(settings) {}
    virtual ~SlideSearch() = default;

    // What is tried at an instant, or before the start, and what comes out.
    struct Trial {
        std::vector<std::int32_t>& branch;
        std::vector<Held>& slides;
        const std::vector<std::int32_t>* before;  // branches so far; none before the start
        std::function<bool()> solves;             // does every branch agree with its condition? wanted_ tells
        std::function<void()> begins;             // another system is at hand
        std::function<int(NodeId, double)> value_sign;  // of a condition against its threshold
        std::function<std::optional<int>(const HeldSurface&)>
            leaves;  // the side that a held block is driven to
    };
    // Tries branches until they agree; where none do, blocks are held between their sides. False: nothing
    // agrees.
    bool find_situation(const Trial& trial);

    const System& system_with(const System& base, const std::vector<Held>& held);
    // The same surfaces in another system, where they may have other orders.
    std::vector<Held> held_in_mode(const System& base, const std::vector<Held>& held,
                                   const std::vector<std::int32_t>& branch);
    // Somebody whom to tell of where nothing agrees.
    NodeId first_brancher() const {
        return branchers_.empty() ? at_hand().held.front().block : branchers_.front();
    }
    const Surface& surface(const Held& h) { return held_systems_.surfaces(at_hand())[h.surface]; }
    void list_branchers(const System& s, const std::vector<NodeId>& branchers);
    // Systems are made anew.
    void forget_held_systems() { held_systems_.clear(); }
    HeldSystems& held_systems() { return held_systems_; }
    // In the order of the file; and for each the branch that its condition asks for, as a solve has found it.
    const std::vector<NodeId>& branchers() const { return branchers_; }
    std::vector<std::int32_t>& wanted() { return wanted_; }

    // The system that runs, without what is held.
    const System& released() const { return at_hand().released ? *at_hand().released : at_hand(); }

protected:
    // The system that runs, and the way to another one.
    virtual const System& at_hand() const = 0;
    virtual void use_system(const System& s) = 0;
    virtual std::span<const NodeId> branchers_in_loops() const { return {}; }
    virtual bool is_in_use(NodeId brancher) const = 0;
    // A block takes a side, and with it those that have its weight.
    virtual void note_release(const HeldSurface&, const HeldSurface& leader, int side);

    std::vector<NodeId> branchers_;     // in the order of the file
    std::vector<std::int32_t> wanted_;  // per brancher: the branch its condition asks for

private:
    bool find_branches(const Trial& trial);
    bool search(const Trial& trial);
    bool release_unfelt(const Trial& trial, const std::vector<Held>& present, const RunFailure& failure);
    void note_flips(const Trial& trial);
    bool can_hold(const Trial& trial, const std::vector<std::uint32_t>& surfaces);
    bool may_hold(NodeId block) const;
    bool hold_flipping(const Trial& trial);
    bool hold_resting(const Trial& trial);
    bool points_back(const Trial& trial, std::size_t brancher);
    bool release_leaving(const Trial& trial, bool all);
    void release(const Trial& trial, const HeldSurface& leader, int side);
    bool move_to(const Trial& trial, std::vector<Held> held);

    Sliding sliding_;
    HeldSystems held_systems_;
    std::vector<std::uint8_t>
        flips_;  // per surface: 1, it was asked for its lower side; 2, for its upper one
};

}  // namespace deltaflow
