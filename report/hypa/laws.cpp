// The constitutive relations of 002, section 4, with signs by the arrows of the bonds.
#include "report/hypa/laws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace deltaflow::report::hypa {

namespace {

using Index = std::uint32_t;

Variable marked(Variable v, Mark mark) { return {v.quantity, mark, v.bond}; }

}  // namespace

Laws::Laws(const Graph& graph, const Notation& notation, const WrittenOfAll& written)
    : graph_(graph), notation_(notation), ports_(graph), ideal_(graph, notation, written) {}

bool Laws::is_two_port(Index x) const {
    return graph_.elements[x].type == Type::TF || graph_.elements[x].type == Type::GY;
}

std::pair<Index, Index> Laws::in_and_out(Index x) const {
    const auto bonds = ports_.of(x);
    return graph_.bonds[bonds[0]].to == x ? std::pair{bonds[0], bonds[1]} : std::pair{bonds[1], bonds[0]};
}

namespace {

// A text that says more than the value does. Names of a fragment's parameters mean something there only.
bool has_formula(const Element& e) {
    if (e.parameter_text.empty()) return false;
    if (e.parameter == no_node && e.name.find('.') != std::string::npos) return false;
    return parse_expression(e.parameter_text).kind != Expression::Kind::number;
}

}  // namespace

Piece Laws::parameter(Index x, Reading reading) const {
    const Element& e = graph_.elements[x];
    if (has_formula(e)) return notation_.expression(e.parameter_text, e.name, reading);
    return {notation_.number(e.value), e.value < 0 ? sum : atom};
}

Coefficient Laws::factor(Index x, Reading reading) const {
    const Element& e = graph_.elements[x];
    const bool may_divide = !e.is_source();
    if (!has_formula(e)) {
        const double size = std::abs(e.value);
        if (size == 0 || size == 1) return Coefficient::number(e.value);
        const Piece number{notation_.number(size)};
        const Coefficient c = symbols_.factor({number, number, Piece{""}, may_divide, size});
        return c * Coefficient::number(e.value < 0 ? -1 : 1);
    }
    const Expression tree = parse_expression(e.parameter_text);
    const bool minus = has_leading_minus(tree);
    const Expression body = minus ? without_leading_minus(tree) : tree;
    const auto piece = [&](const Expression& part) { return notation_.expression(part, e.name, reading); };
    const bool inverse =
        body.kind == Expression::Kind::operation && body.text == "/" && body.arguments[0].text == "1";
    const Piece above = piece(body);
    const Coefficient c =
        symbols_.factor({above, above, inverse ? piece(body.arguments[1]) : Piece{""}, may_divide, {}});
    return c * Coefficient::number(minus ? -1 : 1);
}

Variable Laws::given(Index x) const {
    const Type type = graph_.elements[x].type;
    const Index b = ports_.of(x)[0];
    return type == Type::I || type == Type::Sf ? flow(b) : effort(b);
}

// e = R f, e = q / C, f = p / I, e = Se, f = Sf
Form Laws::linear_law(Index x, Reading reading) const {
    const Element& e = graph_.elements[x];
    const Index b = ports_.of(x)[0];
    const int s = sign_at(graph_, x, b);
    const Coefficient c = factor(x, reading);
    Form result;
    const auto divided = [&](Quantity state) {
        add(result, one_of({state, Mark::none, b}, s), *symbols_.inverse(c));
    };
    switch (e.type) {
        case Type::R:
            add(result, one_of(flow(b), s), c);
            break;
        case Type::C:
            divided(Quantity::displacement);
            break;
        case Type::I:
            divided(Quantity::momentum);
            break;
        case Type::Se:
            add(result, one_of(Variable{}), c);
            break;
        case Type::Sf:
            add(result, one_of(Variable{}, s), c);
            break;
        default:
            break;
    }
    return result;
}

std::string Laws::law(Index x, Reading reading) const {
    const Element& e = graph_.elements[x];
    const Mark mark = reading == Reading::after ? Mark::right : Mark::none;
    const auto read = [&](Variable v) { return notation_.variable(marked(v, mark)); };
    const std::string left = read(given(x)) + " = ";
    if (is_linear(x)) {
        Form law;
        for (const auto& [v, c] : linear_law(x, reading))
            law[v.quantity == Quantity::one ? v : marked(v, mark)] = c;
        return left + written(law, notation_, symbols_).text;
    }
    const Index b = ports_.of(x)[0];
    const bool against = sign_at(graph_, x, b) < 0;
    const bool inductance = e.type == Type::I;
    const Quantity quantity = inductance          ? Quantity::momentum
                              : e.type == Type::C ? Quantity::displacement
                                                  : Quantity::flow;
    const std::string variable = read({quantity, Mark::none, b});
    const Piece own = against && !inductance ? Piece{"-" + variable, sum} : Piece{variable};
    const Piece value = notation_.expression(e.law_text, e.name, reading, &own);
    return left + (against && inductance ? "-" + notation_.wrapped(value, product) : value.text);
}

void Laws::add_flow(Relations& to, Index x, bool on) const {
    const Element& e = graph_.elements[x];
    if (is_two_port(x)) {
        const auto [in, out] = in_and_out(x);
        const bool transformer = e.type == Type::TF;
        Form first = one_of(effort(in)), second = one_of(transformer ? flow(out) : effort(out));
        const Coefficient ratio = factor(x, Reading::flow) * Coefficient::number(-1);
        add(first, one_of(transformer ? effort(out) : flow(out)), ratio);
        add(second, one_of(flow(in)), ratio);
        to.equal(std::move(first));
        to.equal(std::move(second));
    } else if (e.type == Type::Sw) {
        to.zero(on ? effort(ports_.of(x)[0]) : flow(ports_.of(x)[0]));
    } else if (e.is_junction() && !on) {
        for (const Index b : ports_.of(x)) to.zero(e.off == Off::effort ? effort(b) : flow(b));
    } else if (e.is_junction()) {
        const bool zero = e.type == Type::zero;
        const auto bonds = ports_.of(x);
        Form total;
        for (const Index b : bonds) {
            add(total, one_of(zero ? flow(b) : effort(b), graph_.bonds[b].to == x ? 1 : -1),
                Coefficient::number(1));
            if (b != bonds[0])
                to.equal(zero ? one_of(effort(bonds[0])) - one_of(effort(b))
                              : one_of(flow(bonds[0])) - one_of(flow(b)));
        }
        to.equal(std::move(total));
    }
}

// A junction that stays as it is keeps energy; one that switches may take some.
void Laws::add_junction_jump(Relations& to, Index x, Situation situation) const {
    const Element& e = graph_.elements[x];
    const auto bonds = ports_.of(x);
    const auto inwards = [&](Index b) { return graph_.bonds[b].to == x ? 1.0 : -1.0; };
    if (situation == Situation::off || situation == Situation::switched_as_off) {
        for (const Index b : bonds) {
            const Variable energy = jump(Quantity::energy, b);
            if (situation == Situation::off)
                to.zero(energy);
            else
                to.at_least_zero(one_of(energy, inwards(b)), x);
            to.zero(jump(e.off == Off::effort ? Quantity::momentum : Quantity::displacement, b));
        }
        return;
    }
    const bool zero = e.type == Type::zero;
    const Quantity common = zero ? Quantity::momentum : Quantity::displacement;
    const Quantity conserved = zero ? Quantity::displacement : Quantity::momentum;
    Form total, energy;
    for (const Index b : bonds) {
        add(total, one_of(jump(conserved, b)), Coefficient::number(inwards(b)));
        add(energy, one_of(jump(Quantity::energy, b)), Coefficient::number(inwards(b)));
        if (b != bonds[0]) to.equal(one_of(jump(common, bonds[0])) - one_of(jump(common, b)));
    }
    to.equal(std::move(total));
    if (situation == Situation::on)
        to.equal(std::move(energy));
    else
        to.at_least_zero(std::move(energy), x);
}

void Laws::add_switch_jump(Relations& to, Index x, Situation situation) const {
    const Index b = ports_.of(x)[0];
    const bool as_on = situation == Situation::on || situation == Situation::switched_as_on;
    const bool stays = situation == Situation::on || situation == Situation::off;
    const Variable energy = jump(Quantity::energy, b);
    if (stays)
        to.zero(energy);
    else
        to.at_least_zero(one_of(energy, sign_at(graph_, x, b)), x);
    to.zero(jump(as_on ? Quantity::momentum : Quantity::displacement, b));
}

void Laws::add_jump(Relations& to, Index x, Situation situation) const {
    const Element& e = graph_.elements[x];
    if (e.is_junction()) return add_junction_jump(to, x, situation);
    if (e.type == Type::Sw) return add_switch_jump(to, x, situation);
    if (e.is_ideal()) return;
    if (is_two_port(x)) {
        const auto [in, out] = in_and_out(x);
        const bool transformer = e.type == Type::TF;
        const Coefficient ratio = factor(x, Reading::before) * Coefficient::number(-1);
        Form first = one_of(jump(Quantity::momentum, in));
        Form second = one_of(jump(transformer ? Quantity::displacement : Quantity::momentum, out));
        add(first, one_of(jump(transformer ? Quantity::momentum : Quantity::displacement, out)), ratio);
        add(second, one_of(jump(Quantity::displacement, in)), ratio);
        to.equal(one_of(jump(Quantity::energy, in)) - one_of(jump(Quantity::energy, out)));
        to.equal(std::move(first));
        to.equal(std::move(second));
        return;
    }
    const Index b = ports_.of(x)[0];
    if (e.type == Type::R) {
        for (const Quantity q : {Quantity::energy, Quantity::momentum, Quantity::displacement})
            to.zero(jump(q, b));
        return;
    }
    const bool has_momentum = e.type == Type::I || e.type == Type::Sf;
    to.zero(jump(has_momentum ? Quantity::displacement : Quantity::momentum, b));
    if (const auto energy = source_energy(x)) to.equal(one_of(jump(Quantity::energy, b)) - *energy);
}

// E' = Se q', E' = Sf p'
std::optional<Form> Laws::source_energy(Index x) const {
    const Element& e = graph_.elements[x];
    if (!e.is_source() || notation_.may_jump(e.parameter_text, e.name)) return std::nullopt;
    Form energy;
    const int sign = e.type == Type::Sf ? sign_at(graph_, x, ports_.of(x)[0]) : 1;
    add(energy, one_of(moved(x), sign), factor(x, Reading::before));
    return energy;
}

Variable Laws::moved(Index x) const {
    const Type type = graph_.elements[x].type;
    const bool has_momentum = type == Type::I || type == Type::Sf;
    return jump(has_momentum ? Quantity::momentum : Quantity::displacement, ports_.of(x)[0]);
}

void Laws::close(Relations& to) const {
    std::vector<Variable> moves, energies;
    for (Index x = 0; x < graph_.elements.size(); ++x) {
        const Element& e = graph_.elements[x];
        if (!e.is_storage() && !e.is_source()) continue;
        moves.push_back(moved(x));
        energies.push_back(jump(Quantity::energy, ports_.of(x)[0]));
    }
    for (bool changed = true; changed;) {
        changed = false;
        const auto unmoved = to.imply_zero(moves), kept = to.imply_zero(energies);
        for (std::size_t i = 0; i < moves.size(); ++i)
            if (unmoved[i] && !kept[i]) {
                to.zero(energies[i]);
                changed = true;
            }
    }
}

void Laws::add_jump_lines(std::vector<std::string>& to, Index x, const std::set<Variable>& zeros) const {
    const Element& e = graph_.elements[x];
    if (e.is_junction() || is_two_port(x) || e.type == Type::Sw) return;
    if (e.is_ideal()) {
        for (std::string& line : ideal_.jump(x, ports_.of(x)[0])) to.push_back(std::move(line));
        return;
    }
    const Variable energy = jump(Quantity::energy, ports_.of(x)[0]);
    const bool moves = (e.is_storage() || e.is_source()) && zeros.count(moved(x)) == 0;
    if (moves && e.is_storage())
        to.push_back(zeros.count(energy) ? unmoved_energy(x) : energy_of_storage(x));
    else if (moves && zeros.count(energy) == 0)
        for (const std::string& line : energy_of_source(x)) to.push_back(line);
    if (Notation::has_pre(e.parameter_text) || Notation::has_pre(e.law_text))
        to.push_back(law(x, Reading::after));
}

// "e_1 = e_2 = -e_3"; two that are opposite add up to zero.
std::string Laws::chain(const std::vector<std::pair<Variable, int>>& members) const {
    if (members.size() == 2 && members[1].second < 0)
        return fmt::format("{} + {} = 0", notation_.variable(members[0].first),
                           notation_.variable(members[1].first));
    std::string text;
    for (const auto& [v, sign] : members)
        text += (text.empty() ? "" : " = ") + std::string(sign < 0 ? "-" : "") + notation_.variable(v);
    return text;
}

std::vector<std::string> Laws::lines(const Summary& summary) const {
    std::vector<std::string> lines;
    for (const Quantity q : {Quantity::energy, Quantity::momentum, Quantity::displacement, Quantity::effort,
                             Quantity::flow, Quantity::one}) {
        const auto about = [&](const Form& form) { return form.begin()->first.quantity == q; };
        for (const auto& members : summary.classes)
            if (members[0].first.quantity == q) lines.push_back(chain(members));
        for (const Form& s : summary.sums)
            if (about(s)) lines.push_back(equation(s, notation_, symbols_));
        for (const Form& i : summary.inequalities)
            if (about(i)) lines.push_back(inequality(i, notation_, symbols_));
        std::string zeros;
        for (const Variable v : summary.zeros)
            if (v.quantity == q) zeros += notation_.variable(v) + " = ";
        if (!zeros.empty()) lines.push_back(zeros + "0");
    }
    return lines;
}

}  // namespace deltaflow::report::hypa
