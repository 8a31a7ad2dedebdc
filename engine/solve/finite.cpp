// Looking for values that have left the finite range.
#include "engine/solve/finite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace deltaflow {

bool all_finite(std::span<const double> values) {
    constexpr std::uint64_t exponent = 0x7ff0000000000000;  // all bits set: infinite, or no number
    std::uint64_t bad = 0;
    for (const double x : values)
        bad |= static_cast<std::uint64_t>((std::bit_cast<std::uint64_t>(x) & exponent) == exponent);
    return bad == 0;
}

NodeId first_not_finite(const Program& p, const Frame<double>& f, const std::vector<std::uint8_t>* active) {
    if (all_finite({f.a, f.d->nodes.size() * std::size_t{f.stride}})) return no_node;
    const auto is_bad = [&](NodeId n) {
        return !std::isfinite(f.at(n)[0]) && p.offset[n] >= 0 && (!active || (*active)[n]);
    };
    for (const NodeId n : p.order)
        if (is_bad(n)) return n;
    for (NodeId n = 0; n < f.d->nodes.size(); ++n)  // what is filled in: the past of a delay
        if (is_bad(n)) return n;
    return no_node;
}

RunFailure not_finite(const Diagram& d, NodeId node) {
    const bool singular = is_singular(d.nodes[node].op);
    return {.kind = ErrorKind::not_finite,
            .node = node,
            .what = singular ? "the value is not finite: a pole, or an input out of the domain"
                             : "the value is not finite: it has left the range of numbers",
            .advice = singular ? "keep the input away from the singular point"
                               : "look for a pole, an overflow or an unstable loop before it",
            .show_inputs = true};
}

RunFailure not_finite(const Frame<double>& f, NodeId node) {
    RunFailure failure = not_finite(*f.d, node);
    if (f.d->nodes[node].op == Primitive::integrator) failure.show_inputs = false;
    for (const NodeId input : f.d->inputs_of(node)) failure.inputs.push_back(f.at(input)[0]);
    return failure;
}

RunFailure not_finite(const Diagram& d, NodeId node, const std::function<bool(NodeId)>& is_bad) {
    for (std::size_t k = 0; k < d.nodes.size(); ++k) {  // a loop has no beginning
        const auto in = d.inputs_of(node);
        const auto at = std::find_if(in.begin(), in.end(), is_bad);
        if (at == in.end()) break;
        node = *at;
    }
    return not_finite(d, node);
}

namespace {

bool is_in(const Program& p, NodeId n) { return !p.offset.empty() && p.offset[n] != not_needed; }

bool may_overflow(Primitive op) {
    return is_singular(op) || op == Primitive::exp || op == Primitive::sinh || op == Primitive::cosh ||
           op == Primitive::product || op == Primitive::derivative;
}

}  // namespace

bool may_leave_range(const System& s, const Program& p) {
    return std::any_of(p.order.begin(), p.order.end(), [&](NodeId n) {
        return may_overflow(s.d.nodes[n].op) && !is_in(s.series, n) && !is_in(s.derivative, n) &&
               !is_in(s.conditions, n);
    });
}

std::vector<NodeId> computed_nodes(const System& s) {
    std::vector<NodeId> nodes;
    for (const NodeId n : s.germ.order)
        if (is_in(s.output, n) || is_in(s.conditions, n) || is_in(s.series, n) || is_in(s.derivative, n))
            nodes.push_back(n);
    return nodes;
}

namespace {

// The first time at which something in the trace is not finite, and which signal.
struct FirstBad {
    double t = HUGE_VAL;
    std::uint32_t signal = 0;
    void note(double when, std::uint32_t which) {
        if (when < t) *this = {when, which};
    }
};

void look_at_samples(const Trace& trace, FirstBad& first) {
    for (std::uint32_t i = 0; i < trace.samples.size(); ++i)
        if (const auto& row = trace.samples[i]; !all_finite(row))
            for (std::size_t k = row.size(); k-- > 0;)
                if (!std::isfinite(row[k])) first.note(trace.t[k], i);
}

void look_at_events(const Trace& trace, FirstBad& first) {
    for (const Event& event : trace.events)
        for (const Jump& jump : trace.jumps_of(event))
            if (!std::isfinite(jump.left) || !std::isfinite(jump.right) ||
                !all_finite(trace.impulses_of(jump)))
                first.note(event.t, jump.signal);
}

}  // namespace

void end_where_not_finite(Trace& trace) {
    FirstBad first;
    look_at_samples(trace, first);
    look_at_events(trace, first);
    if (first.t == HUGE_VAL) return;
    const auto kept = std::lower_bound(trace.t.begin(), trace.t.end(), first.t) - trace.t.begin();
    trace.t.resize(static_cast<std::size_t>(kept));
    for (auto& row : trace.samples) row.resize(static_cast<std::size_t>(kept));
    while (!trace.events.empty() && trace.events.back().t >= first.t) trace.events.pop_back();
    trace.end_t = first.t;
    trace.end_reason = EndReason::error;
    trace.errors = {{ErrorKind::not_finite, first.t,
                     fmt::format("at t = {}: {} is not finite", first.t, trace.signals[first.signal])}};
}

}  // namespace deltaflow
