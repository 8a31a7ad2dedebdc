// Something that is due again and again at one time: a period that the rounding of the time swallows.
#pragma once

#include "engine/limits.hpp"
#include "engine/model/run_failure.hpp"

namespace deltaflow {

// `taken` have been due at this time in a diagram of so many nodes; the last one was `node`.
inline void check_due(std::size_t taken, std::size_t nodes, NodeId node) {
    if (taken > limits::commits_at_a_time + nodes)
        throw RunFailure{.kind = ErrorKind::no_progress,
                         .node = node,
                         .what = "it is due again and again at one time: time would not go on",
                         .advice = "make its period longer than the rounding of the time"};
}

}  // namespace deltaflow
