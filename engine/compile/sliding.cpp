// Surfaces, the order of their conditions, and the diagram in which blocks are held.
#include "engine/compile/sliding.hpp"

#include "blocks/distances.hpp"
#include "blocks/kernels.hpp"
#include "engine/limits.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace deltaflow {

namespace {

// A weight, a difference and a product: so many nodes belong to a surface at the end of a held diagram.
constexpr NodeId nodes_of_surface = 3;

// What a block with sides that are numbers gives on a branch, at the threshold.
double side_of(const Diagram& d, const Surface& s, std::int32_t branch) {
    if (d.nodes[s.block].op == Primitive::sign) return branch;
    const auto p = d.parameters_of(s.block);
    const auto* piece = &p[1 + static_cast<std::size_t>(p[0]) + 3 * static_cast<std::size_t>(branch)];
    return piece[0] + piece[1] * (s.threshold - piece[2]);
}

void add_pieces(const Diagram& d, NodeId n, std::vector<Surface>& surfaces) {
    const auto p = d.parameters_of(n);
    for (int i = 0; i < static_cast<int>(p[0]); ++i) {
        const Surface s{n, d.inputs_of(n)[0], p[1 + static_cast<std::size_t>(i)], i, i + 1};
        const double low = side_of(d, s, i), high = side_of(d, s, i + 1);
        if (std::abs(high - low) > 1e-14 * (std::abs(high) + std::abs(low))) surfaces.push_back(s);
    }
}

// c0 + sum ci ui, down to what is no sum; equal formulas count as one. c0 stands under a number that no node
// has.
class Forms {
public:
    explicit Forms(const Diagram& d) : d_(d) {}
    using Form = std::map<NodeId, double>;

    Form of(const Surface& s) {
        Form form;
        add(s.condition, 1, form, limits::magnitude_depth);
        form[no_node] -= s.threshold;
        std::erase_if(form, [](const auto& term) { return term.second == 0; });
        return form;
    }

private:
    void add(NodeId n, double factor, Form& form, int depth) {
        const auto p = d_.parameters_of(n);
        if (d_.nodes[n].op == Primitive::constant) {
            form[no_node] += factor * p[0];
        } else if (d_.nodes[n].op == Primitive::affine && depth > 0) {
            form[no_node] += factor * p[0];
            for (std::size_t j = 0; j < d_.inputs_of(n).size(); ++j)
                if (p[j + 1] != 0) add(d_.inputs_of(n)[j], factor * p[j + 1], form, depth - 1);
        } else {
            form[first_equal(n)] += factor;
        }
    }

    // The first node met that has the same formula.
    NodeId first_equal(NodeId n) {
        const auto [at, is_new] = equal_.try_emplace(n, n);
        if (!is_new) return at->second;
        const Node& node = d_.nodes[n];
        const Traits& traits = traits_of(node.op);
        const bool formula = node.op == Primitive::affine || node.op == Primitive::product ||
                             (traits.impulses == Impulses::refuse && !traits.branches &&
                              node.op != Primitive::crossing && node.op != Primitive::held);
        if (!formula && !traits.sources) return n;
        std::vector<double> key{static_cast<double>(node.op), static_cast<double>(node.extra)};
        key.insert(key.end(), d_.parameters_of(n).begin(), d_.parameters_of(n).end());
        std::vector<NodeId> inputs;
        for (std::size_t j = 0; j < d_.inputs_of(n).size(); ++j)  // not the partners of functions
            if (traits.shift(j) == 0) inputs.push_back(first_equal(d_.inputs_of(n)[j]));
        if (node.op == Primitive::product) std::sort(inputs.begin(), inputs.end());
        key.insert(key.end(), inputs.begin(), inputs.end());
        return equal_[n] = known_.try_emplace(std::move(key), n).first->second;
    }

    const Diagram& d_;
    std::map<NodeId, NodeId> equal_;
    std::map<std::vector<double>, NodeId> known_;
};

int compare(const Forms::Form& a, const Forms::Form& b) {
    if (a.size() != b.size() || a.empty()) return 0;
    const double ratio = b.begin()->second / a.begin()->second;
    for (auto x = a.begin(), y = b.begin(); x != a.end(); ++x, ++y)
        if (x->first != y->first || std::abs(y->second - ratio * x->second) > 1e-13 * std::abs(y->second))
            return 0;
    return ratio > 0 ? 1 : -1;
}

// How many integrators lie at least between the held blocks and each node, under the branches in force.
std::vector<int> distances_in(const Diagram& d, const std::vector<std::int32_t>& branch,
                              const std::vector<NodeId>& held) {
    return distances(d, held, [&](NodeId reader, std::size_t j) {
        const auto p = d.parameters_of(reader);
        if (d.nodes[reader].op == Primitive::decision) return j == (branch[reader] == 1 ? 1u : 2u);
        if (d.nodes[reader].op != Primitive::piecewise) return true;
        return p[2 + static_cast<std::size_t>(p[0]) + 3 * static_cast<std::size_t>(branch[reader])] != 0;
    });
}

// The held diagram, node by node.
struct Holding {
    System& s;
    const std::vector<Surface>& surfaces;
    NodeId first;  // of the nodes at the end

    NodeId weight(std::uint32_t surface) const { return first + nodes_of_surface * surface; }

    void define(NodeId n, Primitive op, std::initializer_list<NodeId> inputs,
                std::initializer_list<double> parameters) const {
        Diagram& d = s.d;
        d.nodes[n] = {op,
                      static_cast<std::uint32_t>(d.inputs.size()),
                      static_cast<std::uint32_t>(inputs.size()),
                      static_cast<std::uint32_t>(d.parameters.size()),
                      static_cast<std::uint32_t>(parameters.size()),
                      0};
        d.inputs.insert(d.inputs.end(), inputs);
        d.parameters.insert(d.parameters.end(), parameters);
    }
    void make_room() const {
        for (std::uint32_t i = 0; i < surfaces.size(); ++i)
            for (NodeId k = 0; k < nodes_of_surface; ++k) {
                s.d.nodes.emplace_back();
                s.origin.push_back(s.origin[surfaces[i].block]);
                define(weight(i) + k, Primitive::constant, {}, {0.0});
            }
        if (!s.at_most.empty()) s.at_most.resize(s.d.nodes.size(), Regularity::smooth);
    }
    // low + w (high - low)
    void define_output(std::uint32_t i) const {
        const Surface& surface = surfaces[i];
        const NodeId n = surface.block, w = weight(i);
        if (s.d.nodes[n].op != Primitive::decision) {
            const double low = side_of(s.d, surface, surface.low), high = side_of(s.d, surface, surface.high);
            return define(n, Primitive::affine, {w}, {low, high - low});
        }
        const NodeId high = s.d.inputs_of(n)[1], low = s.d.inputs_of(n)[2];
        define(w + 1, Primitive::affine, {high, low}, {0.0, 1.0, -1.0});
        define(w + 2, Primitive::product, {w, w + 1}, {});
        define(n, Primitive::affine, {low, w + 2}, {0.0, 1.0, 1.0});
    }
    void define_weight(const Held& held, const HeldSurface* leader, int side) const {
        const Surface& surface = surfaces[held.surface];
        const NodeId w = weight(held.surface);
        if (!leader)
            define(w, Primitive::held, {surface.condition, w},
                   {static_cast<double>(held.order), surface.threshold, 1.0});
        else
            define(w, Primitive::affine, {leader->weight}, {side > 0 ? 0.0 : 1.0, side > 0 ? 1.0 : -1.0});
    }
};

// What compiling finds anew.
void forget_compiled(System& s) {
    for (auto* list : {&s.states, &s.branchers, &s.crossings, &s.assertions, &s.singular, &s.delays,
                       &s.schedules, &s.sampled, &s.controlled, &s.unread})
        list->clear();
    for (Program* p :
         {&s.series, &s.germ, &s.whole, &s.derivative, &s.output, &s.conditions, &s.confirmation, &s.ledger})
        *p = Program();
}

}  // namespace

std::vector<Surface> surfaces_of(const System& s) {
    std::vector<Surface> surfaces;
    std::vector<NodeId> blocks = s.branchers;
    std::sort(blocks.begin(), blocks.end(), [&](NodeId a, NodeId b) { return s.origin[a] < s.origin[b]; });
    for (const NodeId n : blocks) {
        const NodeId c = s.d.inputs_of(n)[0];
        if (s.d.nodes[n].op == Primitive::decision) surfaces.push_back({n, c, 0, 0, 1});
        if (s.d.nodes[n].op == Primitive::sign) surfaces.push_back({n, c, 0, -1, 1});
        if (s.d.nodes[n].op == Primitive::piecewise) add_pieces(s.d, n, surfaces);
    }
    return surfaces;
}

int same_surface(const Diagram& d, const Surface& a, const Surface& b) {
    Forms forms(d);
    const auto first = forms.of(a);
    return compare(first, forms.of(b));
}

std::optional<std::vector<Held>> held_together(const System& s, const std::vector<Surface>& surfaces,
                                               const std::vector<std::int32_t>& branch,
                                               std::vector<std::uint32_t> wanted) {
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    std::vector<NodeId> blocks;
    for (const std::uint32_t i : wanted) blocks.push_back(surfaces[i].block);
    const std::vector<int> distance = distances_in(s.d, branch, blocks);
    std::vector<Held> held;
    for (const std::uint32_t i : wanted) {
        const int order = distance[surfaces[i].condition];
        if (order < 1 || order > limits::sliding_order) return std::nullopt;
        held.push_back({i, order});
    }
    return held;
}

System hold(const System& base, const std::vector<Surface>& surfaces, const std::vector<Held>& held,
            const Settings& settings) {
    System s = base;
    forget_compiled(s);
    s.released = &base;
    const Holding holding{s, surfaces, static_cast<NodeId>(base.d.nodes.size())};
    holding.make_room();
    Forms forms(base.d);
    std::vector<Forms::Form> known;
    for (const Held& h : held) {
        const Surface& surface = surfaces[h.surface];
        known.push_back(forms.of(surface));
        const HeldSurface* leader = nullptr;
        int side = 0;
        for (std::size_t i = 0; i < s.held.size() && !leader; ++i)
            if (s.held[i].leads && (side = compare(known[i], known.back())) != 0) leader = &s.held[i];
        holding.define_weight(h, leader, side);
        s.held.push_back({h, surface.block, surface.condition, surface.threshold, holding.weight(h.surface),
                          leader == nullptr});
    }
    for (const Held& h : held) holding.define_output(h.surface);
    std::erase_if(s.guard_branchers, [&](NodeId n) { return !traits_of(s.d.nodes[n].op).branches; });
    compile_system(s, settings);
    return s;
}

const std::vector<Surface>& HeldSystems::surfaces(const System& s) {
    if (!surfaces_) surfaces_ = surfaces_of(s.released ? *s.released : s);
    return *surfaces_;
}

const System* HeldSystems::of(const System& s, const std::vector<Held>& held) {
    auto& known = known_[{&s, held}];
    try {
        if (!known) known = std::make_unique<System>(hold(s, surfaces(s), held, settings_));
    } catch (const EndlessDemand&) {
        return nullptr;
    }
    return known.get();
}

}  // namespace deltaflow
