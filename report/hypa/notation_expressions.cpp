// Expressions as 002 writes them, and what they mention.
#include "report/hypa/notation.hpp"

#include "report/hypa/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace deltaflow::report::hypa {

namespace {

using Kind = Expression::Kind;

}  // namespace

Piece Notation::expression(const std::string& text, const std::string& owner, Reading reading,
                           const Piece* own) const {
    return write(parse_expression(text), {owner, reading, own});
}

Piece Notation::expression(const Expression& tree, const std::string& owner, Reading reading) const {
    return write(tree, {owner, reading, nullptr});
}

Piece Notation::write(const Expression& e, const Context& c) const {
    switch (e.kind) {
        case Kind::number:
            return {e.text};
        case Kind::name:
            return write_name(e, c);
        case Kind::call:
            return write_call(e, c);
        case Kind::operation:
            break;
    }
    return write_operation(e, c);
}

Piece Notation::write_name(const Expression& e, const Context& c) const {
    if (c.own && (e.text == "f" || e.text == "q" || e.text == "p")) return *c.own;
    static constexpr Mark marks[] = {Mark::none, Mark::none, Mark::left, Mark::right};
    const Mark mark = marks[static_cast<std::size_t>(c.reading)];
    if (const auto s = signal(e.text, c.owner)) {
        Variable v = s->variable;
        v.mark = mark;
        if (s->power) return times({variable(v)}, {variable({Quantity::flow, mark, v.bond})});
        return s->sign > 0 ? Piece{variable(v)} : Piece{minus + variable(v), sum};
    }
    if (e.text == "pi") return {latex_ ? "\\pi" : "pi"};
    const bool state = is_state(e.text, c.owner);
    std::string text = name(state ? scope_of(c.owner) + e.text : e.text);
    if (state || (is_block_ && is_block_(scope_of(c.owner) + e.text)))
        text += mark == Mark::left ? "^-" : mark == Mark::right ? "^+" : "";
    return {text};
}

Piece Notation::write_call(const Expression& e, const Context& c) const {
    if (e.text == "pre") {
        const Reading inside = c.reading == Reading::flow ? Reading::flow : Reading::before;
        return write(e.arguments[0], {c.owner, inside, c.own});
    }
    if (e.text == "impulse") return write_impulse(e, c);
    if (e.text == "abs") {
        const std::string inside = write(e.arguments[0], c).text;
        return {latex_ ? "\\left|" + inside + "\\right|" : "|" + inside + "|"};
    }
    if (latex_ && e.text == "sqrt") return {"\\sqrt{" + write(e.arguments[0], c).text + "}"};
    static constexpr std::array<std::string_view, 11> functions{"sin", "cos", "tan", "sinh", "cosh",  "tanh",
                                                                "exp", "log", "min", "max",  "arctan"};
    std::string text = e.text;
    if (latex_) {
        const bool known = std::count(functions.begin(), functions.end(), text) > 0;
        text = known ? "\\" + text : fmt::format("\\operatorname{{{}}}", latex_escaped(text));
    }
    std::string list;
    for (const Expression& a : e.arguments) list += (list.empty() ? "" : ", ") + write(a, c).text;
    return {text + (latex_ ? "\\left(" + list + "\\right)" : "(" + list + ")")};
}

// The impulse of an effort is the jump of its momentum, that of a flow the jump of its displacement.
Piece Notation::write_impulse(const Expression& e, const Context& c) const {
    if (c.reading == Reading::flow) return {"0"};
    const Expression& x = e.arguments[0];
    const auto s = x.kind == Kind::name ? signal(x.text, c.owner) : std::nullopt;
    const bool effort = s && s->variable.quantity == Quantity::effort && !s->power;
    if (!effort && !(s && s->variable.quantity == Quantity::flow))
        return {(latex_ ? "\\operatorname{impulse}(" : "impulse(") + write(x, c).text + ")"};
    const Quantity quantity = effort ? Quantity::momentum : Quantity::displacement;
    const std::string text = variable({quantity, Mark::jump, s->variable.bond});
    return s->sign > 0 ? Piece{text} : Piece{minus + text, sum};
}

Piece Notation::binary(const Expression& e, const Context& c, const std::string& sign, Level level) const {
    const Piece a = write(e.arguments[0], c), b = write(e.arguments[1], c);
    const bool strict = e.text == "-" || level == comparison || (level == sum && b.text[0] == '-');
    return {wrapped(a, level) + sign + wrapped(b, strict ? static_cast<Level>(level + 1) : level), level};
}

Piece Notation::write_operation(const Expression& e, const Context& c) const {
    static const std::map<std::string, std::string Notation::*> signs{
        {"<=", &Notation::less_equal}, {">=", &Notation::greater_equal}, {"!=", &Notation::unequal}};
    const std::string& o = e.text;
    if (o == "or") return binary(e, c, or_, disjunction);
    if (o == "and") return binary(e, c, and_, conjunction);
    if (o == "not") return {not_ + wrapped(write(e.arguments[0], c), atom), negation};
    if (has_leading_minus(e)) return {minus + wrapped(write(without_leading_minus(e), c), product), sum};
    if (o == "+" || o == "-") return binary(e, c, " " + o + " ", sum);
    if (o == "*") return binary(e, c, times_, product);
    if (o == "/") return over(write(e.arguments[0], c), write(e.arguments[1], c));
    if (o == "^") {
        const Piece base = write(e.arguments[0], c), exponent = write(e.arguments[1], c);
        const bool bare = base.text.find('^') == std::string::npos;
        const std::string low = bare ? wrapped(base, atom) : "(" + base.text + ")";
        return {low + (latex_ ? "^{" + exponent.text + "}" : "^" + wrapped(exponent, atom)), power};
    }
    if (const auto s = signs.find(o); s != signs.end()) return binary(e, c, this->*(s->second), comparison);
    return binary(e, c, o == "==" ? " = " : " " + o + " ", comparison);
}

bool Notation::may_jump(const std::string& text, const std::string& owner) const {
    return !text.empty() && may_jump(parse_expression(text), owner);
}

bool Notation::may_jump(const Expression& e, const std::string& owner) const {
    if (e.kind == Kind::name)
        return signal(e.text, owner) || is_state(e.text, owner) ||
               (is_block_ && is_block_(scope_of(owner) + e.text));
    if (e.kind == Kind::call && e.text == "pre") return false;
    return std::any_of(e.arguments.begin(), e.arguments.end(),
                       [&](const Expression& a) { return may_jump(a, owner); });
}

bool Notation::has_pre(const std::string& text) {
    const std::function<bool(const Expression&)> inside = [&](const Expression& e) {
        return (e.kind == Kind::call && e.text == "pre") ||
               std::any_of(e.arguments.begin(), e.arguments.end(), inside);
    };
    return !text.empty() && inside(parse_expression(text));
}

void Notation::mention(const Expression& e, const std::string& owner, bool impulse,
                       std::vector<Variable>& found) const {
    if (e.kind == Kind::name)
        if (const auto s = signal(e.text, owner)) {
            found.push_back(s->variable);
            if (s->power) found.push_back({Quantity::flow, Mark::none, s->variable.bond});
            if (impulse)
                found.push_back(
                    {s->variable.quantity == Quantity::effort ? Quantity::momentum : Quantity::displacement,
                     Mark::jump, s->variable.bond});
        }
    const bool inside = impulse || (e.kind == Kind::call && e.text == "impulse");
    for (const Expression& a : e.arguments) mention(a, owner, inside, found);
}

void Notation::mention(const std::string& text, const std::string& owner,
                       std::vector<Variable>& found) const {
    if (!text.empty()) mention(parse_expression(text), owner, false, found);
}

std::vector<Variable> Notation::mentioned() const {
    std::vector<Variable> found;
    for (const Element& e : graph_.elements) {
        mention(e.parameter_text, e.name, found);
        mention(e.law_text, e.name, found);
    }
    for (const Automaton& a : graph_.automata)
        for (const Transition& t : a.transitions) mention(t.when.text, a.name, found);
    return found;
}

}  // namespace deltaflow::report::hypa
