// Formulas of a diagram: expressions of its signals and parameters become primitive blocks.
#include "engine/front/flatten/formulas.hpp"

#include "engine/front/flatten/indices.hpp"
#include "engine/front/flatten/numbers.hpp"

#include <fmt/format.h>

namespace deltaflow::front {

Formulas::Formulas(Template& shape, Report& report)
    : shape_(shape),
      report_(report),
      builder_(shape.own),
      scope_([this](const Expression& name) { return look_up(name); }),
      slot_of_block_(shape.diagram->blocks.size(), none) {}

template <class Lower>
auto Formulas::lower(const Formula& formula, const Lower& lower) {
    formula_ = &formula;
    try {
        return lower();
    } catch (const ExpressionError& e) {
        report_.add(*formula.source, e, where());
        throw Reported{};
    }
}

// Names that wait for `resolve` point into the expression: it has to stay.
const Expression& Formulas::whole(const Expression& e) {
    if (!mentions_all(e)) return e;
    spread_.push_back(spread(e, shape_));
    return spread_.back();
}

Ref Formulas::signal(const Formula& formula) {
    if (formula.source->is_number()) return builder_.constant(formula.source->real);
    return lower(formula, [&] { return lower_expression(whole(formula.tree), scope_, builder_); });
}

Ref Formulas::signal(const Formula& formula, std::string_view variable, Ref value) {
    return signal(formula, {{variable, value}});
}

Ref Formulas::signal(const Formula& formula, std::vector<Variable> variables) {
    variables_ = std::move(variables);
    try {
        const Ref found = signal(formula);
        variables_.clear();
        return found;
    } catch (const Reported&) {
        variables_.clear();
        throw;
    }
}

Condition Formulas::condition(const Formula& formula) {
    if (formula.source->is_number())
        return {.kind = Condition::Kind::least, .signal = signal(formula), .plain = true};
    return lower(formula, [&] { return lower_condition(whole(formula.tree), scope_, builder_); });
}

Ref Formulas::difference(const Formula& guard, const Expression& comparison) {
    return lower(guard, [&] {
        const Expression& all = whole(comparison);
        return lower_difference(all.arguments[0], all.arguments[1], scope_, builder_);
    });
}

// Arguments may be wrong in one instance and right in another.
std::vector<std::string> Formulas::where() const {
    if (!shape_.first_use || shape_.diagram->parameters.empty()) return {};
    return {fmt::format("in \"{}\" at {}", shape_.first_use->name,
                        render(report_.sources(), shape_.first_use->place))};
}

const Expression* Formulas::first_signal(const Expression& tree) const {
    if (tree.kind == Expression::Kind::name) {
        const auto found =
            shape_.diagram->names.find(std::string_view(tree.text).substr(0, tree.text.find_first_of(".[")));
        const bool symbol =
            found != shape_.diagram->names.end() && found->second.kind != Symbol::Kind::parameter;
        if (symbol || tree.text == "t") return &tree;
        return tree.text == "pi" || find_parameter(*shape_.environment, tree.text) ? nullptr : &tree;
    }
    for (const Expression& argument : tree.arguments)
        if (const Expression* found = first_signal(argument)) return found;
    return nullptr;
}

// A block's name becomes a slot, since its definition may come later.
Meaning Formulas::look_up(const Expression& name) {
    const std::string_view text = name.text;
    for (const Variable& variable : variables_)
        if (text == variable.name) return variable.value;
    const std::string_view first = text.substr(0, text.find_first_of(".["));
    const auto found = shape_.diagram->names.find(first);
    if (found != shape_.diagram->names.end() && found->second.kind == Symbol::Kind::block)
        return Ref{Ref::Kind::slot, slot(found->second.index, name, text.size() == first.size())};
    if (found != shape_.diagram->names.end() && found->second.kind == Symbol::Kind::input &&
        text.size() == first.size())
        return Ref{Ref::Kind::port, found->second.index};
    if (const auto number = find_parameter(*shape_.environment, text)) return *number;
    if (i_ && text == index_name) return number_of_index(*i_);
    return unknown(name, first);
}

std::uint32_t Formulas::slot(std::uint32_t block, const Expression& name, bool plain) {
    const std::string_view text = plain ? std::string_view(name.text) : closed(name);
    std::uint32_t& known =
        plain ? slot_of_block_[block] : slot_of_name_.try_emplace(text, none).first->second;
    if (known == none) {
        known = static_cast<std::uint32_t>(references_.size());
        references_.push_back({text, block, formula_->source, name.offset, name.length});
    }
    return known;
}

// The name with numbers for indices.
std::string_view Formulas::closed(const Expression& name) {
    if (!has_open_index(name.text)) return name.text;
    try {
        return *closed_.insert(close_indices(name.text, i_, *shape_.environment, report_)).first;
    } catch (const ExpressionError& e) {
        throw ExpressionError(name.offset + e.offset, e.length, e.what());
    }
}

// Reported here, so that the other names of the expression are looked at, too.
Meaning Formulas::unknown(const Expression& name, std::string_view first) {
    const bool inside = first.size() < name.text.size() && find_parameter(*shape_.environment, first);
    const bool input = shape_.diagram->names.count(first) > 0;
    const std::string message =
        inside || input ? fmt::format("nothing is inside \"{}\"", first)
                        : fmt::format("there is no signal or parameter \"{}\"{}", first, way_out(first));
    report_.add(*formula_->source,
                ExpressionError(name.offset, static_cast<std::uint32_t>(first.size()), message));
    return broken_signal;
}

std::string Formulas::way_out(std::string_view name) const {
    const std::string hint = report_.gives_hints() ? report_.hint(name, visible_names()) : "";
    if (hint.empty() && name == "e") return "; powers of e are written exp(x)";
    if (!hint.empty() || variables_.size() != 1) return hint;
    return fmt::format("; this law is an expression of {}", variables_[0].name);
}

std::vector<std::string_view> Formulas::visible_names() const {
    std::vector<std::string_view> names;
    for (const auto& block : shape_.diagram->blocks)
        if (!block.made) names.push_back(block.name);
    for (const auto& input : shape_.diagram->inputs) names.push_back(input.name);
    append_parameter_names(*shape_.environment, names);
    names.insert(names.end(), {"t", "pi"});
    return names;
}

}  // namespace deltaflow::front
