// Which configuration of branches to try next, where the one that was tried contradicts itself.
#pragma once

#include "blocks/diagram.hpp"
#include "engine/limits.hpp"

#include <algorithm>
#include <vector>

namespace deltaflow {

// Walks through configurations of branches: all that disagree at once, and when a configuration comes back,
// then with one block at a time, in the order of the file, and a piecewise block one piece at a time.
class BranchWalk {
public:
    BranchWalk(const Diagram& d, const std::vector<std::int32_t>& first) : d_(d), first_(first) {}

    // Moves `branch` towards `wanted` (given for `blocks`, in file order); false: nowhere left to go.
    bool step(std::vector<std::int32_t>& branch, const std::vector<NodeId>& blocks,
              const std::vector<std::int32_t>& wanted) {
        std::vector<std::int32_t> before = branch;
        move(branch, blocks, wanted);
        if (!seen(branch)) return remember(branch);
        if (careful_) return false;
        careful_ = true;
        seen_.clear();
        branch = std::move(before);
        move(branch, blocks, wanted);
        return remember(branch);
    }

private:
    void move(std::vector<std::int32_t>& branch, const std::vector<NodeId>& blocks,
              const std::vector<std::int32_t>& wanted) const {
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            std::int32_t& b = branch[blocks[i]];
            if (b == wanted[i]) continue;
            const bool small_steps = careful_ && d_.nodes[blocks[i]].op == Primitive::piecewise;
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
};

}  // namespace deltaflow
