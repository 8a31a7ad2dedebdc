// Values that have left the finite range: which block was the first, and how that is told.
#pragma once

#include "deltaflow/trace.hpp"
#include "engine/compile/system.hpp"
#include "engine/solve/execute.hpp"

#include <functional>
#include <span>
#include <vector>

namespace deltaflow {

// Are all of these finite? By bits, not comparisons, so that compilers vectorise it.
bool all_finite(std::span<const double> values);

// The first active node, in the order of evaluation, whose value is not finite; no_node: there is none.
NodeId first_not_finite(const Program& p, const Frame<double>& f, const std::vector<std::uint8_t>* active);

// The node with the values of its inputs, as an error.
RunFailure not_finite(const Frame<double>& f, NodeId node);
RunFailure not_finite(const Diagram& d, NodeId node);
// A bad node as an error of the one that is so by itself, and not by what it reads.
RunFailure not_finite(const Diagram& d, NodeId node, const std::function<bool(NodeId)>& is_bad);

template <class IsBad>
void require_finite(const Diagram& d, std::span<const NodeId> nodes, const IsBad& is_bad) {
    for (const NodeId n : nodes)
        if (is_bad(n)) throw not_finite(d, n, is_bad);
}

// Does a program compute what may overflow or have a pole, and what nothing else that is watched depends on?
bool may_leave_range(const System& s, const Program& p);

// What a system computes in flow, whether a state depends on it or not, in the order of evaluation.
std::vector<NodeId> computed_nodes(const System& s);

// The last word: a trace ends before the first number in it that is not finite, as an error.
void end_where_not_finite(Trace& trace);

}  // namespace deltaflow
