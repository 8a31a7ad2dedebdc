// The constitutive relations of a mode, one definition for each signal.
#include "bonds/lower.hpp"

#include "blocks/fraction_book.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace deltaflow::bonds {

Lowering::Lowering(const Graph& g, const Diagram& base, const std::vector<NodeId>& wanted)
    : graph(&g), ports(g), read(base.nodes.size(), 0) {
    for (const NodeId n : base.inputs) read[n] = 1;
    for (const NodeId n : wanted) read[n] = 1;
}

namespace {

using Index = std::uint32_t;

// What a free node is in this mode.
struct Definition {
    Primitive op = Primitive::constant;
    std::vector<NodeId> inputs;
    std::vector<double> parameters{0.0};
};

struct Term {
    double factor;
    NodeId node;
};

class ModeLowering {
public:
    ModeLowering(const Diagram& base, const Lowering& lowering, const Mode& mode, const Causality& c)
        : base_(base), low_(lowering), g_(*lowering.graph), mode_(mode), c_(c), slot_(base.nodes.size(), 0) {}

    Diagram run() {
        for (Index x = 0; x < g_.elements.size(); ++x) define_element(x);
        for (std::size_t a = 0; a < g_.automata.size(); ++a)
            for (std::size_t s = 0; s < g_.automata[a].signals.size(); ++s)
                define_constant(g_.automata[a].signals[s], mode_[a] == s ? 1 : 0);
        if (g_.total_energy != no_node) define_total();
        fold_constants();
        return assemble();
    }

private:
    // Definitions
    Definition& define(NodeId n, Definition d) {
        if (slot_[n] == 0) {
            definitions_.emplace_back();
            slot_[n] = static_cast<Index>(definitions_.size());
        }
        return definitions_[slot_[n] - 1] = std::move(d);
    }
    void define_constant(NodeId n, double value) {
        if (n != no_node) define(n, {Primitive::constant, {}, {value}});
    }
    void define_sum(NodeId n, const std::vector<Term>& terms) {
        if (n == no_node) return;
        if (terms.empty()) return define_constant(n, 0);
        Definition d{Primitive::affine, {}, {0.0}};
        for (const Term& term : terms) {
            d.inputs.push_back(term.node);
            d.parameters.push_back(term.factor);
        }
        define(n, std::move(d));
    }
    void define_equal(NodeId n, double factor, NodeId of) { define_sum(n, {{factor, of}}); }
    // value * of, where the value is a number or a signal (or its inverse).
    void define_scaled(NodeId n, const Element& e, bool inverse, NodeId of) {
        if (e.parameter == no_node) return define_equal(n, inverse ? noted_quotient(1, e.value) : e.value, of);
        define(n, {Primitive::product, {inverse ? e.inverse : e.parameter, of}, {}});
    }
    void define_integral(NodeId n, NodeId of, double initial) {
        define(n, {Primitive::integrator, {of}, {initial}});
    }
    // An integral that nothing depends on but its readers.
    void define_reading(NodeId n, NodeId of, double initial) {
        if (n == no_node) return;
        if (low_.read[n])
            define_integral(n, of, initial);
        else
            define_constant(n, initial);
    }
    // law(x) = y solved for x: x = x + (y - law(x)), for Newton.
    void define_solved(NodeId x, NodeId y, NodeId law) { define_sum(x, {{1, x}, {1, y}, {-1, law}}); }

    // Elements
    Index port(Index x) const { return low_.ports.of(x)[0]; }
    const Bond& bond(Index b) const { return g_.bonds[b]; }
    bool sets_effort(Index x, Index b) const { return c_.sets_effort(g_, x, b); }
    // Power counts into R, C, I and switches, and out of sources.
    double sign_of(Index x, Index b) const {
        return (bond(b).to == x) != g_.elements[x].is_source() ? 1 : -1;
    }

    void define_element(Index x) {
        const Element& e = g_.elements[x];
        switch (e.type) {
            case Type::R:
                return connect(x, define_resistor(x, e));
            case Type::C:
                return connect(x, define_capacitor(x, e));
            case Type::I:
                return connect(x, define_inertia(x, e));
            case Type::Se:
                define_source(e.effort, e);
                return connect(x, true);
            case Type::Sf:
                define_source(e.flow, e);
                return connect(x, false);
            case Type::Sw: {
                const bool on = is_on(g_, e, mode_);
                define_constant(on ? e.effort : e.flow, 0);
                return connect(x, on);
            }
            case Type::TF:
                return define_transformer(x, e);
            case Type::GY:
                return define_gyrator(x, e);
            case Type::zero:
            case Type::one:
                return define_junction(x, e);
        }
    }

    // Ties an element's own signals to those of its bond.
    void connect(Index x, bool effort) {
        const Element& e = g_.elements[x];
        const Index b = port(x);
        const double s = sign_of(x, b);
        if (effort) {
            define_equal(bond(b).effort, 1, e.effort);
            define_equal(e.flow, s, bond(b).flow);
        } else {
            define_equal(e.effort, 1, bond(b).effort);
            define_equal(bond(b).flow, s, e.flow);
        }
    }
    void define_source(NodeId n, const Element& e) {
        if (e.parameter == no_node)
            define_constant(n, e.value);
        else
            define_equal(n, 1, e.parameter);
    }

    // e = R f; each gives "does it compute the effort?".
    bool define_resistor(Index x, const Element& e) {
        const bool effort = sets_effort(x, port(x));
        if (e.law == no_node)
            define_scaled(effort ? e.effort : e.flow, e, !effort, effort ? e.flow : e.effort);
        else if (effort)
            define_equal(e.effort, 1, e.law);
        else
            define_solved(e.flow, e.effort, e.law);
        return effort;
    }

    // e = q / C, f = dq/dt
    bool define_capacitor(Index x, const Element& e) {
        const bool integral = !c_.dependent[x];
        define_storage(e, integral, e.displacement, e.flow, e.effort, e.initial_displacement);
        define_reading(e.momentum, e.effort, e.initial_momentum);
        return integral;
    }
    // f = p / I, e = dp/dt
    bool define_inertia(Index x, const Element& e) {
        const bool integral = !c_.dependent[x];
        define_storage(e, integral, e.momentum, e.effort, e.flow, e.initial_momentum);
        define_reading(e.displacement, e.flow, e.initial_displacement);
        return !integral;
    }
    // state = integral of `in`, out = state / value or law(state); or the other way round.
    void define_storage(const Element& e, bool integral, NodeId state, NodeId in, NodeId out,
                        double initial) {
        if (integral) {
            define_integral(state, in, initial);
            define_equal(out, e.law == no_node ? noted_quotient(1, e.value) : 1, e.law == no_node ? state : e.law);
        } else {
            if (e.law == no_node)
                define_equal(state, e.value, out);
            else
                define_solved(state, out, e.law);
            define(in, {Primitive::derivative, {state}, {}});
        }
    }

    // The bond into a two-port, and the one out of it.
    std::pair<Index, Index> in_and_out(Index x) const {
        const auto bonds = low_.ports.of(x);
        return bond(bonds[0]).to == x ? std::pair{bonds[0], bonds[1]} : std::pair{bonds[1], bonds[0]};
    }
    // e_in = r e_out, f_out = r f_in
    void define_transformer(Index x, const Element& e) {
        const auto [in, out] = in_and_out(x);
        if (sets_effort(x, in)) {
            define_scaled(bond(in).effort, e, false, bond(out).effort);
            define_scaled(bond(out).flow, e, false, bond(in).flow);
        } else {
            define_scaled(bond(out).effort, e, true, bond(in).effort);
            define_scaled(bond(in).flow, e, true, bond(out).flow);
        }
    }
    // e_in = r f_out, e_out = r f_in
    void define_gyrator(Index x, const Element& e) {
        const auto [in, out] = in_and_out(x);
        if (sets_effort(x, in)) {
            define_scaled(bond(in).effort, e, false, bond(out).flow);
            define_scaled(bond(out).effort, e, false, bond(in).flow);
        } else {
            define_scaled(bond(out).flow, e, true, bond(in).effort);
            define_scaled(bond(in).flow, e, true, bond(out).effort);
        }
    }

    // A junction that is off is a source of nothing on each of its bonds (004, figure 6).
    void define_junction(Index x, const Element& e) {
        const bool zero = e.type == Type::zero;
        const NodeId own = zero ? e.effort : e.flow;
        const auto common = [&](Index b) { return zero ? bond(b).effort : bond(b).flow; };
        const auto summed = [&](Index b) { return zero ? bond(b).flow : bond(b).effort; };
        if (!is_on(g_, e, mode_)) {
            for (const Index b : low_.ports.of(x))
                define_constant(e.off == Off::effort ? bond(b).effort : bond(b).flow, 0);
            define_constant(own, 0);
            return;
        }
        const auto bonds = low_.ports.of(x);
        const auto strong =
            *std::find_if(bonds.begin(), bonds.end(), [&](Index b) { return sets_effort(x, b) != zero; });
        const auto inwards = [&](Index b) { return bond(b).to == x ? 1.0 : -1.0; };
        std::vector<Term> terms;
        for (const Index b : bonds) {
            if (b == strong) continue;
            define_equal(common(b), 1, common(strong));
            terms.push_back({-inwards(b) / inwards(strong), summed(b)});
        }
        define_sum(summed(strong), terms);
        define_equal(own, 1, common(strong));
    }

    void define_total() {
        std::vector<Term> terms;
        for (const Element& e : g_.elements)
            if (e.energy != no_node) terms.push_back({1, e.energy});
        define_sum(g_.total_energy, terms);
    }

    // A node as it is in this mode.
    const Definition* definition(NodeId n) const { return slot_[n] ? &definitions_[slot_[n] - 1] : nullptr; }
    std::optional<double> constant(NodeId n) const {
        if (const Definition* d = definition(n))
            return d->op == Primitive::constant ? std::optional(d->parameters[0]) : std::nullopt;
        if (base_.nodes[n].op != Primitive::constant) return std::nullopt;
        return base_.parameters_of(n)[0];
    }

    // States of automata reach impulses as factors: what follows from them alone is constant, and a product
    // with a constant is a scaling.
    void fold_constants() {
        if (g_.automata.empty()) return;
        std::vector<std::vector<NodeId>> readers(base_.nodes.size());
        for (NodeId n = 0; n < base_.nodes.size(); ++n)
            if (is_algebra(base_.nodes[n].op))
                for (const NodeId input : base_.inputs_of(n)) readers[input].push_back(n);
        std::vector<NodeId> work;
        for (const Automaton& a : g_.automata) work.insert(work.end(), a.signals.begin(), a.signals.end());
        while (!work.empty()) {
            const NodeId n = work.back();
            work.pop_back();
            for (const NodeId reader : readers[n])
                if (fold(reader)) work.push_back(reader);
        }
    }
    static bool is_algebra(Primitive op) { return op == Primitive::affine || op == Primitive::product; }

    bool fold(NodeId n) {
        if (slot_[n]) return false;
        const auto inputs = base_.inputs_of(n);
        const auto p = base_.parameters_of(n);
        if (base_.nodes[n].op == Primitive::product) return fold_product(n, inputs[0], inputs[1]);
        double sum = p[0];
        for (std::size_t j = 0; j < inputs.size(); ++j) {
            const auto c = constant(inputs[j]);
            if (!c) return false;
            sum += p[j + 1] * *c;
        }
        define_constant(n, sum);
        return true;
    }
    bool fold_product(NodeId n, NodeId u, NodeId v) {
        const auto a = constant(u), b = constant(v);
        if (a && b) {
            define_constant(n, *a * *b);
            return true;
        }
        if (a) define_equal(n, *a, v);
        if (b) define_equal(n, *b, u);
        return false;
    }

    // Where a signal is plus or minus another one, sums and integrators read that one; `sign` tells which.
    // (Others look at left limits, too, and before a change of mode the two may have differed.)
    NodeId origin(NodeId n, bool sums, double& sign) const {
        sign = 1;
        for (std::size_t steps = 0; steps < base_.nodes.size(); ++steps) {
            const Definition* d = definition(n);
            if (!d || d->op != Primitive::affine || d->inputs.size() != 1 || d->parameters[0] != 0) break;
            const double factor = d->parameters[1];
            if (factor != 1 && !(sums && factor == -1)) break;
            sign *= factor;
            n = d->inputs[0];
        }
        return n;
    }

    Diagram assemble() {
        Diagram out;
        out.nodes.reserve(base_.nodes.size());
        out.inputs.reserve(base_.inputs.size());
        for (NodeId n = 0; n < base_.nodes.size(); ++n) {
            if (const Definition* d = definition(n)) {
                Node node{.op = d->op};
                append(out, node, d->inputs, d->parameters);
            } else if (base_.nodes[n].op == Primitive::free) {
                append(out, {.op = Primitive::constant}, {}, std::array{0.0});
            } else {
                append(out, base_.nodes[n], base_.inputs_of(n), base_.parameters_of(n));
            }
        }
        out.schedules = base_.schedules;
        out.clocks = base_.clocks;
        out.messages = base_.messages;
        out.guesses = base_.guesses;
        return out;
    }
    void append(Diagram& out, Node node, std::span<const NodeId> inputs,
                std::span<const double> parameters) const {
        node.first_input = static_cast<std::uint32_t>(out.inputs.size());
        node.input_count = static_cast<std::uint32_t>(inputs.size());
        node.first_parameter = static_cast<std::uint32_t>(out.parameters.size());
        node.parameter_count = static_cast<std::uint32_t>(parameters.size());
        out.parameters.insert(out.parameters.end(), parameters.begin(), parameters.end());
        const bool sums = node.op == Primitive::affine;
        const bool shortened = sums || node.op == Primitive::integrator;
        for (std::size_t j = 0; j < inputs.size(); ++j) {
            double sign = 1;
            const NodeId from = shortened ? origin(inputs[j], sums, sign) : inputs[j];
            out.inputs.push_back(from);
            if (sums) out.parameters[node.first_parameter + j + 1] *= sign;
        }
        out.nodes.push_back(node);
    }

    const Diagram& base_;
    const Lowering& low_;
    const Graph& g_;
    const Mode& mode_;
    const Causality& c_;
    std::vector<Index> slot_;  // node -> definition + 1
    std::vector<Definition> definitions_;
};

}  // namespace

Diagram lower_mode(const Diagram& base, const Lowering& lowering, const Mode& mode, const Causality& c) {
    return ModeLowering(base, lowering, mode, c).run();
}

}  // namespace deltaflow::bonds
