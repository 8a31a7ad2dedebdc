#include "engine/run/exact/flow.hpp"

#include "engine/modes/guards.hpp"
#include "engine/solve/decide.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::closed_form {

void ExactFlow::watch_branches() {
    for (const NodeId n : at_.x->branchers) {
        if (!state_.is_active(n)) continue;
        const Primitive op = at_.diagram().nodes[n].op;
        const std::span<const Quadratic> p(at_.x->parameters[n]);
        for_each_bound(op, p, state_.now.branch[n], [&](const Quadratic& threshold, int) {
            state_.watches.push_back({at_.input(n), n, threshold,
                                      op == Primitive::hysteresis ? Watching::reach : Watching::branch});
        });
    }
    for (const HeldSurface& h : at_.system().held)
        for (const int end : {0, 1})
            if (h.leads) state_.watches.push_back({h.weight, h.block, Quadratic(end), Watching::branch});
}

void ExactFlow::collect_watches() {
    state_.watches.clear();
    const Diagram& d = at_.diagram();
    watch_branches();
    if (at_.modes)  // comparisons in guards that lead out of the present mode: each keeps its sign
        for (const NodeId n : watched_differences(at_.modes->graph(), state_.mode))
            if (!is_timer(d, n))  // the calendar knows
                state_.watches.push_back({n, n, Quadratic(0), Watching::branch});
    for (const NodeId n : at_.x->crossings)
        state_.watches.push_back(
            {at_.input(n), n, Quadratic(0), Watching::crossing, static_cast<int>(d.parameters_of(n)[0])});
    for (const NodeId n : at_.x->assertions)
        if (state_.is_active(n))
            state_.watches.push_back({at_.input(n), n, Quadratic(0), Watching::assertion});
    for (const NodeId n : at_.x->singular)
        if (state_.is_active(n))
            state_.watches.push_back({at_.input(n), n, Quadratic(0), Watching::singular});
}

namespace {

bool is_failure(const ExactWatch& w) { return w.kind == Watching::assertion || w.kind == Watching::singular; }

// Both are at or before the limit that the first has set. Of events at one time a failure counts.
bool comes_first(const Root& found, Root& first, const ExactWatch& w) {
    if (found.value && first.value) return *found.value < *first.value || is_failure(w);
    if (found.value) return !is_at_most(first, *found.value);
    return first.value || found.high < first.high;
}

}  // namespace

std::optional<ExactFlow::First> ExactFlow::first_root_before(Quadratic limit) const {
    std::optional<First> first;
    for (const ExactWatch& w : state_.watches) {
        Polynomial p = at_.right.rungs[w.node];
        if (at_.right.unknown[w.node]) throw RunFailure(*at_.right.unknown[w.node]);
        if (p.empty()) p.push_back(Quadratic(0));
        p[0] = p[0] - w.threshold;
        p = trimmed(std::move(p));
        const auto begin = std::find_if(p.begin(), p.end(), [](const Quadratic& c) { return !is_zero(c); });
        p.erase(p.begin(), begin);  // the root at the beginning lies behind
        const bool touch = w.kind == Watching::reach || w.kind == Watching::singular;
        const auto found = first_root(p, {touch, w.direction}, limit, state_.root);
        if (!found || (first && !comes_first(*found, first->root, w))) continue;
        first = First{*found, &w};
        if (found->value) limit = *found->value;
    }
    return first;
}

bool ExactFlow::go(const Quadratic& end) {
    const std::optional<First> first = first_root_before(end - state_.t);
    Quadratic t = end;
    if (first) {
        if (!first->root.value) fail_beyond(*first);
        if (!first->root.value->is_rational()) state_.root = first->root.value->d;
        condition_ = first->watch->node;
        t = state_.t + *first->root.value;
    }
    record(t);
    move_to(t);
    if (first && is_failure(*first->watch)) fail(*first->watch);
    return first.has_value();
}

void ExactFlow::fail(const ExactWatch& w) const {
    if (w.kind == Watching::singular)
        throw RunFailure{
            .kind = ErrorKind::not_finite,
            .node = w.owner,
            .what = "a pole or branch point: the input reaches zero",
            .advice = "keep the input away from the singular point, for example with max(...) or if(...)"};
    throw RunFailure{.kind = ErrorKind::assertion,
                     .node = w.owner,
                     .what = at_.diagram().messages[at_.diagram().nodes[w.owner].extra]};
}

// The first event is one that cannot be written down.
void ExactFlow::fail_beyond(const First& first) {
    near_ = state_.t + Quadratic(near(first.root));
    record(*near_);
    RunFailure failure{.kind = ErrorKind::model, .node = first.watch->owner, .t = to_double(*near_)};
    failure.what = "the time of the next event is no fraction, and no square root of one";
    if (state_.root != 0)
        failure.what = fmt::format("the time of the next event is not made of fractions and sqrt({})",
                                   state_.root.str());
    failure.advice = "run it, or choose parameters for which the times are fractions";
    throw failure;
}

void ExactFlow::record(const Quadratic& to) {
    record_.flow(to);
    calendar_.flow(to);
}

void ExactFlow::move_to(const Quadratic& t) {
    for (const NodeId n : at_.x->states) state_.states[n] = evaluate(at_.right.rungs[n], t - state_.t);
    state_.t = t;
}

}  // namespace deltaflow::closed_form
