// Which rungs an instant needs, who reads whom, and in which order.
#include "engine/compile/instant_program.hpp"
#include "engine/compile/kinds.hpp"

#include "blocks/kernels.hpp"
#include "engine/compile/analysis.hpp"
#include "engine/compile/graph.hpp"

#include <algorithm>

namespace deltaflow {

namespace {

using Key = RungStep;

struct Collector {
    const Diagram& d;
    const std::vector<Reading>& regularity;
    const std::vector<std::int16_t>& degree;
    bool pre_flows;
    std::vector<std::uint32_t> right_first, impulse_first, decide_at;  // node -> slot + 1 of rung 0 ...
    InstantProgram p;

    // Slots of rungs, found by (node, kind, order): a small chain per node.
    std::vector<std::uint32_t> head;  // node -> last step + 1
    std::vector<std::uint32_t> next;  // step -> step + 1
    std::vector<bool> checked;        // node -> its checks are demanded already
    std::vector<bool> noted;          // node -> is in p.kept
    std::vector<bool> looks_back;     // node -> zero in the flow, but not at an instant

    int impulses(NodeId n) const { return impulse_rungs(regularity[n]); }

    std::uint32_t find(const Key& key) const {
        for (auto at = head[key.node]; at != 0; at = next[at - 1])
            if (const Key& k = p.steps[at - 1]; k.kind == key.kind && k.order == key.order) return at - 1;
        return no_node;
    }

    bool is_empty(const Key& key) const {
        if (key.kind == RungKind::impulse) return key.order >= impulses(key.node);
        if (key.kind == RungKind::right)
            return (degree[key.node] < 0 && !looks_back[key.node]) ||
                   d.nodes[key.node].op == Primitive::constant;
        return false;
    }

    // What the flow of a mode keeps at zero may have been something else in the mode before: pre still reads
    // it, and whatever reads pre.
    void find_looking_back() {
        looks_back.assign(d.nodes.size(), false);
        std::vector<NodeId> work;
        for (NodeId n = 0; n < d.nodes.size(); ++n)
            if (d.nodes[n].op == Primitive::pre && degree[n] < 0) work.push_back(n);
        const Readers readers = work.empty() ? Readers{} : readers_of(d);
        while (!work.empty()) {
            const NodeId n = work.back();
            work.pop_back();
            if (degree[n] >= 0 || looks_back[n]) continue;
            looks_back[n] = true;
            work.insert(work.end(), readers.list.begin() + readers.first[n],
                        readers.list.begin() + readers.first[n + 1]);
        }
    }

    // A state that no impulse can reach does not jump.
    bool is_kept(const Key& key) const {
        return key.kind == RungKind::right && key.order == 0 &&
               d.nodes[key.node].op == Primitive::integrator && !d.nodes[key.node].is_reset() &&
               impulses(d.inputs_of(key.node)[0]) == 0;
    }

    void want(NodeId node, RungKind kind, int order) {
        const Key key{node, kind, static_cast<std::uint8_t>(order)};
        // Empty rungs are read, too: there must be room for them.
        if (kind == RungKind::right)
            p.right_rungs = std::max(p.right_rungs, static_cast<std::uint32_t>(order) + 1);
        if (is_empty(key) || find(key) != no_node) return;
        const bool given = d.nodes[node].op == Primitive::free;
        if (given || is_kept(key)) {
            if (!noted[node]) (given ? p.given : p.kept).push_back(node);
            noted[node] = true;
            if (given) p.left_order = std::max(p.left_order, order);
            return;
        }
        p.steps.push_back(key);
        next.push_back(head[node]);
        head[node] = static_cast<std::uint32_t>(p.steps.size());
        check(node);
        if (kind == RungKind::impulse)
            p.impulse_rungs = std::max(p.impulse_rungs, static_cast<std::uint32_t>(order) + 1);
    }
    void want_impulses(NodeId n) {
        for (int i = 0; i < impulses(n); ++i) want(n, RungKind::impulse, i);
    }

    // What must be known to refuse what is not defined.
    void check(NodeId n) {
        if (checked[n]) return;
        checked[n] = true;
        const Node& node = d.nodes[n];
        const auto in = d.inputs_of(n);
        switch (traits_of(node.op).impulses) {
            case Impulses::refuse:
            case Impulses::sample:
                if (impulses(in[0]) + (node.op == Primitive::atan2 ? impulses(in[1]) : 0) == 0) return;
                p.refusing.push_back(n);
                want_impulses(in[0]);
                if (node.op == Primitive::atan2) want_impulses(in[1]);
                return;
            case Impulses::select:
                if (impulses(in[0]) + impulses(in[1]) + impulses(in[2]) == 0) return;
                p.refusing.push_back(n);
                for (const NodeId input : in) want_impulses(input);
                return;
            case Impulses::leibniz:
                if (impulses(in[0]) + impulses(in[1]) == 0) return;
                p.products.push_back(n);
                for (int side = 0; side < 2; ++side) {
                    want_impulses(in[side]);
                    p.left_order = std::max(p.left_order, impulses(in[side]) - 1);
                    for (int k = 0; k < impulses(in[side]); ++k) want(in[1 - side], RungKind::right, k);
                }
                return;
            default:
                return;
        }
    }

    // Calls f(node, kind, order) for each rung that `key` reads at the instant.
    template <class F>
    void reads(const Key& key, F f) {
        const Node& node = d.nodes[key.node];
        const auto in = d.inputs_of(key.node);
        const int order = key.order;
        if (key.kind == RungKind::decide) {
            f(in[0], RungKind::right, 0);
            return;
        }
        if (traits_of(node.op).branches) f(key.node, RungKind::decide, 0);
        if (key.kind == RungKind::impulse) return impulse_reads(node, in, order, f);
        switch (node.op) {
            case Primitive::integrator:
                if (order > 0) return f(in[0], RungKind::right, order - 1);
                f(in[0], RungKind::impulse, 0);
                if (in.size() == 1) return;
                f(in[1], RungKind::impulse, 0);
                if (d.parameters_of(key.node)[1] > 0) f(in[2], RungKind::right, 0);
                return;
            case Primitive::hold:
                if (order == 0) f(in[0], RungKind::right, 0);
                return;
            case Primitive::strength:
                if (order == 0) f(in[0], RungKind::impulse, 0);
                return;
            case Primitive::pre:
                if (order > 0 && pre_flows)
                    f(in[0], RungKind::right, order);
                else
                    p.left_order = std::max(p.left_order, order);
                return;
            default:
                break;
        }
        const Traits& traits = traits_of(node.op);
        const bool recurs =
            (traits.impulses == Impulses::refuse && node.op != Primitive::held) || node.op == Primitive::sine;
        for (int k = 0; k < order && recurs; ++k) f(key.node, RungKind::right, k);
        for (std::size_t j = 0; j < in.size(); ++j) {
            const int shift = shift_of(d, key.node, j);
            if (shift == unread) continue;
            const bool one = node.op == Primitive::affine || node.op == Primitive::held ||
                             node.op == Primitive::derivative || node.op == Primitive::decision ||
                             node.op == Primitive::assertion;
            for (int k = one ? order + shift : 0; k <= order + shift; ++k) f(in[j], RungKind::right, k);
        }
    }

    template <class F>
    void impulse_reads(const Node& node, std::span<const NodeId> in, int order, F f) {
        switch (traits_of(node.op).impulses) {
            case Impulses::linear:
                for (const NodeId input : in) f(input, RungKind::impulse, order);
                return;
            case Impulses::leibniz:
                for (const NodeId input : in)
                    for (int j = order; j < impulses(input); ++j) {
                        f(input, RungKind::impulse, j);
                        p.left_order = std::max(p.left_order, j);
                    }
                return;
            case Impulses::climb:
                f(in[0], RungKind::impulse, order + 1);
                return;
            case Impulses::fall:
                if (order == 0)
                    f(in[0], RungKind::right, 0);
                else
                    f(in[0], RungKind::impulse, order - 1);
                return;
            case Impulses::select:
                f(in[1], RungKind::impulse, order);
                f(in[2], RungKind::impulse, order);
                return;
            case Impulses::refuse:
                for (int i = 0; node.is_trigger() && i < impulses(in[0]); ++i) f(in[0], RungKind::impulse, i);
                return;
            default:
                return;
        }
    }
};

// Is a step linear in the members of its loop?
bool is_linear(const Diagram& d, const RungStep& step, std::size_t members_read) {
    if (step.kind != RungKind::right) return true;
    switch (d.nodes[step.node].op) {
        case Primitive::affine:
        case Primitive::integrator:
        case Primitive::derivative:
        case Primitive::decision:
        case Primitive::piecewise:
        case Primitive::floor:
        case Primitive::pre:
        case Primitive::hold:
        case Primitive::assertion:
        case Primitive::held:
            return true;
        case Primitive::product:
            return members_read <= 1 && d.inputs_of(step.node)[0] != d.inputs_of(step.node)[1];
        default:
            return step.order > 0;
    }
}

LoopShape shape_of(const Diagram& d, const InstantLoop& loop, std::span<const RungStep> members) {
    LoopShape shape;
    shape.guessed.assign(members.size(), 0);
    std::size_t e = members.size();  // the identity comes first
    for (std::uint32_t i = 0; i < members.size(); ++i) {
        shape.first.push_back(static_cast<std::uint32_t>(shape.columns.size()));
        for (; e < loop.rows.size() && loop.rows[e] == i; ++e) shape.columns.push_back(loop.columns[e]);
        const RungStep& step = members[i];
        const auto rung = static_cast<std::uint64_t>(step.kind) * 256 + step.order;
        shape.kind.push_back(mix(kind_of(d, step.node), rung));
        shape.nonlinear.push_back(!is_linear(d, step, shape.columns.size() - shape.first.back()));
    }
    shape.first.push_back(static_cast<std::uint32_t>(shape.columns.size()));
    return shape;
}

void order_steps(Collector& c, const Edges& edges) {
    InstantProgram& p = c.p;
    const auto n = static_cast<std::uint32_t>(p.steps.size());
    const Components components = strong_components(n, edges);
    std::vector<std::uint32_t> order(n);
    for (std::uint32_t i = 0; i < n; ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return components.of[a] < components.of[b]; });
    std::vector<std::uint32_t> place(n);
    for (std::uint32_t i = 0; i < n; ++i) place[order[i]] = i;
    std::vector<RungStep> steps(n);
    for (std::uint32_t i = 0; i < n; ++i) steps[i] = p.steps[order[i]];
    p.loop_at.assign(n, -1);
    for (std::uint32_t first = 0; first < n;) {
        std::uint32_t end = first + 1;
        while (end < n && components.of[order[end]] == components.of[order[first]]) ++end;
        InstantLoop loop{first, end - first, {}, {}, true};
        bool self = false;
        for (std::uint32_t i = first; i < end; ++i) {
            loop.rows.push_back(i - first);
            loop.columns.push_back(i - first);
        }
        for (std::uint32_t i = first; i < end; ++i) {
            auto edge = std::lower_bound(edges.begin(), edges.end(), std::pair{order[i], std::uint32_t{0}});
            std::size_t members = 0;
            for (; edge != edges.end() && edge->first == order[i]; ++edge) {
                const auto to = place[edge->second];
                if (to < first || to >= end) continue;
                self = self || to == i;
                ++members;
                loop.rows.push_back(i - first);
                loop.columns.push_back(to - first);
            }
            loop.affine = loop.affine && is_linear(c.d, steps[i], members);
        }
        if (end - first > 1 || self) {
            if (!loop.affine) loop.tearing = tear(shape_of(c.d, loop, {steps.data() + first, end - first}));
            p.loop_at[first] = static_cast<std::int32_t>(p.loops.size());
            p.loops.push_back(std::move(loop));
        }
        first = end;
    }
    p.steps.swap(steps);
}

}  // namespace

InstantProgram compile_instant(const Diagram& d, const std::vector<Reading>& regularity,
                               const std::vector<std::int16_t>& degree, const InstantDemand& demand) {
    const auto n = static_cast<NodeId>(d.nodes.size());
    Collector c{d, regularity, degree, demand.pre_flows, {}, {}, {}, {}, {}, {}, {}, {}, {}};
    c.find_looking_back();
    c.noted.assign(n, false);
    c.head.assign(n, 0);
    c.checked.assign(n, false);
    for (const NodeId node : demand.recorded) {
        c.want(node, RungKind::right, 0);
        c.want_impulses(node);
    }
    for (const NodeId node : demand.values) {
        c.want(node, RungKind::right, 0);
        c.want_impulses(node);
    }
    for (const NodeId node : demand.impulses) c.want_impulses(node);
    for (NodeId node = 0; node < n; ++node) {
        const Primitive op = d.nodes[node].op;
        if (op == Primitive::hold || op == Primitive::unit_delay) c.want(node, RungKind::right, 0);
        if (op == Primitive::integrator &&
            (c.impulses(d.inputs_of(node)[0]) > 0 || d.nodes[node].input_count > 1)) {
            c.want(node, RungKind::right, 0);
            c.p.jumping.push_back(node);
        }
        if (op == Primitive::unit_delay) c.want(d.inputs_of(node)[0], RungKind::right, 0);
        if (op == Primitive::delay) c.want_impulses(d.inputs_of(node)[0]);
        if (traits_of(op).branches) c.want(node, RungKind::decide, 0);
        if (op == Primitive::unit_delay || op == Primitive::crossing || op == Primitive::assertion)
            c.check(node);
    }
    for (const NodeId node : demand.defined) c.check(node);
    Edges edges;
    for (std::uint32_t i = 0; i < c.p.steps.size(); ++i)
        c.reads(Key(c.p.steps[i]), [&](NodeId node, RungKind kind, int order) { c.want(node, kind, order); });
    for (std::uint32_t i = 0; i < c.p.steps.size(); ++i) {
        const auto before = edges.size();
        c.reads(Key(c.p.steps[i]), [&](NodeId node, RungKind kind, int order) {
            const auto to = c.find({node, kind, static_cast<std::uint8_t>(order)});
            if (to != no_node) edges.emplace_back(i, to);
        });
        std::sort(edges.begin() + static_cast<std::ptrdiff_t>(before), edges.end());
        edges.erase(std::unique(edges.begin() + static_cast<std::ptrdiff_t>(before), edges.end()),
                    edges.end());
    }
    order_steps(c, edges);
    return std::move(c.p);
}

}  // namespace deltaflow
