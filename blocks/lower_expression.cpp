// Rewrites expressions into primitive blocks, and evaluates those of parameters alone: the same walk.
#include "blocks/builder.hpp"
#include "blocks/catalogue.hpp"
#include "blocks/composer.hpp"
#include "blocks/condition.hpp"
#include "blocks/function_table.hpp"
#include "blocks/limits.hpp"
#include "blocks/spelling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace deltaflow {

namespace {

using Kind = Expression::Kind;

[[noreturn]] void fail(const Expression& e, const std::string& message) {
    throw ExpressionError(e.offset, std::max(1u, e.length), message);
}

bool is_operation(const Expression& e, std::string_view first, std::string_view second) {
    return e.kind == Kind::operation && e.arguments.size() == 2 && (e.text == first || e.text == second);
}

bool finite(const Affine& a) {
    return std::isfinite(a.constant.value) &&
           std::all_of(a.terms.begin(), a.terms.end(),
                       [](const auto& term) { return std::isfinite(term.coefficient.value); });
}

const Affine& checked(const Expression& e, const Affine& a) {
    if (!finite(a)) fail(e, "the numbers in this leave the finite range");
    return a;
}

std::string counted(std::size_t n) { return n == 1 ? "1 argument" : fmt::format("{} arguments", n); }

void check_count(const Expression& e, const Function& f) {
    const std::size_t given = e.arguments.size();
    if (given >= f.least && given <= f.most) return;
    fail(e, fmt::format("{} takes {}{}, not {}", f.name, f.least == f.most ? "" : "at least ",
                        counted(f.least), given));
}

// Expressions of numbers and, where there is a composer, of signals.
class Walker {
public:
    enum class Within : std::uint8_t { block, guard };

    Walker(const Scope& scope, Composer* composer, Within within = Within::block)
        : scope_(scope), composer_(composer), within_(within) {}

    Affine walk(const Expression& e) {
        switch (e.kind) {
            case Kind::number:
                return number(e);
            case Kind::name:
                return name(e);
            case Kind::call:
                return call(e);
            case Kind::operation:
                return checked(e, operation(e));
        }
        return {};
    }

    // What is no comparison holds where it is >= 0.
    Condition condition(const Expression& e) {
        if (is_condition(e)) return logic(e);
        Condition c = at_least_zero(walk(e), composer_);
        c.plain = true;
        return c;
    }

private:
    static bool is_condition(const Expression& e) {
        if (e.kind != Kind::operation) return false;
        static constexpr std::string_view words[] = {"<", "<=", ">", ">=", "==", "!=", "and", "or", "not"};
        return std::find(std::begin(words), std::end(words), e.text) != std::end(words);
    }

    Condition logic(const Expression& e) {
        if (e.text == "not") return joined(Condition::Kind::none, {operand(e.arguments[0])});
        if (e.text != "and" && e.text != "or")
            return compared(e.text, checked(e, walk(e.arguments[0]) - walk(e.arguments[1])), composer_);
        std::vector<Condition> parts;
        const auto steps = spine(e, e.text, e.text);
        parts.push_back(operand(steps.front()->arguments[0]));
        for (const Expression* step : steps) parts.push_back(operand(step->arguments[1]));
        return joined(e.text == "and" ? Condition::Kind::all : Condition::Kind::any, std::move(parts));
    }

    // Of and, or, not: a signal that is 1 or 0 counts as what it says.
    Condition operand(const Expression& e) {
        if (is_condition(e)) return logic(e);
        return at_least_zero(walk(e) - affine_of(Number{0.5, Rational(1, 2)}), composer_);
    }

    Affine number(const Expression& e) const {
        const Number n = number_from_text(e.text);
        if (!std::isfinite(n.value)) fail(e, fmt::format("{} is not a number that fits", e.text));
        return affine_of(n);
    }

    Affine name(const Expression& e) {
        if (e.text == "pi") return affine_of(number_without_fraction(std::numbers::pi));
        if (e.text == "t") return affine_of(time(e));
        const Meaning meaning = scope_(e);
        if (const Number* n = std::get_if<Number>(&meaning)) return affine_of(*n);
        if (!composer_)
            fail(e, fmt::format("\"{}\" is a signal; only parameters and numbers may stand here", e.text));
        return affine_of(std::get<Ref>(meaning));
    }

    Ref time(const Expression& e) {
        if (!composer_) fail(e, "\"t\" is a signal; only parameters and numbers may stand here");
        return composer_->node(Primitive::time, {});
    }

    Affine operation(const Expression& e) {
        if (is_operation(e, "+", "-")) return sum(e);
        if (is_operation(e, "*", "/")) return term(e);
        if (e.text == "^") return power(e);
        if (e.text == "neg") return Number{-1, Rational(-1)} * walk(e.arguments[0]);
        return truth(condition(e));
    }

    // 1 where it holds, else 0
    Affine truth(const Condition& c) {
        if (c.kind == Condition::Kind::known)
            return affine_of(Number{c.holds ? 1.0 : 0.0, Rational(c.holds)});
        return affine_of(choose(*composer_, c, 1, 0));
    }

    // The operations a (op b)* that lean to the left, innermost first: long sums need no deep recursion.
    static std::vector<const Expression*> spine(const Expression& e, std::string_view first,
                                                std::string_view second) {
        std::vector<const Expression*> steps;
        for (const Expression* at = &e; is_operation(*at, first, second); at = &at->arguments[0])
            steps.push_back(at);
        std::reverse(steps.begin(), steps.end());
        return steps;
    }

    Affine sum(const Expression& e) {
        const auto steps = spine(e, "+", "-");
        Affine total = walk(steps.front()->arguments[0]);
        for (const Expression* step : steps) {
            const Affine next = walk(step->arguments[1]);
            total = step->text == "+" ? std::move(total) + next : std::move(total) - next;
        }
        return total;
    }

    Affine term(const Expression& e) {
        const auto steps = spine(e, "*", "/");
        Affine total = walk(steps.front()->arguments[0]);
        for (const Expression* step : steps) {
            const Affine next = walk(step->arguments[1]);
            total = checked(*step, multiply(total, step->text == "*" ? next : inverse(*step, next)));
        }
        return total;
    }

    Affine multiply(const Affine& a, const Affine& b) {
        if (a.is_constant()) return a.constant * b;
        if (b.is_constant()) return b.constant * a;
        return composer_->product(a, b);
    }

    Affine inverse(const Expression& e, const Affine& a) {
        if (!a.is_constant()) return composer_->inverse(a);
        if (is_zero(a.constant)) fail(e, "division by zero");
        return affine_of(Number{1, Rational(1)} / a.constant);
    }

    Affine power(const Expression& e) {
        const Affine base = walk(e.arguments[0]), exponent = walk(e.arguments[1]);
        if (!exponent.is_constant()) return signal_power(e, base, exponent);
        if (base.is_constant()) return affine_of(number_power(e, base.constant, exponent.constant));
        const auto n = whole(exponent.constant);
        if (n && std::abs(*n) > limits::whole_exponent)
            fail(e.arguments[1], fmt::format("exponents of signals go up to {}", limits::whole_exponent));
        return composer_->power(base, exponent.constant);
    }

    static Number number_power(const Expression& e, const Number& base, const Number& exponent) {
        if (is_zero(base) && sign(exponent) < 0) fail(e, "division by zero");
        if (sign(base) < 0 && !whole(exponent)) fail(e, "a negative number has no such power");
        return deltaflow::power(base, exponent);
    }

    // u^v = exp(v log u)
    Affine signal_power(const Expression& e, const Affine& base, const Affine& exponent) {
        if (base.is_constant() && sign(base.constant) <= 0)
            fail(e.arguments[0], "only a positive number has powers with a signal as exponent");
        const Affine log = base.is_constant()
                               ? affine_of(number_without_fraction(std::log(base.constant.value)))
                               : affine_of(composer_->function(Primitive::log, composer_->signal(base)));
        return exponential(composer_->product(exponent, log));
    }

    Affine exponential(const Affine& u) {
        return affine_of(composer_->function(Primitive::exp, composer_->signal(u)));
    }

    Affine call(const Expression& e) {
        const Function& f = known(e);
        check_count(e, f);
        if (f.name == "if") return choice(e);
        std::vector<Affine> arguments;
        for (const Expression& argument : e.arguments) arguments.push_back(walk(argument));
        const bool numbers =
            std::all_of(arguments.begin(), arguments.end(), [](const Affine& a) { return a.is_constant(); });
        if (numbers && f.value) return affine_of(value(e, f, arguments));
        if (f.only_in_guards && within_ != Within::guard)
            fail(e, fmt::format("{}(x) may stand only in guards; an impulse is a block: "
                                "x = {{ type = \"impulse\", at = ... }}",
                                f.name));
        if (!composer_)
            fail(e, fmt::format("{}(x) is a signal; only parameters and numbers may stand here", f.name));
        if (numbers) return f.name == "pre" ? arguments[0] : affine_of(Number{0, Rational(0)});
        return checked(e, f.compose(*composer_, arguments));
    }

    Affine choice(const Expression& e) {
        const Condition c = condition(e.arguments[0]);
        const Affine then = walk(e.arguments[1]), otherwise = walk(e.arguments[2]);
        if (c.kind == Condition::Kind::known) return c.holds ? then : otherwise;
        return affine_of(choose(*composer_, c, composer_->signal(then), composer_->signal(otherwise)));
    }

    static Number value(const Expression& e, const Function& f, const std::vector<Affine>& arguments) {
        std::vector<Number> numbers;
        for (const Affine& a : arguments) numbers.push_back(a.constant);
        const Number result = f.value(numbers);
        if (!std::isfinite(result.value)) fail(e, fmt::format("{} is not defined here", f.name));
        return result;
    }

    static const Function& known(const Expression& e) {
        if (const Function* f = find_function(e.text)) return *f;
        std::vector<std::string_view> names;
        for (const Function& f : function_table())
            if (!f.only_in_guards) names.push_back(f.name);
        const Expression name{Kind::name, e.text, {}, e.offset, static_cast<std::uint32_t>(e.text.size())};
        const std::string_view usual = usual_name(e.text);
        std::string near = did_you_mean(e.text, names);
        if (const Function* f = find_function(usual); f && !f->only_in_guards)
            near = fmt::format("; did you mean \"{}\"?", usual);
        if (near.empty() && find_block_type(usual))
            fail(name, fmt::format("\"{}\" is no function; make it a block: x = {{ type = \"{}\", ... }}",
                                   e.text, usual));
        if (near.empty() && e.arguments.size() == 1 && e.arguments[0].text == "t")
            near = "; a signal is read without \"(t)\"";
        fail(name, fmt::format("there is no function \"{}\"{}", e.text, near));
    }

    const Scope& scope_;
    Composer* composer_;
    Within within_;
};

}  // namespace

Ref lower_expression(const Expression& e, const Scope& scope, Builder& builder) {
    Composer composer(builder);
    return composer.signal(Walker(scope, &composer).walk(e));
}

Condition lower_condition(const Expression& e, const Scope& scope, Builder& builder) {
    Composer composer(builder);
    Condition c = Walker(scope, &composer).condition(e);
    if (c.plain && c.kind == Condition::Kind::known)  // what a block passes on is the number itself
        c = {.kind = Condition::Kind::least, .signal = lower_expression(e, scope, builder), .plain = true};
    return c;
}

Ref lower_difference(const Expression& left, const Expression& right, const Scope& scope, Builder& builder) {
    Composer composer(builder);
    Walker walker(scope, &composer, Walker::Within::guard);
    const Affine first = walker.walk(left), second = walker.walk(right);
    return composer.signal(first - second);
}

Number evaluate_expression(const Expression& e, const Scope& scope) {
    return Walker(scope, nullptr).walk(e).constant;
}

}  // namespace deltaflow
