// Ideal elements: diodes, contacts, friction, stops. Each is an automaton that nobody has to write: in every
// state it imposes an effort or a flow, and guards on the other variable tell when that cannot be.
#include "engine/front/flatten/graph.hpp"
#include "engine/front/flatten/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::front {

using bonds::Automaton;
using bonds::Element;
using bonds::Guard;
using bonds::Imposed;
using bonds::Type;
using Relation = bonds::Guard::Relation;

class GraphBody::Ideal {
public:
    Ideal(GraphBody& body, const BlockDeclaration& block, Element& element)
        : body_(body), block_(block), e_(element), builder_(body.formulas_.builder()) {}

    void make() {
        e_.excess = body_.keep(body_.free_node());
        a_.name = block_.name;
        a_.place = block_.place;
        a_.ideal = true;
        switch (e_.type) {
            case Type::D:
                make_diode();
                break;
            case Type::contact:
                make_contact();
                break;
            case Type::friction:
                make_friction();
                break;
            default:
                make_stop();
        }
        e_.automaton = static_cast<int>(body_.shape_.graph.automata.size());
        if (body_.wanted_.contains(*body_.shape_.diagram, block_, bonds::Signal::on)) add_on();
        body_.shape_.graph.automata.push_back(std::move(a_));
    }

private:
    // f >= 0, e <= drop, f (drop - e) = 0
    void make_diode() {
        const Ref drop = signal_or_zero("drop");
        add_state("off", false, {false});
        add_state("on", true, {true, body_.keep(drop)});
        add(0, 1, compare(minus(effort(), drop), Relation::greater, "effort > drop"));
        add(1, 0, compare(flow(), Relation::less, "flow < 0"));
    }

    // gap >= 0, e >= 0, e gap = 0. An impact with restitution is a state that lasts no time: to those who
    // look the bodies are apart.
    void make_contact() {
        e_.initial_displacement = number("gap", 0);
        if (e_.initial_displacement < 0) refuse("gap", "must not be below 0: the bodies would overlap");
        e_.displacement = body_.keep(body_.free_node());
        e_.rate = body_.keep(body_.free_node());
        e_.gap = e_.displacement;
        add_state("off", false, {true});
        add_state("on", true, {false});
        make_side(0, 1, "off", signal_of(e_.gap), -1, number("restitution", 0));
        e_.sides = {{0, 1, e_.gap, 0}};
    }

    // displacement within [low, high]
    void make_stop() {
        const double low = number("low", 0), high = number("high", 0), r = number("restitution", 0);
        if (!(low < high)) refuse("high", "must be above low");
        e_.initial_displacement = number("displacement", 0);
        if (e_.initial_displacement < low || e_.initial_displacement > high)
            refuse("displacement", "must lie between low and high");
        const Ref x = signal_of(e_.displacement);
        const Ref above = builder_.affine(-low, {{1, x}}), below = builder_.affine(high, {{-1, x}});
        add_state("free", false, {true});
        add_state("low", true, {false});
        add_state("high", true, {false});
        make_side(0, 1, "free", above, 1, r);
        make_side(0, 2, "free", below, -1, r);
        e_.sides = {{0, 1, body_.keep(above), low}, {0, 2, body_.keep(below), high}};
        if (body_.wanted_.contains(*body_.shape_.diagram, block_, bonds::Signal::gap))
            e_.gap = body_.keep(nearer(above, below));
    }

    // A limit that `room` tells the distance to; it changes at `rate` (1 or -1) times the flow. A closed side
    // pushes back, so its effort has the sign -rate. With restitution an approaching one takes an impact
    // first: P >= 0, f + r f_left on the side of separation, one of them zero.
    void make_side(std::uint32_t open, std::uint32_t closed, const char* open_name, Ref room, int rate,
                   double restitution) {
        if (!(restitution >= 0 && restitution <= 1)) refuse("restitution", "must lie between 0 and 1");
        if (restitution != 0) {
            const auto impact = static_cast<std::uint32_t>(a_.states.size());
            const Ref before = builder_.node(Primitive::pre, {flow()});
            add_state(open_name, false, {false, body_.keep(builder_.affine(0, {{-restitution, before}}))},
                      true);
            const Ref left = builder_.affine(0, {{1, flow()}, {restitution, before}});
            Guard act =
                all({compare(builder_.node(Primitive::pre, {room}), Relation::less_equal, "pre(gap) <= 0"),
                     by_value(compare(before, towards(rate), "pre(flow) approaches")),
                     by_value(compare(left, towards(rate), "flow + restitution pre(flow) approaches"))});
            add(open, impact, std::move(act));
            add(impact, open,
                compare(builder_.node(Primitive::strength, {effort()}), towards(-rate),
                        "impulse(effort) pulls"));
            add(impact, open, by_value(compare(before, towards(-rate), "pre(flow) separates")));
        }
        Guard close = compare(room, Relation::less, "gap < 0");
        close.towards = rate;
        add(open, closed, std::move(close));
        add(closed, open, compare(effort(), rate < 0 ? Relation::less : Relation::greater, "effort pulls"));
    }
    // Where the room shrinks, or grows.
    static Relation towards(int rate) { return rate < 0 ? Relation::greater : Relation::less; }

    // e = level sign(f), or sticks while |e| <= static. Whoever starts at rest is tried as if it slid.
    void make_friction() {
        const auto [level, most] = levels();
        add_state("forward", false, {true, body_.keep(level)});
        add_state("backward", false, {true, body_.keep(builder_.affine(0, {{-1, level}}))});
        add_state("stick", true, {false});
        add(2, 0, compare(minus(effort(), most), Relation::greater, "effort > static"));
        add(2, 1,
            compare(builder_.affine(0, {{1, effort()}, {1, most}}), Relation::less, "effort < -static"));
        add(0, 2, compare(flow(), Relation::less, "flow < 0"));
        add(1, 2, compare(flow(), Relation::greater, "flow > 0"));
    }
    std::pair<Ref, Ref> levels() {
        const Formula* level = find("level");
        const Formula* mu = find("mu");
        const Formula* normal = find("normal");
        const Formula* most = find("static");
        if ((level != nullptr) == (mu != nullptr)) refuse("level", "or \"mu\" has to be given, one of them");
        if ((mu != nullptr) != (normal != nullptr))
            refuse(mu ? "normal" : "mu", "has to be given, too: effort = mu * normal");
        const Ref kinetic = body_.formulas_.signal(level ? *level : *mu);
        const Ref still = most ? body_.formulas_.signal(*most) : kinetic;
        check_static(level ? *level : *mu, most);
        if (level) return {kinetic, still};
        const Ref pressing = pressing_signal(*normal);
        const auto times = [&](const Formula& f, Ref factor) {
            if (const auto value = constant(f)) return builder_.affine(0, {{*value, pressing}});
            return builder_.node(Primitive::product, {factor, pressing});
        };
        const Ref sliding = times(*mu, kinetic);
        return {sliding, most ? times(*most, still) : sliding};
    }
    void check_static(const Formula& kinetic, const Formula* most) {
        const auto k = constant(kinetic), s = most ? constant(*most) : k;
        if (k && *k < 0) refuse(find("level") ? "level" : "mu", "must not be below 0");
        if (k && s && *s < *k) refuse("static", "must not be below what it slides with");
    }
    // A contact stands for its effort.
    Ref pressing_signal(const Formula& formula) {
        if (formula.tree.kind != Expression::Kind::name) return body_.formulas_.signal(formula);
        const auto& diagram = *body_.shape_.diagram;
        const auto found = diagram.names.find(formula.tree.text);
        if (found == diagram.names.end() || found->second.kind != Symbol::Kind::block ||
            diagram.blocks[found->second.index].role != Role::element)
            return body_.formulas_.signal(formula);
        Formula& own = body_.made_.emplace_back(formula);
        own.tree.text += ".effort";
        return body_.formulas_.signal(own);
    }

    // Parts of an automaton
    void add_state(const char* name, bool on, Imposed imposed, bool passing = false) {
        a_.passing.push_back(passing);
        a_.states.emplace_back(name);
        a_.on.push_back(on);
        a_.signals.push_back(body_.keep(body_.free_node()));
        e_.imposed.push_back(imposed);
    }
    void add(std::uint32_t from, std::uint32_t to, Guard when) {
        a_.transitions.push_back({from, to, std::move(when), block_.place});
    }
    Guard compare(Ref difference, Relation relation, const char* text) {
        Guard guard;
        guard.kind = Guard::Kind::compare;
        guard.relation = relation;
        guard.difference = body_.keep(difference);
        guard.excess = e_.excess;
        guard.text = fmt::format("{}: {}", block_.name, text);
        if (builder_.fragment().nodes[difference.index].op == Primitive::pre) guard.excess = no_node;
        return guard;
    }
    static Guard by_value(Guard guard) {
        guard.by_value = true;
        return guard;
    }
    static Guard all(std::vector<Guard> parts) {
        Guard guard;
        guard.kind = Guard::Kind::all;
        for (const Guard& part : parts) guard.text += (guard.text.empty() ? "" : " and ") + part.text;
        guard.parts = std::move(parts);
        return guard;
    }
    void add_on() {
        std::vector<std::pair<double, Ref>> terms;
        for (std::size_t s = 0; s < a_.states.size(); ++s)
            if (a_.on[s]) terms.emplace_back(1, signal_of(a_.signals[s]));
        e_.on = body_.keep(builder_.affine(0, std::move(terms)));
    }
    // min(u, v) = v + (u - v where that is negative)
    Ref nearer(Ref u, Ref v) {
        const Ref less = minus(v, u);
        return builder_.node(Primitive::decision, {less, u, v});
    }

    // Signals and numbers
    Ref signal_of(NodeId kept) const { return body_.shape_.graph_signals[kept]; }
    Ref effort() const { return signal_of(e_.effort); }
    Ref flow() const { return signal_of(e_.flow); }
    Ref minus(Ref a, Ref b) { return builder_.affine(0, {{1, a}, {-1, b}}); }
    const ArgumentDeclaration* argument(std::string_view name) const {
        const auto found =
            std::find_if(block_.arguments.begin(), block_.arguments.end(), [&](const ArgumentDeclaration& a) {
                return block_.element->parameters[a.parameter].name == name;
            });
        return found == block_.arguments.end() ? nullptr : &*found;
    }
    const Formula* find(std::string_view name) const {
        const ArgumentDeclaration* a = argument(name);
        return a ? &a->formula : nullptr;
    }
    // Of parameters alone.
    std::optional<double> constant(const Formula& formula) {
        if (!formula.source->is_number() && body_.formulas_.first_signal(formula.tree)) return {};
        return evaluate(formula, *body_.shape_.environment, body_.report_).value;
    }
    double number(std::string_view name, double fallback) {
        const Formula* formula = find(name);
        return formula ? evaluate(*formula, *body_.shape_.environment, body_.report_).value : fallback;
    }
    Ref signal_or_zero(std::string_view name) {
        const Formula* formula = find(name);
        return formula ? body_.formulas_.signal(*formula) : builder_.constant(0);
    }
    [[noreturn]] void refuse(std::string_view name, std::string_view what) {
        const ArgumentDeclaration* a = argument(name);
        body_.report_.add(a ? a->entry->value.place : block_.place,
                          fmt::format("\"{}\" of \"{}\" {}", name, block_.name, what),
                          body_.formulas_.where());
        throw Reported{};
    }

    GraphBody& body_;
    const BlockDeclaration& block_;
    Element& e_;
    Builder& builder_;
    Automaton a_;
};

void GraphBody::make_ideal(const BlockDeclaration& block, Element& element) {
    Ideal(*this, block, element).make();
    add_outputs(block, element);
}

}  // namespace deltaflow::front
