// Which configuration of branches to try next, where the one that was tried contradicts itself.
#pragma once

#include "blocks/diagram.hpp"
#include "engine/limits.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace deltaflow {

// Walks through configurations of branches: all that disagree at once, and when a configuration comes back,
// then with one block at a time, in the order given, and a piecewise block one piece at a time. Where that
// leads nowhere, or where a loop has no solution under the branches at hand, the walk begins anew from what
// differs from the first configuration in one of the blocks `within` loops, then in two of them, ...
class BranchWalk {
public:
    BranchWalk(const Diagram& d, const std::vector<std::int32_t>& first, std::span<const NodeId> within = {})
        : d_(d), first_(first), within_(within) {}

    // Moves `branch` towards `wanted` (given for `blocks`); false: nowhere left to go.
    bool step(std::vector<std::int32_t>& branch, const std::vector<NodeId>& blocks,
              const std::vector<std::int32_t>& wanted) {
        std::vector<std::int32_t> before = branch;
        move(branch, blocks, wanted);
        if (!seen(branch)) return remember(branch);
        if (careful_) return skip(branch);
        careful_ = true;
        seen_.clear();
        branch = std::move(before);
        move(branch, blocks, wanted);
        return remember(branch) || skip(branch);
    }

    // The configuration at hand has no solution: on to the next neighbour of the first one.
    bool skip(std::vector<std::int32_t>& branch) {
        if (neighbours_.empty()) list_neighbours();
        while (next_neighbour_ < neighbours_.size()) {
            branch = first_;
            for (const auto& [n, b] : neighbours_[next_neighbour_]) branch[n] = b;
            ++next_neighbour_;
            if (seen(branch)) continue;
            careful_ = false;
            seen_.clear();
            return remember(branch);
        }
        return false;
    }

private:
    using Changes = std::vector<std::pair<NodeId, std::int32_t>>;

    void list_neighbours() {
        std::vector<std::pair<Changes, std::size_t>> known{{{}, 0}};  // and the blocks that may change still
        for (std::size_t k = 0; k < known.size() && neighbours_.size() < limits::branch_solves; ++k)
            for (std::size_t i = known[k].second; i < within_.size(); ++i) {
                const auto [low, high] = branches_of(within_[i]);
                for (std::int32_t b = low; b <= high; ++b) {
                    if (b == first_[within_[i]] || neighbours_.size() >= limits::branch_solves) continue;
                    Changes changes = known[k].first;
                    changes.emplace_back(within_[i], b);
                    neighbours_.push_back(changes);
                    known.emplace_back(std::move(changes), i + 1);
                }
            }
    }
    std::pair<std::int32_t, std::int32_t> branches_of(NodeId n) const {
        const Primitive op = d_.nodes[n].op;
        if (op == Primitive::piecewise) return {0, static_cast<std::int32_t>(d_.parameters_of(n)[0])};
        if (op == Primitive::floor) return {first_[n] - 1, first_[n] + 1};
        return {op == Primitive::sign ? -1 : 0, 1};
    }
    void move(std::vector<std::int32_t>& branch, const std::vector<NodeId>& blocks,
              const std::vector<std::int32_t>& wanted) const {
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            std::int32_t& b = branch[blocks[i]];
            if (b == wanted[i]) continue;
            const bool small_steps = careful_ && (d_.nodes[blocks[i]].op == Primitive::piecewise ||
                                                  d_.nodes[blocks[i]].op == Primitive::floor);
            b = !small_steps ? wanted[i] : b + (wanted[i] > b ? 1 : -1);
            if (careful_) return;
        }
    }
    bool seen(const std::vector<std::int32_t>& branch) const {
        return branch == first_ || std::find(seen_.begin(), seen_.end(), branch) != seen_.end();
    }
    bool remember(const std::vector<std::int32_t>& branch) {
        seen_.push_back(branch);
        return seen_.size() < static_cast<std::size_t>(limits::branch_solves);
    }
    const Diagram& d_;
    std::vector<std::int32_t> first_;
    std::vector<std::vector<std::int32_t>> seen_;
    bool careful_ = false;
    std::span<const NodeId> within_;
    std::vector<Changes> neighbours_;
    std::size_t next_neighbour_ = 0;
};

}  // namespace deltaflow
