// Elements of a diagram: their signals, numbers and laws.
#include "blocks/fraction_book.hpp"
#include "engine/flatten_graph.hpp"
#include "engine/flatten_numbers.hpp"

#include <fmt/format.h>

#include <array>

namespace deltaflow::front {
namespace {

using bonds::Element;
using bonds::ElementParameter;
using bonds::Signal;
using bonds::Takes;
using bonds::Type;

// Gauss and Legendre's rule with ten points on [-1, 1]: the positive points and their weights. Exact for laws
// that are polynomials up to degree 19.
struct Point {
    double x, weight;
};
constexpr std::array<Point, 5> gauss{{{0.1488743389816312108848260, 0.2955242247147528701738930},
                                      {0.4333953941292471907992659, 0.2692667193099963550912269},
                                      {0.6794095682990244062343274, 0.2190863625159820439955349},
                                      {0.8650633666889845107320967, 0.1494513491505805931457763},
                                      {0.9739065285171717200779640, 0.0666713443086881375935688}}};

bool is_state(const Element& element, Signal signal) {
    return signal == (element.type == Type::C ? Signal::displacement : Signal::momentum);
}

NodeId& slot_of(Element& element, Signal signal) {
    switch (signal) {
        case Signal::effort:
            return element.effort;
        case Signal::flow:
            return element.flow;
        case Signal::momentum:
            return element.momentum;
        case Signal::displacement:
            return element.displacement;
        default:
            return element.energy;
    }
}

// Elements that divide by their number.
bool divides(Type type) { return type == Type::C || type == Type::I || type == Type::TF || type == Type::GY; }

// Elements that are read both ways, so that a signal needs its inverse, too.
bool needs_inverse(Type type) { return type == Type::R || type == Type::TF || type == Type::GY; }

}  // namespace

void GraphBody::add_element(const BlockDeclaration& block) {
    const std::size_t index = shape_.graph.elements.size();
    set_rank(block, index);
    shape_.graph.elements.push_back({block.element->kind, std::string(block.name), block.place});
    Element element = shape_.graph.elements.back();
    element.off = element.type == Type::one ? bonds::Off::flow : bonds::Off::effort;
    make_ports(block, element);
    bool good = true;
    for (const auto& argument : block.arguments) {
        try {
            read_argument(block, argument, element);
        } catch (const Reported&) {
            good = false;
        }
    }
    if (!good) throw Reported{};
    if (element.is_storage() && wanted_.contains(*shape_.diagram, block, Signal::energy))
        element.energy = keep(energy(block, element));
    for (const Signal s : block.element->signals) shape_.outputs.push_back(signal(element, s));
    shape_.graph.elements[index] = std::move(element);
}

// A node for each signal that every mode defines; integrals that the element can do without are for readers.
void GraphBody::make_ports(const BlockDeclaration& block, Element& element) {
    for (const Signal s : block.element->signals) {
        if (s == Signal::energy) continue;
        const bool needed = s == Signal::effort || s == Signal::flow || is_state(element, s);
        if (needed || wanted_.contains(*shape_.diagram, block, s)) slot_of(element, s) = keep(free_node());
    }
}

Ref GraphBody::signal(const Element& element, Signal signal) const {
    Element copy = element;
    const NodeId kept = slot_of(copy, signal);
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

// e = law(f), e = law(q), f = law(p)
void GraphBody::read_law(const BlockDeclaration& block, const Formula& formula, Element& element) {
    const NodeId variable = element.type == Type::R   ? element.flow
                            : element.type == Type::C ? element.displacement
                                                      : element.momentum;
    element.law_text = formula.source->text;
    element.law = keep(formulas_.signal(formula, block.element->variable, shape_.graph_signals[variable]));
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
    std::vector<std::pair<double, Ref>> mean;
    for (const auto& [point, weight] : gauss)
        for (const double side : {-1.0, 1.0}) {
            const Ref scaled = builder.affine(0, {{0.5 + side * 0.5 * point, x}});
            mean.emplace_back(0.5 * weight, formulas_.signal(law->formula, block.element->variable, scaled));
        }
    return builder.node(Primitive::product, {x, builder.affine(0, std::move(mean))});
}

}  // namespace deltaflow::front
