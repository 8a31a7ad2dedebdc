// Definitions of the free nodes of a diagram: causality decides which equation gives which signal.
#include "bonds/lower.hpp"

#include "blocks/fraction_book.hpp"
#include "bonds/complement.hpp"

#include <algorithm>
#include <utility>

namespace deltaflow::bonds {

namespace {

using Index = std::uint32_t;
constexpr Index no_bond = ~Index{0};

struct Term {
    double factor;
    NodeId node;
};

std::vector<NodeId> states_of(const Graph& g) {
    std::vector<NodeId> states;
    for (const Automaton& a : g.automata) states.insert(states.end(), a.signals.begin(), a.signals.end());
    return states;
}

}  // namespace

class Lowering::Body {
public:
    Body(const Graph& g, const Diagram& base, const std::vector<NodeId>& wanted)
        : g_(g),
          base_(base),
          ports_(g),
          read_(base.nodes.size(), 0),
          causality_(g, ports_),
          defs_(base, states_of(g)),
          strong_(g.elements.size(), no_bond) {
        for (const NodeId n : base.inputs) read_[n] = 1;
        for (const NodeId n : wanted) read_[n] = 1;
    }

    void move_to(const Mode& mode) {
        const bool first = !begun_;
        begun_ = false;
        causality_.move_to(mode);
        const Mode before = std::exchange(mode_, mode);
        for (const Index x : causality_.changed()) define_element(x);
        for (const auto& excess : causality().redundancy.excess) define_excess(excess);
        for (const auto& follows : causality().redundancy.follows) define_following(follows);
        for (std::size_t a = 0; a < g_.automata.size(); ++a)
            if (first || mode[a] != before[a]) define_states(g_.automata[a], mode[a]);
        if (first && g_.total_energy != no_node) define_total();
        define_pairs(g_, mode, defs_);
        changed_ = defs_.take_changes();
        begun_ = true;
    }
    void renumber(const std::vector<NodeId>& place) {
        defs_.renumber(place, states_of(g_));
        const std::vector<std::uint8_t> read = read_;
        for (NodeId n = 0; n < read.size(); ++n) read_[place[n]] = read[n];
        std::vector<std::uint8_t> changed(read.size(), 0);
        for (const NodeId n : changed_) changed[place[n]] = 1;
        changed_.clear();
        for (NodeId n = 0; n < changed.size(); ++n)
            if (changed[n]) changed_.push_back(n);
        touching_ = {};
    }
    const Mode& mode() const { return mode_; }
    const Causality& causality() const { return causality_.now(); }
    const Definitions& definitions() const { return defs_; }
    const Ports& ports() const { return ports_; }
    const std::vector<NodeId>& changed() const { return changed_; }

    void add_readers(NodeId n, std::vector<NodeId>& readers) {
        if (touching_.first.empty()) find_touching();
        for (const NodeId block : blocks_.of(n))
            if (reads(block, n)) readers.push_back(block);
        for (const Index touch : touching_.of(n))
            if (const Index x = touch / roles; g_.elements[x].is_junction())
                add_junction_readers(n, x, static_cast<Role>(touch % roles), readers);
            else
                for_each_signal(x, [&](NodeId m, Role) {
                    if (reads(m, n)) readers.push_back(m);
                });
        if (is_energy_[n] && g_.total_energy != no_node) readers.push_back(g_.total_energy);
    }

private:
    void define_constant(NodeId n, double value) {
        if (n != no_node) defs_.define(n, Primitive::constant, {}, {value});
    }
    void define_sum(NodeId n, std::span<const Term> terms, double constant = 0) {
        if (n == no_node) return;
        if (terms.empty()) return define_constant(n, constant);
        summands_.clear();
        factors_.assign(1, constant);
        for (const Term& term : terms) {
            summands_.push_back(term.node);
            factors_.push_back(term.factor);
        }
        defs_.define(n, {Primitive::affine, summands_, factors_});
    }
    void define_equal(NodeId n, double factor, NodeId of) {
        if (n != no_node) defs_.define(n, Primitive::affine, {of}, {0.0, factor});
    }
    void define_states(const Automaton& a, std::uint32_t state) {
        for (std::size_t s = 0; s < a.signals.size(); ++s) define_constant(a.signals[s], state == s ? 1 : 0);
    }
    // value * of, where the value is a number or a signal (or its inverse).
    void define_scaled(NodeId n, const Element& e, bool inverse, NodeId of) {
        if (e.parameter == no_node)
            return define_equal(n, inverse ? noted_quotient(1, e.value) : e.value, of);
        defs_.define(n, Primitive::product, {inverse ? e.inverse : e.parameter, of}, {});
    }
    void define_integral(NodeId n, NodeId of, double initial) {
        defs_.define(n, Primitive::integrator, {of}, {initial});
    }
    // An integral that nothing depends on but its readers.
    void define_reading(NodeId n, NodeId of, double initial) {
        if (n == no_node) return;
        if (read_[n])
            define_integral(n, of, initial);
        else
            define_constant(n, initial);
    }
    // law(x) = y solved for x: x = x + (y - law(x)), for Newton.
    void define_solved(NodeId x, NodeId y, NodeId law) {
        defs_.define(x, Primitive::affine, {x, y, law}, {0.0, 1.0, 1.0, -1.0});
    }

    // Elements
    Index port(Index x) const { return ports_.of(x)[0]; }
    const Bond& bond(Index b) const { return g_.bonds[b]; }
    bool sets_effort(Index x, Index b) const { return causality().sets_effort(g_, x, b); }
    // Power counts into R, C, I and switches, and out of sources.
    double sign_of(Index x, Index b) const {
        return (bond(b).to == x) != g_.elements[x].is_source() ? 1 : -1;
    }

    // Where an element imposes too much, the other variable follows from those that leak like it.
    void define_flipped(Index x, const Redundancy::Flip& flip) {
        const Element& e = g_.elements[x];
        const NodeId n = e.is_junction() ? (flip.effort ? bond(flip.bond).effort : bond(flip.bond).flow)
                                         : (flip.effort ? e.effort : e.flow);
        define_terms(n, 0, flip.relation);
        if (!e.is_junction()) connect(x, flip.effort);
    }
    void define_excess(const Redundancy::Excess& excess) {
        define_terms(g_.elements[excess.element].excess, excess.constant, excess.terms);
    }
    void define_following(const Redundancy::Follows& follows) {
        const Element& e = g_.elements[follows.element];
        define_terms(e.type == Type::C ? e.effort : e.flow, follows.constant, follows.terms);
    }
    void define_terms(NodeId n, double constant, const std::vector<RedundantTerm>& terms) {
        terms_.clear();
        for (const auto& [factor, node] : terms) terms_.push_back({factor, node});
        define_sum(n, terms_, constant);
    }

    void define_element(Index x) {
        const Element& e = g_.elements[x];
        if (e.excess != no_node) define_constant(e.excess, 0);
        if (e.displacement != no_node && e.is_ideal()) define_measure(e);
        if (!e.is_junction())
            if (const auto* flip = causality().redundancy.find(x, port(x))) return define_flipped(x, *flip);
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
            case Type::D:
            case Type::contact:
            case Type::friction:
            case Type::stop:
                return define_ideal(x, e);
            case Type::TF:
                return define_transformer(x, e);
            case Type::GY:
                return define_gyrator(x, e);
            case Type::zero:
            case Type::one:
                return define_junction(x, e);
        }
    }

    // A contact and a stop measure how far they have moved.
    void define_measure(const Element& e) {
        if (e.rate != no_node) define_equal(e.rate, -1, e.flow);
        define_integral(e.displacement, e.rate != no_node ? e.rate : e.flow, e.initial_displacement);
    }

    // What it imposes in its state.
    void define_ideal(Index x, const Element& e) {
        const Imposed& law = e.imposed[mode_[static_cast<std::size_t>(e.automaton)]];
        const NodeId n = law.effort ? e.effort : e.flow;
        if (law.signal == no_node)
            define_constant(n, 0);
        else
            define_equal(n, 1, law.signal);
        connect(x, law.effort);
    }

    // Ties an element's own signals to those of its bond, unless they are the same.
    void connect(Index x, bool effort) {
        const Element& e = g_.elements[x];
        const Index b = port(x);
        if (bond(b).effort == e.effort) return;
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
        const NodeId out = effort ? e.effort : e.flow, in = effort ? e.flow : e.effort;
        if (e.law == no_node)
            define_scaled(out, e, !effort, in);
        else if (effort != e.law_of_effort)
            define_equal(out, 1, e.law);
        else
            define_solved(out, in, e.law);
        return effort;
    }

    // e = q / C, f = dq/dt
    bool define_capacitor(Index x, const Element& e) {
        const bool integral = !causality().dependent[x];
        define_storage(e, integral, e.displacement, e.flow, e.effort, e.initial_displacement);
        define_reading(e.momentum, e.effort, e.initial_momentum);
        return integral;
    }
    // f = p / I, e = dp/dt
    bool define_inertia(Index x, const Element& e) {
        const bool integral = !causality().dependent[x];
        define_storage(e, integral, e.momentum, e.effort, e.flow, e.initial_momentum);
        define_reading(e.displacement, e.flow, e.initial_displacement);
        return !integral;
    }
    // state = integral of `in`, out = state / value or law(state); or the other way round.
    void define_storage(const Element& e, bool integral, NodeId state, NodeId in, NodeId out,
                        double initial) {
        if (integral) {
            define_integral(state, in, initial);
            define_equal(out, e.law == no_node ? noted_quotient(1, e.value) : 1,
                         e.law == no_node ? state : e.law);
        } else {
            if (e.law == no_node)
                define_equal(state, e.value, out);
            else
                define_solved(state, out, e.law);
            defs_.define(in, Primitive::derivative, {state}, {});
        }
    }

    // The bond into a two-port, and the one out of it.
    std::pair<Index, Index> in_and_out(Index x) const {
        const auto bonds = ports_.of(x);
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
        if (e.rate != no_node && !causality().leads[x]) define_constant(e.rate, 0);
        if (!is_on(g_, e, mode_)) {
            for (const Index b : ports_.of(x))
                if (const auto* flip = causality().redundancy.find(x, b))
                    define_flipped(x, *flip);
                else
                    define_constant(e.off == Off::effort ? bond(b).effort : bond(b).flow, 0);
            define_constant(own, 0);
            strong_[x] = no_bond;
            return;
        }
        if (causality().leads[x]) return define_leading(x, e);
        const auto bonds = ports_.of(x);
        const Index strong = strong_[x] =
            *std::find_if(bonds.begin(), bonds.end(), [&](Index b) { return sets_effort(x, b) != zero; });
        const auto inwards = [&](Index b) { return bond(b).to == x ? 1.0 : -1.0; };
        terms_.clear();
        for (const Index b : bonds) {
            if (b == strong) continue;
            define_equal(common(b), 1, common(strong));
            terms_.push_back({-inwards(b) / inwards(strong), summed(b)});
        }
        define_sum(summed(strong), terms_);
        define_equal(own, 1, common(strong));
    }

    // The flow is a state; its rate is such that the efforts add up to zero.
    void define_leading(Index x, const Element& e) {
        strong_[x] = no_bond;
        terms_.assign(1, {1, e.rate});
        for (const Index b : ports_.of(x)) {
            define_equal(bond(b).flow, 1, e.flow);
            terms_.push_back({bond(b).to == x ? 1.0 : -1.0, bond(b).effort});
        }
        define_sum(e.rate, terms_);
        define_integral(e.flow, e.rate, 0);
    }

    void define_total() {
        terms_.clear();
        for (const Element& e : g_.elements)
            if (e.energy != no_node) terms_.push_back({1, e.energy});
        define_sum(g_.total_energy, terms_);
    }

    // Readers
    bool reads(NodeId m, NodeId n) const {
        const auto inputs = defs_.inputs(m);
        return std::find(inputs.begin(), inputs.end(), n) != inputs.end();
    }
    // What a node is to an element: its own, or the effort or flow of a bond.
    enum Role : Index { own_signal, bond_effort, bond_flow, roles };
    template <class F>
    void for_each_signal(Index x, const F& f) const {
        const Element& e = g_.elements[x];
        for (const NodeId n : {e.effort, e.flow, e.rate, e.momentum, e.displacement})
            if (n != no_node) f(n, own_signal);
        for (const Index b : ports_.of(x)) {
            f(bond(b).effort, bond_effort);
            f(bond(b).flow, bond_flow);
        }
    }
    // The strong bond tells all others the common variable, and gets the sum of the other one from them.
    void add_junction_readers(NodeId n, Index x, Role role, std::vector<NodeId>& readers) const {
        const Element& e = g_.elements[x];
        if (causality().leads[x]) return add_leading_readers(n, x, role, readers);
        if (strong_[x] == no_bond || role == own_signal) return;
        const Bond& strong = bond(strong_[x]);
        const bool zero = e.type == Type::zero;
        const NodeId sum = zero ? strong.flow : strong.effort;
        if (n == (zero ? strong.effort : strong.flow)) {
            for (const Index b : ports_.of(x))
                if (b != strong_[x]) readers.push_back(zero ? bond(b).effort : bond(b).flow);
            if (const NodeId own = zero ? e.effort : e.flow; own != no_node) readers.push_back(own);
        } else if (role == (zero ? bond_flow : bond_effort) && n != sum) {
            readers.push_back(sum);
        }
    }
    void add_leading_readers(NodeId n, Index x, Role role, std::vector<NodeId>& readers) const {
        const Element& e = g_.elements[x];
        if (n == e.flow)
            for (const Index b : ports_.of(x)) readers.push_back(bond(b).flow);
        if (n == e.rate) readers.insert(readers.end(), {e.flow, e.rate});
        if (role == bond_effort) readers.push_back(e.rate);
    }
    void find_touching() {
        const auto n = static_cast<NodeId>(base_.nodes.size());
        blocks_ = make_lists(n, [&](const auto& add) {
            for (NodeId block = 0; block < n; ++block)
                for (const NodeId input : base_.inputs_of(block)) add(input, block);
        });
        touching_ = make_lists(n, [&](const auto& add) {
            for (Index x = 0; x < g_.elements.size(); ++x) {
                for_each_signal(x, [&](NodeId m, Role role) { add(m, x * roles + role); });
                const Element& e = g_.elements[x];
                for (const NodeId m : {e.parameter, e.inverse, e.law})
                    if (m != no_node) add(m, x * roles + own_signal);
                for (const Imposed& law : e.imposed)
                    if (law.signal != no_node) add(law.signal, x * roles + own_signal);
            }
        });
        is_energy_.assign(n, 0);
        for (const Element& e : g_.elements)
            if (e.energy != no_node) is_energy_[e.energy] = 1;
    }

    const Graph& g_;
    const Diagram& base_;
    Ports ports_;
    // Per node: does anyone read it? Displacements of masses and the like are integrated only then.
    std::vector<std::uint8_t> read_;
    CausalityOfModes causality_;
    Definitions defs_;
    std::vector<Index> strong_;  // per junction that is on: the bond that brings the common variable
    Mode mode_;
    bool begun_ = false;
    std::vector<NodeId> changed_;
    std::vector<Term> terms_;  // of the sum at hand, and the same as lists
    std::vector<NodeId> summands_;
    std::vector<double> factors_;
    // Made when someone asks for readers.
    Lists blocks_, touching_;              // per node: blocks that read it, elements that may read it
    std::vector<std::uint8_t> is_energy_;  // per node: of a storage
};

Lowering::Lowering(const Graph& g, const Diagram& base, const std::vector<NodeId>& wanted)
    : body_(std::make_unique<Body>(g, base, wanted)) {}
Lowering::~Lowering() = default;
void Lowering::move_to(const Mode& mode) { body_->move_to(mode); }
void Lowering::renumber(const std::vector<NodeId>& place) { body_->renumber(place); }
const Mode& Lowering::mode() const { return body_->mode(); }
const Causality& Lowering::causality() const { return body_->causality(); }
const Definitions& Lowering::definitions() const { return body_->definitions(); }
const Ports& Lowering::ports() const { return body_->ports(); }
const std::vector<NodeId>& Lowering::changed() const { return body_->changed(); }
void Lowering::add_readers(NodeId n, std::vector<NodeId>& readers) { body_->add_readers(n, readers); }

}  // namespace deltaflow::bonds
