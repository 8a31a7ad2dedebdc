// Elements of a diagram: their signals, numbers and laws.
#include "blocks/fraction_book.hpp"
#include "engine/front/flatten/graph.hpp"
#include "engine/front/flatten/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace deltaflow::front {
namespace {

using bonds::Element;
using bonds::ElementParameter;
using bonds::Signal;
using bonds::Takes;
using bonds::Type;

// Gauss and Legendre's rule with ten points on [-1, 1]: the positive points and their weights. Exact for
// polynomials up to degree 19.
struct Point {
    double x, weight;
};
constexpr std::array<Point, 5> gauss{{{0.1488743389816312108848260, 0.2955242247147528701738930},
                                      {0.4333953941292471907992659, 0.2692667193099963550912269},
                                      {0.6794095682990244062343274, 0.2190863625159820439955349},
                                      {0.8650633666889845107320967, 0.1494513491505805931457763},
                                      {0.9739065285171717200779640, 0.0666713443086881375935688}}};

// Other laws bend near zero (saturation, p / sqrt(1 + p^2)): [0, 1] in parts that grow threefold follows them
// over all sizes of the state.
constexpr std::array<double, 2> whole{0, 1};
constexpr std::array<double, 5> parts{0, 1.0 / 27, 1.0 / 9, 1.0 / 3, 1};

bool mentions(const Expression& e, std::string_view variable) {
    if (e.kind == Expression::Kind::name && e.text == variable) return true;
    return std::any_of(e.arguments.begin(), e.arguments.end(),
                       [&](const Expression& argument) { return mentions(argument, variable); });
}

bool is_polynomial(const Expression& e, std::string_view variable) {
    if (!mentions(e, variable) || e.kind == Expression::Kind::name) return true;
    if (e.kind != Expression::Kind::operation) return false;
    if (e.text == "/") return is_polynomial(e.arguments[0], variable) && !mentions(e.arguments[1], variable);
    if (e.text == "^")
        return is_polynomial(e.arguments[0], variable) && e.arguments[1].kind == Expression::Kind::number;
    return std::all_of(e.arguments.begin(), e.arguments.end(),
                       [&](const Expression& argument) { return is_polynomial(argument, variable); });
}

bool is_state(const Element& element, Signal signal) {
    if (element.is_ideal()) return signal == Signal::displacement;
    return signal == (element.type == Type::C ? Signal::displacement : Signal::momentum);
}

NodeId Element::*slot_of(Signal signal) {
    switch (signal) {
        case Signal::effort:
            return &Element::effort;
        case Signal::flow:
            return &Element::flow;
        case Signal::momentum:
            return &Element::momentum;
        case Signal::displacement:
            return &Element::displacement;
        case Signal::on:
            return &Element::on;
        case Signal::gap:
            return &Element::gap;
        default:
            return &Element::energy;
    }
}

// Elements that divide by their number.
bool divides(Type type) { return type == Type::C || type == Type::I || type == Type::TF || type == Type::GY; }

// Elements that are read both ways, so that a signal needs its inverse, too.
bool needs_inverse(Type type) { return type == Type::R || type == Type::TF || type == Type::GY; }

}  // namespace

void GraphBody::add_element(const BlockDeclaration& block) {
    if (block.field) return add_field(block);
    const std::size_t index = shape_.graph.elements.size();
    set_rank(block, index);
    Element element{block.element->kind, std::string(block.name), block.place};
    shape_.graph.elements.push_back(element);  // what stays of it if it is wrong
    element.off = element.type == Type::one ? bonds::Off::flow : bonds::Off::effort;
    make_ports(block, element);
    if (element.type == Type::Sw) element.excess = keep(free_node());
    if (element.is_ideal()) {
        make_ideal(block, element);
        shape_.graph.elements[index] = std::move(element);
        return;
    }
    bool good = true;
    for (const auto& argument : block.arguments) {
        try {
            read_argument(block, argument, element);
        } catch (const Reported&) {
            good = false;
        }
    }
    if (!good) throw Reported{};
    const bool nonlinear = element.law != no_node;  // then the ledger has no other way to know it
    if (element.is_storage() && (nonlinear || wanted_.contains(*shape_.diagram, block, Signal::energy)))
        element.energy = keep(energy(block, element));
    add_outputs(block, element);
    shape_.graph.elements[index] = std::move(element);
}

// The signals that a network has a name for, then its own.
void GraphBody::add_outputs(const BlockDeclaration& block, const Element& element) {
    for (const Reading& reading : block.readings) shape_.outputs.push_back(formulas_.signal(reading.formula));
    for (const Signal s : block.element->signals) shape_.outputs.push_back(signal(element, s));
}

// A node for each signal that every mode defines; integrals that the element can do without are for readers.
void GraphBody::make_ports(const BlockDeclaration& block, Element& element) {
    for (const Signal s : block.element->signals) {
        if (s == Signal::energy || s == Signal::on || s == Signal::gap) continue;
        const bool needed = s == Signal::effort || s == Signal::flow || is_state(element, s);
        if (needed || wanted_.contains(*shape_.diagram, block, s)) element.*slot_of(s) = keep(free_node());
    }
    if (element.type == Type::one && wanted_.contains_modulated_transformers())
        element.rate = keep(free_node());
}

Ref GraphBody::signal(const Element& element, Signal signal) const {
    const NodeId kept = element.*slot_of(signal);
    return kept == no_node ? broken_signal : shape_.graph_signals[kept];
}

void GraphBody::read_argument(const BlockDeclaration& block, const ArgumentDeclaration& argument,
                              Element& element) {
    const ElementParameter& parameter = block.element->parameters[argument.parameter];
    switch (parameter.takes) {
        case Takes::automaton:
            controlled_.push_back({shape_.graph.elements.size() - 1, &argument.entry->value});
            return;
        case Takes::off:
            element.off = argument.entry->value.text == "flow" ? bonds::Off::flow : bonds::Off::effort;
            return;
        case Takes::law:
            return read_law(block, argument.formula, element);
        case Takes::signal:
            return read_modulation(block, argument.formula, element);
        case Takes::number:
            break;
    }
    const double value = number(block, parameter, argument.formula);
    if (argument.parameter == 0) {
        element.value = value;
        element.parameter_text = argument.formula.source->text;
    } else if (parameter.name == "momentum") {
        element.initial_momentum = value;
    } else {
        element.initial_displacement = value;
    }
}

double GraphBody::number(const BlockDeclaration& block, const ElementParameter& parameter,
                         const Formula& formula) {
    const bool first = &parameter == block.element->parameters.data();
    if (first && !block.element->modulated.empty()) refuse_signal(block, parameter, formula);
    const double value = evaluate(formula, *shape_.environment, report_).value;
    if (!first || value != 0 || !divides(block.element->kind)) return value;
    report_.add(formula.source->place,
                fmt::format("\"{}\" of \"{}\" must not be 0", parameter.name, block.name), formulas_.where());
    throw Reported{};
}

// A signal where a number is wanted: there is a type that takes one.
void GraphBody::refuse_signal(const BlockDeclaration& block, const ElementParameter& parameter,
                              const Formula& formula) {
    if (formula.source->is_number()) return;
    const Expression* signal = formulas_.first_signal(formula.tree);
    if (!signal) return;
    const std::string_view name = signal->text;
    if (name != "t" && !shape_.diagram->names.count(name.substr(0, name.find_first_of(".[")))) return;
    const std::string message =
        fmt::format("\"{}\" is a signal, and \"{}\" of an {} is a number; did you mean type \"{}\"?", name,
                    parameter.name, block.element->type, block.element->modulated);
    report_.add(*formula.source, ExpressionError(signal->offset, signal->length, message));
    throw Reported{};
}

// An expression of parameters alone is a number.
void GraphBody::read_modulation(const BlockDeclaration& block, const Formula& formula, Element& element) {
    element.parameter_text = formula.source->text;
    if (formula.source->is_number() || !formulas_.first_signal(formula.tree)) {
        element.value = number(block, block.element->parameters[0], formula);
        return;
    }
    const Ref signal = formulas_.signal(formula);
    element.parameter = keep(signal);
    if (needs_inverse(element.type))
        element.inverse = keep(formulas_.builder().node(Primitive::inverse, {signal}));
}

// e = law(f) or f = law(e), e = law(q), f = law(p)
void GraphBody::read_law(const BlockDeclaration& block, const Formula& formula, Element& element) {
    const NodeId variable = element.type == Type::R   ? element.flow
                            : element.type == Type::C ? element.displacement
                                                      : element.momentum;
    element.law_text = formula.source->text;
    element.law_of_effort =
        element.type == Type::R && mentions(formula.tree, "e") && !mentions(formula.tree, "f");
    element.law =
        keep(element.law_of_effort
                 ? formulas_.signal(formula, "e", shape_.graph_signals[element.effort])
                 : formulas_.signal(formula, block.element->variable, shape_.graph_signals[variable]));
}

// x^2 / (2 value), or the integral of the law from 0 to x: x times the mean of law(s x) over s from 0 to 1.
Ref GraphBody::energy(const BlockDeclaration& block, const Element& element) {
    Builder& builder = formulas_.builder();
    const NodeId state = element.type == Type::C ? element.displacement : element.momentum;
    const Ref x = shape_.graph_signals[state];
    if (element.law == no_node)
        return builder.affine(
            0, {{noted_quotient(0.5, element.value), builder.node(Primitive::product, {x, x})}});
    const auto& arguments = block.arguments;
    const auto law = std::find_if(arguments.begin(), arguments.end(), [&](const ArgumentDeclaration& a) {
        return block.element->parameters[a.parameter].takes == Takes::law;
    });
    const bool exact = is_polynomial(law->formula.tree, block.element->variable);
    const std::span<const double> ends = exact ? std::span<const double>(whole) : parts;
    std::vector<std::pair<double, Ref>> mean;
    for (std::size_t i = 0; i + 1 < ends.size(); ++i)
        for (const auto& [point, weight] : gauss)
            for (const double side : {-1.0, 1.0}) {
                const double half = 0.5 * (ends[i + 1] - ends[i]), s = ends[i] + half * (1 + side * point);
                const Ref scaled = builder.affine(0, {{s, x}});
                mean.emplace_back(half * weight,
                                  formulas_.signal(law->formula, block.element->variable, scaled));
            }
    return builder.node(Primitive::product, {x, builder.affine(0, std::move(mean))});
}

}  // namespace deltaflow::front
