// Demand, order and layout of flow programs.
#include "engine/compile/program.hpp"
#include "engine/compile/kinds.hpp"

#include "blocks/kernels.hpp"
#include "engine/limits.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace deltaflow {

namespace {

bool is_filled_in(Primitive op) {
    return op == Primitive::constant || op == Primitive::delay || op == Primitive::free;
}

// A cycle of nodes along which each demand came from the one before.
std::vector<NodeId> demand_cycle(NodeId node, const std::vector<NodeId>& from) {
    std::vector<bool> seen(from.size(), false);
    while (!seen[node]) {
        seen[node] = true;
        if (from[node] == no_node) return {node};
        node = from[node];
    }
    std::vector<NodeId> cycle{node};
    for (NodeId at = from[node]; at != node; at = from[at]) cycle.push_back(at);
    return cycle;
}

// offset[input] >= offset[node] + shift for every read, smallest from the roots down.
struct Demand {
    const Diagram& d;
    const std::vector<std::int16_t>& degree;
    bool values_only;
    std::vector<std::int16_t> offset;
    std::vector<NodeId> from, work;
    std::vector<bool> queued;

    void ask(NodeId node, int need, NodeId reader) {
        if (degree[node] < 0 || (values_only && need < 0) || offset[node] >= need) return;
        offset[node] = static_cast<std::int16_t>(need);
        from[node] = reader;
        if (need > limits::deepest_rung) throw EndlessDemand{demand_cycle(node, from)};
        if (!queued[node]) {
            queued[node] = true;
            work.push_back(node);
        }
    }

    void settle(std::span<const Root> roots) {
        offset.assign(d.nodes.size(), not_needed);
        from.assign(d.nodes.size(), no_node);
        queued.assign(d.nodes.size(), false);
        for (const Root& root : roots) ask(root.node, root.offset, no_node);
        while (!work.empty()) {
            std::vector<NodeId> now;
            now.swap(work);
            for (const NodeId node : now) {
                queued[node] = false;
                const auto inputs = d.inputs_of(node);
                for (std::size_t j = 0; j < inputs.size(); ++j)
                    if (const int shift = shift_of(d, node, j); shift != unread)
                        ask(inputs[j], offset[node] + shift, node);
            }
        }
    }
};

struct Compiler {
    const Diagram& d;
    Program p;
    std::vector<NodeId> nodes;            // those in the program
    std::vector<std::uint32_t> position;  // node -> index in nodes
    Edges edges;                          // between positions, without slack
    Components components;

    bool computed(NodeId n) const { return p.offset[n] != not_needed && !is_filled_in(d.nodes[n].op); }

    void collect() {
        position.assign(d.nodes.size(), no_node);
        for (NodeId n = 0; n < d.nodes.size(); ++n)
            if (computed(n)) {
                position[n] = static_cast<std::uint32_t>(nodes.size());
                nodes.push_back(n);
                p.highest = std::max<int>(p.highest, p.offset[n]);
            } else if (p.offset[n] != not_needed)
                p.highest = std::max<int>(p.highest, p.offset[n]);
        edges.reserve(d.inputs.size());
        for (std::uint32_t i = 0; i < nodes.size(); ++i) add_edges(i);
    }

    void add_edges(std::uint32_t i) {
        const NodeId n = nodes[i];
        const auto inputs = d.inputs_of(n);
        const auto before = edges.size();
        for (std::size_t j = 0; j < inputs.size(); ++j) {
            const int shift = shift_of(d, n, j);
            if (shift == unread || !computed(inputs[j])) continue;
            if (p.offset[inputs[j]] == p.offset[n] + shift) edges.emplace_back(i, position[inputs[j]]);
        }
        std::sort(edges.begin() + static_cast<std::ptrdiff_t>(before), edges.end());
    }

    // Components grouped by how deep they stand; within a level like stands beside like.
    void arrange() {
        components = strong_components(static_cast<std::uint32_t>(nodes.size()), edges);
        std::vector<std::uint32_t> size(components.count, 0), level(components.count, 0);
        for (const auto c : components.of) ++size[c];
        std::vector<bool> looped(components.count, false);
        for (std::uint32_t c = 0; c < components.count; ++c) looped[c] = size[c] > 1;
        for (const auto& [a, b] : edges)
            if (a == b) looped[components.of[a]] = true;
        // Components are numbered in evaluation order, so one pass over edges sorted by component settles
        // levels.
        std::vector<std::uint32_t> by_component(nodes.size()), next(components.count + 1, 0);
        for (const auto c : components.of) ++next[c + 1];
        std::partial_sum(next.begin(), next.end(), next.begin());
        for (std::uint32_t v = 0; v < nodes.size(); ++v) by_component[next[components.of[v]]++] = v;
        std::vector<std::uint32_t> first_edge(nodes.size() + 1, 0);
        for (const auto& edge : edges) ++first_edge[edge.first + 1];
        std::partial_sum(first_edge.begin(), first_edge.end(), first_edge.begin());
        for (const auto v : by_component)
            for (auto e = first_edge[v]; e < first_edge[v + 1]; ++e) {
                const auto a = components.of[v], b = components.of[edges[e].second];
                if (a != b) level[a] = std::max(level[a], level[b] + 1);
            }
        std::vector<Key> keys;
        keys.reserve(nodes.size());
        const std::vector<std::uint32_t> shape = shapes();
        for (std::uint32_t v = 0; v < nodes.size(); ++v) {
            const auto c = components.of[v];
            const Node& node = d.nodes[nodes[v]];
            Key key{level[c], looped[c] ? c + 1 : 0, 0, shape[v], v};
            key.kind = (static_cast<std::uint64_t>(node.op) << 48) | (std::uint64_t{node.input_count} << 16) |
                       static_cast<std::uint16_t>(p.offset[nodes[v]] + 0x4000);
            if (looped[c]) key.kind = key.shape = 0;
            keys.push_back(key);
        }
        std::sort(keys.begin(), keys.end());
        emit(keys);
    }

    // What is evaluated side by side: same level, same loop, same kind; like coefficients together.
    struct Key {
        std::uint32_t level, loop;
        std::uint64_t kind;
        std::uint32_t shape, vertex;
        friend auto operator<=>(const Key&, const Key&) = default;
        bool runs_with(const Key& k) const { return level == k.level && loop == k.loop && kind == k.kind; }
    };

    // Numbers the sets of coefficients, if they are few: equal affine blocks then stand side by side.
    std::vector<std::uint32_t> shapes() const {
        std::vector<std::uint32_t> result(nodes.size(), 0);
        const auto less = [](std::span<const double> a, std::span<const double> b) {
            return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
        };
        std::map<std::span<const double>, std::uint32_t, decltype(less)> known(less);
        const std::size_t most = 64 + nodes.size() / 1000;
        for (std::uint32_t v = 0; v < nodes.size(); ++v) {
            if (d.nodes[nodes[v]].op != Primitive::affine) continue;
            result[v] = known.try_emplace(d.parameters_of(nodes[v]), static_cast<std::uint32_t>(known.size()))
                            .first->second;
            if (known.size() > most) return std::vector<std::uint32_t>(nodes.size(), 0);
        }
        return result;
    }

    void emit(const std::vector<Key>& keys) {
        for (std::size_t i = 0; i < keys.size();) {
            const Key& head = keys[i];
            const NodeId n = nodes[head.vertex];
            Run run{.op = d.nodes[n].op, .offset = p.offset[n]};
            run.first = static_cast<std::uint32_t>(p.order.size());
            for (; i < keys.size() && keys[i].runs_with(head); ++i) p.order.push_back(nodes[keys[i].vertex]);
            run.count = static_cast<std::uint32_t>(p.order.size()) - run.first;
            if (head.loop != 0) {
                run.loop = static_cast<int>(p.loops.size());
                p.loops.push_back(make_loop({p.order.data() + run.first, run.count}));
            }
            p.runs.push_back(run);
        }
    }

    Loop make_loop(std::span<const NodeId> members) const {
        Loop loop;
        std::vector<std::pair<NodeId, std::uint32_t>> index;
        for (const NodeId n : members) {
            index.emplace_back(n, static_cast<std::uint32_t>(loop.members.size()));
            loop.members.push_back({n, p.offset[n]});
            const int lowest = d.nodes[n].op == Primitive::integrator ? 1 : 0;
            loop.full_stage = std::max(loop.full_stage, lowest - p.offset[n]);
        }
        std::sort(index.begin(), index.end());
        loop.affine = loop.constant = true;
        for (const auto& member : loop.members) add_row(loop, member, index);
        loop.first.push_back(static_cast<std::uint32_t>(loop.columns.size()));
        if (!loop.affine) loop.tearing = tear(shape_of(loop));
        return loop;
    }

    LoopShape shape_of(const Loop& loop) const {
        LoopShape shape{loop.first, loop.columns, {}, {}, {}};
        for (std::size_t i = 0; i < loop.members.size(); ++i) {
            const auto [n, offset] = loop.members[i];
            shape.kind.push_back(mix(kind_of(d, n), static_cast<std::uint64_t>(offset)));
            shape.nonlinear.push_back(!is_linear(n, loop.first[i + 1] - loop.first[i]));
            shape.guessed.push_back(std::any_of(d.guesses.begin(), d.guesses.end(),
                                                [n = n](const auto& guess) { return guess.first == n; }));
        }
        return shape;
    }
    // In what it reads of its loop, `members` of them.
    bool is_linear(NodeId n, std::size_t members) const {
        const Primitive op = d.nodes[n].op;
        const Traits& traits = traits_of(op);
        return traits.impulses == Impulses::linear || traits.impulses == Impulses::climb ||
               traits.impulses == Impulses::fall || traits.impulses == Impulses::select ||
               op == Primitive::pre || op == Primitive::piecewise || op == Primitive::assertion ||
               op == Primitive::held ||
               (op == Primitive::product && members == 1 && d.inputs_of(n)[0] != d.inputs_of(n)[1]);
    }

    void add_row(Loop& loop, const Loop::Member& member,
                 const std::vector<std::pair<NodeId, std::uint32_t>>& index) const {
        loop.first.push_back(static_cast<std::uint32_t>(loop.columns.size()));
        const auto inputs = d.inputs_of(member.node);
        std::vector<std::uint32_t> row;
        for (std::size_t j = 0; j < inputs.size(); ++j) {
            const int shift = shift_of(d, member.node, j);
            if (shift == unread || p.offset[inputs[j]] != member.offset + shift) continue;
            const auto at =
                std::lower_bound(index.begin(), index.end(), std::pair{inputs[j], std::uint32_t{0}});
            if (at != index.end() && at->first == inputs[j]) row.push_back(at->second);
        }
        const bool linear = is_linear(member.node, row.size());
        if (!linear) loop.affine = false;
        if (!linear || d.nodes[member.node].op == Primitive::product) loop.constant = false;
        std::sort(row.begin(), row.end());
        row.erase(std::unique(row.begin(), row.end()), row.end());
        loop.columns.insert(loop.columns.end(), row.begin(), row.end());
    }
};

// Splits runs into stretches with constant distances, where that pays.
struct Batcher {
    const Diagram& d;
    Program& p;
    std::vector<Run> runs;

    bool continues(std::uint32_t from, std::uint32_t at) const {
        const NodeId a = p.order[at - 1], b = p.order[at];
        if (b != a + 1) return false;
        if (d.nodes[a].parameter_count != d.nodes[b].parameter_count ||
            d.nodes[b].first_parameter - d.nodes[a].first_parameter != d.nodes[a].parameter_count)
            return false;
        if (at - 1 == from) return true;
        const auto before = d.inputs_of(p.order[at - 2]), left = d.inputs_of(a), right = d.inputs_of(b);
        for (std::size_t j = 0; j < right.size(); ++j)
            if (std::int64_t{right[j]} - left[j] != std::int64_t{left[j]} - before[j]) return false;
        return true;
    }

    bool same_coefficients(std::uint32_t first, std::uint32_t count) const {
        const auto head = d.parameters_of(p.order[first]);
        for (std::uint32_t i = 1; i < count; ++i) {
            const auto next = d.parameters_of(p.order[first + i]);
            if (!std::equal(head.begin(), head.end(), next.begin())) return false;
        }
        return true;
    }

    void add(const Run& run, std::uint32_t first, std::uint32_t count) {
        Run part = run;
        part.first = first;
        part.count = count;
        if (count >= 4) {
            const NodeId head = p.order[first];
            part.batch = static_cast<int>(p.batches.size());
            Batch batch{.out = head, .terms = d.nodes[head].input_count};
            batch.first_input = static_cast<std::uint32_t>(p.batch_inputs.size());
            batch.first_parameter = d.nodes[head].first_parameter;
            batch.parameter_step = same_coefficients(first, count) ? 0 : d.nodes[head].parameter_count;
            const auto a = d.inputs_of(head), b = d.inputs_of(p.order[first + 1]);
            for (std::size_t j = 0; j < a.size(); ++j)
                p.batch_inputs.emplace_back(a[j], std::int64_t{b[j]} - std::int64_t{a[j]});
            p.batches.push_back(batch);
        } else if (!runs.empty() && runs.back().batch < 0 && runs.back().loop < 0 &&
                   runs.back().op == run.op && runs.back().offset == run.offset &&
                   runs.back().first + runs.back().count == first) {
            runs.back().count += count;
            return;
        }
        runs.push_back(part);
    }

    void split() {
        for (const Run& run : p.runs) {
            if (run.loop >= 0 || d.nodes[p.order[run.first]].input_count > limits::batch_inputs) {
                runs.push_back(run);
                continue;
            }
            std::uint32_t first = run.first;
            for (std::uint32_t i = run.first + 1; i <= run.first + run.count; ++i)
                if (i == run.first + run.count || !continues(first, i)) {
                    add(run, first, i - first);
                    first = i;
                }
        }
        p.runs.swap(runs);
    }
};

}  // namespace

Program compile(const Diagram& d, std::span<const Root> roots, const std::vector<std::int16_t>& degree,
                bool values_only) {
    Demand demand{d, degree, values_only, {}, {}, {}, {}};
    demand.settle(roots);
    Compiler compiler{d, {}, {}, {}, {}, {}};
    compiler.p.offset = std::move(demand.offset);
    compiler.collect();
    compiler.arrange();
    Batcher{d, compiler.p, {}}.split();
    return std::move(compiler.p);
}

}  // namespace deltaflow
