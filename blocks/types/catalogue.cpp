#include "blocks/catalogue.hpp"

#include "blocks/types/groups.hpp"

#include <algorithm>

namespace deltaflow {

namespace {

std::vector<BlockType> all_blocks() {
    std::vector<BlockType> all;
    for (auto group : {source_blocks, arithmetic_blocks, function_blocks, step_blocks, dynamic_blocks,
                       decision_blocks, discrete_blocks, memory_blocks}) {
        std::vector<BlockType> types = group();
        std::move(types.begin(), types.end(), std::back_inserter(all));
    }
    return all;
}

}  // namespace

std::span<const BlockType> catalogue() {
    static const std::vector<BlockType> all = all_blocks();
    return all;
}

const BlockType* find_block_type(std::string_view type) {
    const auto all = catalogue();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const BlockType& b) { return b.type == type; });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace deltaflow
