// Automata of a diagram: states are signals, guards are comparisons of signals.
#include "engine/front/flatten/graph.hpp"
#include "engine/front/flatten/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::front {
namespace {

using bonds::Guard;

struct Comparison {
    std::string_view text;
    Guard::Relation relation;
};
constexpr Comparison comparisons[] = {
    {"<", Guard::Relation::less},    {"<=", Guard::Relation::less_equal},
    {">", Guard::Relation::greater}, {">=", Guard::Relation::greater_equal},
    {"==", Guard::Relation::equal},  {"!=", Guard::Relation::unequal},
};

const Comparison* find_comparison(const Expression& e) {
    if (e.kind != Expression::Kind::operation) return nullptr;
    const auto found = std::find_if(std::begin(comparisons), std::end(comparisons),
                                    [&](const Comparison& c) { return c.text == e.text; });
    return found == std::end(comparisons) ? nullptr : found;
}

bool is_operation(const Expression& e, std::string_view text) {
    return e.kind == Expression::Kind::operation && e.text == text;
}

bool holds(Guard::Relation relation, double difference) {
    switch (relation) {
        case Guard::Relation::less:
            return difference < 0;
        case Guard::Relation::less_equal:
            return difference <= 0;
        case Guard::Relation::greater:
            return difference > 0;
        case Guard::Relation::greater_equal:
            return difference >= 0;
        case Guard::Relation::equal:
            return difference == 0;
        case Guard::Relation::unequal:
            return difference != 0;
    }
    return false;
}

std::string text_of(const Formula& when, const Expression& e) {
    return when.source->text.substr(e.offset, e.length);
}

// The conditions of a and b and ...: they lean to the left, so long ones need no deep recursion.
std::vector<const Expression*> joined(const Expression& e) {
    std::vector<const Expression*> parts;
    const Expression* at = &e;
    for (; is_operation(*at, e.text); at = &at->arguments[0]) parts.push_back(&at->arguments[1]);
    parts.push_back(at);
    std::reverse(parts.begin(), parts.end());
    return parts;
}

}  // namespace

void GraphBody::add_automaton(const BlockDeclaration& block) {
    const AutomatonDeclaration& declared = *block.automaton;
    set_rank(block, shape_.graph.automata.size());
    bonds::Automaton automaton;
    automaton.name = block.name;
    automaton.place = block.place;
    automaton.on = declared.on;
    automaton.initial = declared.choice.source ? chosen_state(block) : declared.initial;
    automaton.ideal = block.made;  // a switch that a signal closes
    automaton.passing.assign(declared.states.size(), 0);
    for (const auto& state : declared.states) {
        automaton.states.emplace_back(state.name);
        shape_.outputs.push_back(free_node());
        automaton.signals.push_back(keep(shape_.outputs.back()));
    }
    std::vector<Formulas::Variable> values;
    for (const auto& value : declared.values) {
        const Number initial = evaluate(value.initial, *shape_.environment, report_);
        Schedule schedule;
        schedule.before = initial.value;
        schedule.set = true;
        const Ref held = formulas_.builder().schedule(std::move(schedule));
        values.push_back({value.name, held});
        shape_.outputs.push_back(held);
        automaton.values.push_back(keep(held));
    }
    shape_.graph.automata.push_back(std::move(automaton));
    for (const auto& transition : declared.transitions) {
        try {
            shape_.graph.automata.back().transitions.push_back(made(transition, values));
        } catch (const Reported&) {
        }
    }
}

// The number that the expression has if the names of states are their numbers.
std::uint32_t GraphBody::chosen_state(const BlockDeclaration& block) {
    const AutomatonDeclaration& declared = *block.automaton;
    const Formula& choice = declared.choice;
    const auto scope = [&](const Expression& name) -> Meaning {
        for (std::size_t i = 0; i < declared.states.size(); ++i)
            if (declared.states[i].name == name.text) return number_from_double(static_cast<double>(i));
        if (const auto number = find_parameter(*shape_.environment, name.text)) return *number;
        std::vector<std::string_view> known;
        append_parameter_names(*shape_.environment, known);
        for (const auto& state : declared.states) known.push_back(state.name);
        throw ExpressionError(name.offset, name.length,
                              fmt::format("there is no state or parameter \"{}\"{}", name.text,
                                          report_.hint(name.text, known)));
    };
    try {
        const auto index = whole(evaluate_expression(choice.tree, scope));
        if (index && *index >= 0 && *index < static_cast<int>(declared.states.size()))
            return static_cast<std::uint32_t>(*index);
        throw ExpressionError(0, static_cast<std::uint32_t>(choice.source->text.size()),
                              "this chooses no state; write it like if(x0 > 0, up, down)");
    } catch (const ExpressionError& e) {
        report_.add(*choice.source, e);
        throw Reported{};
    }
}

bonds::Transition GraphBody::made(const TransitionDeclaration& declared,
                                  const std::vector<Formulas::Variable>& values) {
    bonds::Transition transition;
    transition.from = declared.from;
    transition.to = declared.to;
    transition.place = declared.place;
    transition.once = declared.once;
    if (declared.when.source) transition.when = guard(declared.when, declared.when.tree);
    if (declared.after.source) add_timer(declared, transition);
    for (const auto& [value, formula] : declared.set)
        transition.set.push_back({keep(values[value].value), keep(formulas_.signal(formula, values))});
    return transition;
}

// The guard holds only once the time is over.
void GraphBody::add_timer(const TransitionDeclaration& declared, bonds::Transition& transition) {
    const Number after = evaluate(declared.after, *shape_.environment, report_);
    if (sign(after) < 0) {
        report_.add(declared.after.source->place, "\"after\" has to be at least 0");
        throw Reported{};
    }
    transition.after = after.rational();
    Schedule schedule;
    schedule.before = -1;
    schedule.timer = true;
    transition.timer = keep(formulas_.builder().schedule(std::move(schedule)));
    Guard over;
    over.kind = Guard::Kind::compare;
    over.relation = Guard::Relation::greater_equal;
    over.difference = transition.timer;
    over.text = fmt::format("after {:.6g}", after.value);
    if (!declared.when.source) {
        transition.when = std::move(over);
        return;
    }
    Guard both;
    both.kind = Guard::Kind::all;
    both.text = fmt::format("{} and {}", over.text, transition.when.text);
    both.parts.push_back(std::move(over));
    both.parts.push_back(std::move(transition.when));
    transition.when = std::move(both);
}

Guard GraphBody::guard(const Formula& when, const Expression& e) {
    if (find_comparison(e)) return comparison(when, e);
    Guard result;
    result.text = text_of(when, e);
    if (is_operation(e, "not")) {
        result.kind = Guard::Kind::none;
        result.parts.push_back(guard(when, e.arguments[0]));
    } else if (is_operation(e, "and") || is_operation(e, "or")) {
        result.kind = e.text == "and" ? Guard::Kind::all : Guard::Kind::any;
        for (const Expression* part : joined(e)) result.parts.push_back(guard(when, *part));
    } else {
        refuse_guard(when, e);
    }
    return result;
}

// One of numbers alone is decided here.
Guard GraphBody::comparison(const Formula& when, const Expression& e) {
    Guard result;
    result.text = text_of(when, e);
    result.relation = find_comparison(e)->relation;
    const Ref difference = formulas_.difference(when, e);
    const bool node = difference.kind == Ref::Kind::node;
    if (node && shape_.own.nodes[difference.index].op == Primitive::constant) {
        const double value = shape_.own.parameters[shape_.own.nodes[difference.index].first_parameter];
        result.kind = holds(result.relation, value) ? Guard::Kind::always : Guard::Kind::never;
        return result;
    }
    result.kind = Guard::Kind::compare;
    result.difference = keep(difference);
    return result;
}

void GraphBody::refuse_guard(const Formula& when, const Expression& e) {
    const std::string text = text_of(when, e);
    const std::string example = text.size() <= 30 ? fmt::format(": {} > 0", text) : "";
    report_.add(*when.source, ExpressionError(e.offset, std::max(1u, e.length),
                                              fmt::format("this is no condition; compare it{}", example)));
    throw Reported{};
}

}  // namespace deltaflow::front
