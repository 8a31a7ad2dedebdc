// The first event in a step.
#include "engine/run/flow/roots.hpp"

#include "engine/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace deltaflow {

namespace {

// Two conditions have one root if the one is smaller at the root of the other than this part of what it is a
// little before.
constexpr double same_root = 1e-8;

}  // namespace

std::optional<Reached> Roots::first_event(double h) {
    conditions_.begin(h);
    if (state_.watches.empty()) return std::nullopt;
    const bool has_series = !at_.m->stepper->series(state_.watches.front().node).empty();
    return has_series ? series_.first(h) : sampled_.first(h);
}

// A branch that ends where its expression has a branch point, if(1 - t, sqrt(1 - t^2), 0), does not pass it:
// then the end of the branch is what happens, where its own root is. Rounding may part the two.
Reached Roots::ending_branch(const Reached& root) {
    const double h = root.at;
    if (root.watch->kind != Watching::singular || is_pole(at_.s->d, root.watch->owner)) return root;
    for (const Watch& other : state_.watches) {
        if (other.kind != Watching::branch) continue;
        const double here = conditions_.value(other, h),
                     before = conditions_.value(other, h * (1 - near_root));
        if (std::abs(here) > same_root * std::abs(before)) continue;
        const auto own =
            at_.m->stepper->has_series() ? series_.root_of(other, conditions_.step()) : std::nullopt;
        return {own && std::abs(*own - h) <= near_root * h ? *own : h, &other};
    }
    return root;
}

bool is_pole(const Diagram& d, NodeId n) {
    switch (d.nodes[n].op) {
        case Primitive::sqrt:
        case Primitive::asin:
        case Primitive::atan2:
            return false;
        case Primitive::power:
            return d.parameters_of(n)[0] < 0;
        default:
            return true;
    }
}

RunFailure singular_point(const Watch& w) {
    return {.kind = ErrorKind::not_finite,
            .node = w.owner,
            .what = fmt::format("a pole or branch point: the input reaches {}",
                                w.threshold == 0 ? "zero" : fmt::format("{}", w.threshold)),
            .advice = "keep the input away from the singular point, for example with max(...) or if(...)"};
}

}  // namespace deltaflow
